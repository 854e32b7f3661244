import Foundation

/// The copy of the source tree in which mutants are built.
struct SourceCopy {
  /// The folders that are built and tested.
  static let parts = [
    "Package.swift", "Package.resolved", "Sources", "Tests", "Examples", "jobs", "sql",
  ]
  /// A statement's text is the text in the mutant's folder with the same name, if it exists.
  private static let statementFile = "Sources/Engine/BatonPostgres/Statement.swift"
  /// Additional changes in the copy.
  private static let changes = [
    (file: statementFile, old: "self.text = text", new: "self.text = Mutant.sql(name) ?? text"),
    // A single statement of a script must not be replaced by the whole script of a mutant.
    (
      file: "Sources/Engine/BatonPostgres/SQLScript.swift", old: "Statement(statement.name, text)",
      new: "Statement(\"a statement of \" + statement.name, text)"
    ),
    // A statement that was made from a template must not be replaced by the template of a mutant.
    (
      file: "Sources/Engine/JobRunner/Tables/TableTriggerText.swift",
      old: "Statement(template.name, text + rest)",
      new: "Statement(\"made of \" + template.name, text + rest)"
    ),
    // A condition that is always true or false causes a warning.
    (file: "Package.swift", old: "  .treatAllWarnings(as: .error),\n", new: ""),
  ]

  let root: URL
  let copy: URL

  /// Updates the copy.
  ///
  /// Unchanged files are not written, so that only a little is built again.
  ///
  /// - Throws: `MutantError` if a mutant does not match, or an error of the file system.
  func write(_ mutants: [Mutant]) throws {
    var files = try originals()
    for (path, text) in try Weaving.wovenFiles(of: mutants, in: root) {
      files[path] = Data(text.utf8)
      files[Self.switchFile(beside: path)] = Data(Self.switchText.utf8)
    }
    files[Self.switchFile(beside: Self.statementFile)] = Data(Self.switchText.utf8)
    for (path, old, new) in Self.changes {
      let text = String(decoding: files[path] ?? Data(), as: UTF8.self)
      guard text.ranges(of: old).count == 1 else {
        throw MutantError("\(path): '\(old)' is not there exactly once; see SourceCopy.swift")
      }
      files[path] = Data(text.replacing(old, with: new).utf8)
    }
    try bring(files)
  }

  private func originals() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for path in Self.files(below: root) {
      files[path] = try Data(contentsOf: root.appending(path: path))
    }
    return files
  }

  private func bring(_ files: [String: Data]) throws {
    let manager = FileManager.default
    for (path, data) in files {
      let target = copy.appending(path: path)
      if (try? Data(contentsOf: target)) == data { continue }
      try manager.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: target)
    }
    for path in Self.files(below: copy) where files[path] == nil {
      try manager.removeItem(at: copy.appending(path: path))
    }
  }

  /// Returns the files of ``parts`` by their path.
  static func files(below root: URL) -> [String] {
    let manager = FileManager.default
    return parts.flatMap { part -> [String] in
      let below = manager.enumerator(atPath: root.appending(path: part).path())
      let paths = (below?.compactMap { $0 as? String } ?? []).map { "\(part)/\($0)" } + [part]
      return paths.filter { path in
        var isFolder: ObjCBool = false
        // Build products of the example are not sources.
        return !path.contains("/.build/") && !path.contains("/.baton/")
          && manager.fileExists(atPath: root.appending(path: path).path(), isDirectory: &isFolder)
          && !isFolder.boolValue
      }
    }
  }

  /// Returns the file for a target's switch.
  ///
  /// Each target has its own file, in its folder below `Sources`, so it needs no other target.
  static func switchFile(beside path: String) -> String {
    path.split(separator: "/").prefix(path.hasPrefix("Sources/") ? 3 : 2)
      .joined(separator: "/") + "/Mutant.swift"
  }

  private static let switchText = """
    import Foundation

    /// Which mutant the tests ask for.
    enum Mutant {
      private static let name = ProcessInfo.processInfo.environment["MUTANT"]
      private static let folder = ProcessInfo.processInfo.environment["MUTANT_SQL"]

      static func isOn(_ mutant: String) -> Bool { name == mutant }

      /// The mutant's text of a statement; nil where it has none.
      static func sql(_ statement: String) -> String? {
        folder.flatMap { try? String(contentsOfFile: "\\($0)/\\(statement).sql", encoding: .utf8) }
      }
    }

    """
}
