import Foundation

/// Reads a file of `Tests/Tools/Mutants`, whose README describes the format.
struct MutantFile {
  private let path: String
  private let lines: [String]
  private var number = 0

  /// Returns the mutants of a text.
  ///
  /// - Throws: `MutantError` with the line that cannot be parsed.
  static func parse(_ text: String, path: String) throws -> [Mutant] {
    var file = MutantFile(path: path, text: text)
    var mutants: [Mutant] = []
    while let first = file.skipToBlock() { mutants.append(try file.block(from: first)) }
    return mutants
  }

  /// Returns all mutants of a source tree, by file and line.
  ///
  /// - Throws: `MutantError`, or an error of the file system.
  static func all(in root: URL) throws -> [Mutant] {
    let folder = root.appending(path: "Tests/Tools/Mutants")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    let mutants = try names.filter { $0.hasSuffix(".txt") }.sorted().flatMap { name in
      try parse(
        try String(contentsOf: folder.appending(path: name), encoding: .utf8),
        path: "Tests/Tools/Mutants/\(name)")
    }
    let doubles = Dictionary(grouping: mutants, by: \.name).values.first { $0.count > 1 }
    if let doubles {
      throw MutantError("\(doubles[1].place): there is a mutant '\(doubles[1].name)' already")
    }
    return mutants
  }

  private init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Skips empty lines and comments, and returns the index of the block's first line.
  private mutating func skipToBlock() -> Int? {
    while number < lines.count, lines[number].isEmpty || lines[number].hasPrefix("#") {
      number += 1
    }
    return number < lines.count ? number : nil
  }

  private mutating func block(from first: Int) throws -> Mutant {
    var keys: [String: String] = [:]
    var tests: [TestName] = []
    var edits: [Mutant.Edit] = []
    var target: (kind: Mutant.Edit.Kind, file: String)?
    while number < lines.count, !lines[number].isEmpty {
      if lines[number] == "<<<" {
        guard let (kind, file) = target else { throw failure("a text before its file") }
        let (old, new) = try texts()
        edits.append(Mutant.Edit(file: file, kind: kind, old: old, new: new))
        continue
      }
      let (key, value) = try pair()
      if let kind = Mutant.Edit.Kind(rawValue: key) {
        target = (kind, value)
      } else if key == "fails" {
        tests.append(TestName(value))
      } else {
        keys[key] = value
      }
      number += 1
    }
    guard let name = keys["mutant"], let defence = keys["defence"], let change = keys["change"],
      !tests.isEmpty, !edits.isEmpty
    else {
      number = first
      throw failure("a mutant has 'mutant', 'defence', 'change', 'fails' and a text")
    }
    return Mutant(
      name: name, defence: defence, change: change, tests: tests,
      hangs: keys["hangs"].flatMap { Int($0) }, survives: keys["survives"], edits: edits,
      place: "\(path):\(first + 1)", text: lines[first..<number].joined(separator: "\n"))
  }

  private func pair() throws -> (String, String) {
    let parts = lines[number].split(separator: ":", maxSplits: 1).map { String($0).trimmed }
    let known = [
      "mutant", "defence", "change", "fails", "hangs", "survives", "file", "expression",
      "statement",
    ]
    guard parts.count == 2, known.contains(parts[0]), !parts[1].isEmpty else {
      throw failure("this line is none of \(known.joined(separator: ", ")), each with a value")
    }
    return (parts[0], parts[1])
  }

  private mutating func texts() throws -> (old: String, new: String) {
    guard let middle = lines[number...].firstIndex(of: "==="),
      let end = lines[middle...].firstIndex(of: ">>>")
    else { throw failure("a text has three marks: <<<, === and >>>") }
    let old = lines[number + 1..<middle].joined(separator: "\n")
    let new = lines[middle + 1..<end].joined(separator: "\n")
    guard !old.isEmpty else { throw failure("the old text is empty") }
    guard !lines[number + 1..<end].contains(where: { $0.hasPrefix("mutant: ") }) else {
      throw failure("another mutant begins in this text: it has no end, which is >>>")
    }
    number = end + 1
    return (old, new)
  }

  private func failure(_ what: String) -> MutantError {
    MutantError("\(path):\(number + 1): \(what)")
  }
}
