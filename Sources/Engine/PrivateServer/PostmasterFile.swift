import Foundation

/// The contents of `postmaster.pid`.
struct PostmasterFile {
  let processID: Int32
  let port: Int
  /// Whether the server has reported that it accepts connections.
  let isReady: Bool

  /// Reads the file, or returns nil if the file is missing or incomplete.
  init?(data: String) throws(PrivateServerError) {
    let path = Self.path(data: data)
    guard access(path, R_OK) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else {
        throw .system("Cannot ask the server's data folder", data)
      }
      return nil
    }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.first, let processID = Int32(first) else { return nil }
    self.processID = processID
    port = lines.count > 3 ? Int(lines[3]) ?? 0 : 0
    isReady = lines.count > 7 && lines[7].hasPrefix("ready")
  }

  static func path(data: String) -> String { data + "/postmaster.pid" }

  /// Whether the process exists and is a PostgreSQL server.
  ///
  /// A successful `kill(pid, 0)` does not prove that the process is a PostgreSQL server. After a
  /// reboot, the process id can belong to any process. In many containers, process 1 does not reap
  /// its child processes, so a killed postmaster remains as a zombie.
  var isAlive: Bool {
    guard
      let line = try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8),
      let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")")
    else { return false }
    let name = line[line.index(after: open)..<close]
    let state = line[line.index(after: close)...].first { $0 != " " }
    return name == "postgres" && state != "Z" && state != "X"
  }
}
