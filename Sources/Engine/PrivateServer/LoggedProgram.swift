import Foundation

/// A PostgreSQL program whose output is appended to the server's log.
///
/// A program's errors quote the last lines of its output.
struct LoggedProgram {
  let folder: ServerFolder
  let account: ServerAccount

  /// Runs the program as the server's account.
  ///
  /// - Throws: `PrivateServerError` with the last lines of the output, if the exit status is not 0.
  func run(
    _ path: String, _ arguments: [String], lock: FileLock? = nil
  ) throws(PrivateServerError) {
    let log = try openFile(folder.log, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
    defer { close(log) }
    let start = lseek(log, 0, SEEK_END)
    let program = try account.program(path, arguments, in: folder)
    let status = try program.run(output: log, lock: lock)
    guard status != 0 else { return }
    let name = path.split(separator: "/").last ?? ""
    throw PrivateServerError(
      "\(name) \(arguments.first ?? "") ended with status \(status)\(quote(from: start))",
      where: "\(folder.path) (log: \(folder.log))",
      next: "Fix what the lines above report, then try again.")
  }

  /// Returns the last lines that were written to the log after the offset `start`.
  private func quote(from start: off_t) -> String {
    guard let file = FileHandle(forReadingAtPath: folder.log) else { return "" }
    defer { try? file.close() }
    try? file.seek(toOffset: UInt64(max(0, start)))
    guard let bytes = try? file.readToEnd() else { return "" }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").suffix(8)
    return lines.isEmpty ? "" : "; it wrote:\n" + lines.map { "  | \($0)" }.joined(separator: "\n")
  }
}
