import Foundation

/// The SQL fragments in the `fragments` folder.
///
/// Several statements of a target can share a fragment.
///
/// An `-- include: NAME` line in a statement is replaced by the fragment's text, without the
/// fragment's leading comment. A fragment may include another fragment.
struct SQLFragments {
  private var texts: [String: String] = [:]

  init(_ root: String, files: [String]) throws {
    for path in files
    where path.dropFirst(root.count).split(separator: "/").first == "fragments" {
      add(try String(contentsOfFile: path, encoding: .utf8), of: path)
    }
  }

  /// Adds the fragment of a file, or replaces its text.
  mutating func add(_ text: String, of path: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { $0.hasPrefix("-- ") && !$0.hasPrefix("-- include: ") }
    texts[URL(filePath: path).deletingPathExtension().lastPathComponent] =
      lines.joined(separator: "\n").trimmingCharacters(in: .newlines)
  }

  /// Returns the text with each `-- include:` line replaced by the named fragment.
  ///
  /// - Throws: ``Failure`` if a fragment does not exist.
  func included(in text: String, _ path: String) throws -> String {
    guard text.contains("-- include: ") else { return text }
    return try text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard let match = line.wholeMatch(of: /\s*-- include: (\w+)/) else { return String(line) }
      guard let fragment = texts[String(match.1)] else {
        throw Failure("\(path): fragments/\(match.1).sql does not exist.")
      }
      return try included(in: fragment, path)
    }.joined(separator: "\n")
  }
}
