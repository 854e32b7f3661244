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
    let files = try Weaving.wovenFiles(of: mutants, in: root).map { path, text in
      // Two folders can contain files with the same name.
      let file = folder.appending(path: path.replacing("/", with: "-"))
      try text.write(to: file, atomically: false, encoding: .utf8)
      return file.path()
    }
    let log = folder.appending(path: "errors.log")
    let status = try Program(
      arguments: ["swiftc", "-frontend", "-parse", "-enable-bare-slash-regex"]
        + files.sorted(),
      log: log
    ).run(seconds: 120)
    let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
    let errors = lines.filter { $0.contains(".swift:") && $0.contains(" error: ") }.map(String.init)
    return status == 0 || !errors.isEmpty ? errors : ["swiftc failed: \(lines.suffix(3))"]
  }
}
