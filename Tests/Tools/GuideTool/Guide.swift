import Foundation

/// The steps of one section of a document, read from its code blocks.
///
/// A block of `swift` or `sql` is a new file, and a `diff` changes a file. The path is the last
/// text in backquotes before the block. A block of `sh` contains commands.
struct Guide {
  /// The step that one code block describes.
  enum Step: Equatable {
    case write(path: String, text: String)
    case change(path: String, diff: [String])
    case run(lines: [String])
  }

  let steps: [Step]

  /// - Throws: ``GuideError`` if the section does not exist, or if a block in it cannot be
  ///   followed.
  init(_ document: String, section: String) throws(GuideError) {
    let lines = document.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let title = lines.firstIndex(of: "## \(section)") else {
      throw GuideError("there is no section '\(section)'")
    }
    var rest = lines[(title + 1)...].prefix { !$0.hasPrefix("## ") }
    var steps: [Step] = []
    var path: String?
    while let line = rest.popFirst() {
      guard let fence = line.wholeMatch(of: /( *)```(\w+)/) else {
        let paths = line.matches(of: /`([\w.\/]+\/[\w]+\.\w+)`/)
        path = paths.last.map { String($0.output.1) } ?? path
        continue
      }
      let block = rest.prefix { $0 != "\(fence.1)```" }
      guard block.count < rest.count else { throw GuideError("a block has no end: \(line)") }
      rest = rest.dropFirst(block.count + 1)
      let text = block.map { String($0.dropFirst(fence.1.count)) }
      steps.append(try Self.step(String(fence.2), text, &path))
    }
    guard !steps.isEmpty else { throw GuideError("'\(section)' has no step") }
    self.steps = steps
  }

  /// The path belongs to one block only.
  private static func step(
    _ kind: String, _ lines: [String], _ path: inout String?
  ) throws(GuideError) -> Step {
    if kind == "sh" { return .run(lines: lines) }
    guard ["swift", "sql", "diff"].contains(kind) else {
      throw GuideError("what is to be done with a block of '\(kind)'?")
    }
    guard let file = path else {
      throw GuideError("which file is this? \(lines.first ?? "")")
    }
    path = nil
    return kind == "diff"
      ? .change(path: file, diff: lines)
      : .write(path: file, text: lines.joined(separator: "\n") + "\n")
  }

  /// The commands, line by line.
  var commands: [String] {
    steps.flatMap { step -> [String] in
      guard case .run(let lines) = step else { return [] }
      return lines.filter { !$0.isEmpty }
    }
  }

  /// Writes and changes the files in a folder.
  ///
  /// - Throws: ``GuideError`` if a new file already exists, or if the text that a diff changes does
  ///   not exist exactly once. Also throws errors of the file system.
  func follow(in folder: URL) throws {
    for step in steps {
      switch step {
      case .write(let path, let text):
        let file = folder.appending(path: path)
        guard !FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
          throw GuideError("\(path) is there already")
        }
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      case .change(let path, let diff):
        let file = folder.appending(path: path)
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
          throw GuideError("there is no \(path)")
        }
        try Data(try Self.change(text, by: diff, in: path).utf8).write(to: file)
      case .run: break
      }
    }
  }

  private static func change(
    _ text: String, by diff: [String], in path: String
  ) throws(GuideError) -> String {
    func lines(_ marks: String) -> [Substring] {
      // Authors of documents leave no space at the end of a line.
      diff.filter { $0.isEmpty || $0.first.map(marks.contains) == true }.map { $0.dropFirst() }
    }
    guard diff.allSatisfy({ $0.isEmpty || " +-".contains($0.prefix(1)) }) else {
      throw GuideError("\(path): a line of a diff begins with a blank, + or -")
    }
    var present = text.split(separator: "\n", omittingEmptySubsequences: false)
    let old = lines(" -")
    let places = present.indices.filter { present[$0...].starts(with: old) }
    guard places.count == 1 else {
      throw GuideError(
        "\(path): this is not there exactly once:\n\(old.joined(separator: "\n"))")
    }
    present.replaceSubrange(places[0]..<places[0] + old.count, with: lines(" +"))
    return present.joined(separator: "\n")
  }
}

/// The reason why a guide cannot be followed.
struct GuideError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
