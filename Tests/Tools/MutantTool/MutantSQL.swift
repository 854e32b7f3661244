import Foundation

/// The error that the shared file `SQLFragments.swift` throws.
typealias Failure = MutantError

/// The statements that mutants change.
///
/// A mutant of a fragment changes all statements that include the fragment. The file
/// `SQLFragments.swift` is a link to the file that the build uses.
struct MutantSQL {
  /// The texts of all SQL files by path.
  private var texts: [String: String] = [:]
  /// The fragments of each folder in `sql`.
  private var fragments: [String: SQLFragments] = [:]
  /// The statements with fragments, by folder in `sql`.
  private var including: [String: [String]] = [:]

  init(root: URL) throws {
    let folder = root.appending(path: "sql").path()
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder)
    where path.hasSuffix(".sql") {
      texts["sql/\(path)"] = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
    }
    for part in Set(texts.keys.map(Self.part)) {
      let files = texts.keys.filter { $0.hasPrefix("\(part)/") }
      let path = root.appending(path: part).path()
      fragments[part] = try SQLFragments(
        path, files: files.map { root.appending(path: $0).path() })
      including[part] = files.filter { file in
        !Self.isFragment(file) && texts[file]?.contains("-- include: ") == true
      }
    }
  }

  /// Returns the changed statements with all their fragments, by the statement's name.
  ///
  /// - Throws: `MutantError` if an old text does not exist exactly once.
  func statements(of mutant: Mutant) throws -> [String: String] {
    var changed: [String: String] = [:]
    for file in Set(mutant.edits.filter { $0.kind == .sql }.map(\.file)) {
      changed[file] = try Weaving.replaced(texts[file, default: ""], in: file, by: mutant)
    }
    var statements: [String: String] = [:]
    for part in Set(changed.keys.map(Self.part)) {
      guard let old = fragments[part] else { continue }
      let ofPart = changed.keys.filter { Self.part(of: $0) == part }
      var new = old
      for file in ofPart where Self.isFragment(file) {
        new.add(changed[file, default: ""], of: file)
      }
      let files = ofPart.contains(where: Self.isFragment) ? including[part, default: []] : []
      for file in Set(files + ofPart) where !Self.isFragment(file) {
        let text = texts[file, default: ""]
        let whole = try new.included(in: changed[file] ?? text, file)
        guard try whole != old.included(in: text, file) else { continue }
        statements[MutantCheck.statement(of: file)] = whole
      }
    }
    return statements
  }

  private static func part(of file: String) -> String {
    file.split(separator: "/").prefix(2).joined(separator: "/")
  }

  private static func isFragment(_ file: String) -> Bool { file.contains("/fragments/") }
}
