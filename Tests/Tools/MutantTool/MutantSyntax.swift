import Foundation

/// Checks whether the files that contain mutants can be parsed.
///
/// Otherwise, one wrong mutant prevents the build of all mutants, which needs several minutes. The
/// check does not find wrong types.
enum MutantSyntax {
  /// Returns the compiler's syntax errors in the files with all mutants.
  ///
  /// - Throws: `MutantError` if a mutant does not match, or an error of the file system.
  static func errors(of mutants: [Mutant], in root: URL) throws -> [String] {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appending(path: "mutants-\(UUID().uuidString)")
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? manager.removeItem(at: folder) }
    let paths = Set(
      mutants.flatMap { $0.edits.filter { $0.kind != .sql }.map(\.file) })
    for path in paths {
      let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      let concerned = mutants.filter { $0.edits.contains { $0.file == path } }
      try Weaving.woven(text, in: path, by: concerned).write(
        to: folder.appending(path: name(of: path)), atomically: false, encoding: .utf8)
    }
    let log = folder.appending(path: "errors.log")
    let status = try Program(
      arguments: ["swiftc", "-frontend", "-parse", "-enable-bare-slash-regex"]
        + paths.sorted().map { folder.appending(path: name(of: $0)).path() },
      log: log
    ).run(seconds: 120)
    let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
    let errors = lines.filter { $0.contains(".swift:") && $0.contains(" error: ") }.map(String.init)
    return status == 0 || !errors.isEmpty ? errors : ["swiftc failed: \(lines.suffix(3))"]
  }

  /// Returns a file name for a path, because two folders can contain files with the same name.
  private static func name(of path: String) -> String {
    path.replacing("/", with: "-")
  }
}
