import BatonPostgres
import Foundation
package import PrivateServer

/// The PostgreSQL server of the tests.
///
/// Each test process starts one server, which stops when the process ends.
///
/// The time zone of the server is not UTC, so that tests detect weeks and days that depend on the
/// server's time zone.
package enum TestServer {
  /// The port on the loopback interface, for tests with passwords.
  package static var loopbackPort: Int {
    get throws { try chosenPort.get() }
  }

  private static let chosenPort = Result { try Listener.unusedPort() }

  private static let started: Result<(server: PrivateServer, address: String), any Error> =
    {
      removeAbandoned()
      do {
        let server = PrivateServer(
          directory: "\(TestPlaces.quick)/baton-tests-\(ProcessInfo.processInfo.processIdentifier)",
          settings: [
            ("timezone", "America/New_York"), ("fsync", "off"), ("max_connections", "500"),
            ("deadlock_timeout", "200ms"), ("log_min_messages", "log"), ("log_checkpoints", "off"),
            ("log_line_prefix", "%m [%p] %q%d %a: "),
            // These settings disable protection against a crash of the machine, because tests of
            // durability use their own servers.
            ("full_page_writes", "off"), ("wal_level", "minimal"), ("max_wal_senders", "0"),
            // Hundreds of databases are created and dropped, and each drop causes a checkpoint.
            ("max_wal_size", "512MB"),
          ],
          loopbackPort: try loopbackPort)
        let running = try server.up()
        atexit { TestServer.stop() }
        return .success((server, running.connectionString))
      } catch {
        return .failure(error)
      }
    }()

  /// The server, which is started when it is first used.
  package static var shared: PrivateServer {
    get throws { try started.get().server }
  }

  /// The address in the form of `DATABASE_URL`.
  package static var address: String {
    get throws { try started.get().address }
  }

  /// Removes the servers of test processes that were killed before they could remove their servers.
  private static func removeAbandoned() {
    for parent in Set([TestPlaces.quick, TestPlaces.disk]) {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
      for name in names where name.hasPrefix("baton-tests-") {
        let number = name.dropFirst("baton-tests-".count).prefix { $0 != "-" }
        guard let process = Int32(number), kill(process, 0) != 0
        else { continue }
        try? PrivateServer(directory: parent + "/" + name).destroy()
      }
    }
  }

  private static func stop() {
    if case .success(let started) = started {
      Canary.ofRun?.search(started.server.directory, file: "postgres.log")
      let log = started.server.directory + "/postgres.log"
      printFaults(in: log)
      if let copy = ProcessInfo.processInfo.environment["BATON_TEST_LOG"] {
        try? FileManager.default.copyItem(atPath: log, toPath: copy)
      }
    }
    try? started.get().server.destroy()
  }

  /// Prints lines of the server's log that explain lost connections, such as a crash of a session.
  ///
  /// The log is deleted with the server, and a client only sees that its connection was closed.
  private static func printFaults(in path: String) {
    let signs = [
      "terminated by signal", "PANIC", "could not fork", "out of memory", "invalid message",
      "invalid frontend message", "incomplete message", "lost synchronization",
    ]
    let log = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let faults = log.split(separator: "\n").filter { line in signs.contains { line.contains($0) } }
    for line in faults.prefix(20) { print("server log: \(line)") }
  }
}
