import Foundation

/// Inserts mutants into a text.
enum Weaving {
  /// A place in a text, and its contents.
  private struct Place {
    let range: Range<String.Index>
    let mutant: String
    let edit: Mutant.Edit
  }

  /// Returns the text of a SQL file with one mutant.
  ///
  /// - Throws: `MutantError` if an old text does not exist exactly once.
  static func replaced(_ text: String, in file: String, by mutant: Mutant) throws -> String {
    var result = text
    for place in try places(in: text, file, [mutant]).reversed() {
      result.replaceSubrange(place.range, with: place.edit.new)
    }
    return result
  }

  /// Returns the text of a Swift file in which each mutated place is a condition.
  ///
  /// - Throws: `MutantError` if an old text does not exist exactly once, or if two of them overlap.
  static func woven(_ text: String, in file: String, by mutants: [Mutant]) throws -> String {
    let places = try places(in: text, file, mutants)
    var result = ""
    var end = text.startIndex
    var index = 0
    while index < places.count {
      let first = places[index]
      // Several mutants may change the same text, but their texts must not overlap otherwise.
      let same = places[index...].prefix { $0.range == first.range }
      guard first.range.lowerBound >= end, Set(same.map(\.edit.kind)).count == 1 else {
        throw MutantError(
          "\(file): the old text of mutant '\(first.mutant)' overlaps with that of another, or is of "
            + "another kind; give both the same old text")
      }
      result += text[end..<first.range.lowerBound]
      result += choice(Array(same), old: String(text[first.range]))
      end = first.range.upperBound
      index += same.count
    }
    return result + text[end...]
  }

  /// Returns the texts of all Swift files with mutants, by path.
  ///
  /// - Throws: `MutantError` if a mutant does not match, or an error of the file system.
  static func wovenFiles(of mutants: [Mutant], in root: URL) throws -> [String: String] {
    var texts: [String: String] = [:]
    for path in Set(mutants.flatMap { $0.edits.filter { $0.kind != .sql }.map(\.file) }) {
      let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      let concerned = mutants.filter { $0.edits.contains { $0.file == path } }
      texts[path] = try woven(text, in: path, by: concerned)
    }
    return texts
  }

  private static func choice(_ places: [Place], old: String) -> String {
    switch places[0].edit.kind {
    case .statement:
      let branches = places.map { "if Mutant.isOn(\"\($0.mutant)\") {\n\($0.edit.new)\n} else " }
      return "\(branches.joined()){\n\(old)\n}"
    case .expression, .sql:
      let branches = places.map { "Mutant.isOn(\"\($0.mutant)\") ? (\($0.edit.new)) : " }
      return "(\(branches.joined())(\(old)))"
    }
  }

  /// Returns the places in a file that the mutants change, from its beginning to its end.
  private static func places(
    in text: String, _ file: String, _ mutants: [Mutant]
  ) throws -> [Place] {
    try mutants.flatMap { mutant in
      try mutant.edits.filter { $0.file == file }.map { edit in
        let found = text.ranges(of: edit.old)
        guard let range = found.first, found.count == 1 else {
          throw MutantError(
            "\(mutant.place): mutant '\(mutant.name)': its old text is \(found.count) times in \(file), "
              + "not once: \(edit.old)")
        }
        return Place(range: range, mutant: mutant.name, edit: edit)
      }
    }.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}
