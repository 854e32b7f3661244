import Foundation
import Postgres
public import PrivateServer

/// The PostgreSQL that the tests start themselves, once a process; gone when the process ends.
///
/// Its time zone is not UTC, so that every test would notice a week or a day that depends on it.
public enum TestServer {
  /// Where it listens besides its socket, for tests of passwords.
  public static let loopbackPort = Int.random(in: 20_000..<32_000)

  private static let started: Result<(server: PrivateServer, address: String), any Error> =
    {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "baton-tests-\(ProcessInfo.processInfo.processIdentifier)").path()
      removeAbandoned()
      let server = PrivateServer(
        directory: folder,
        settings: [
          ("timezone", "America/New_York"), ("fsync", "off"), ("max_connections", "500"),
          ("deadlock_timeout", "200ms"), ("log_min_messages", "fatal"),
        ],
        loopbackPort: loopbackPort)
      do {
        let running = try server.up()
        atexit { TestServer.stop() }
        return .success((server, running.connectionString))
      } catch {
        return .failure(error)
      }
    }()

  /// The running server.
  public static var shared: PrivateServer {
    get throws { try started.get().server }
  }

  /// What `DATABASE_URL` would be.
  public static var address: String {
    get throws { try started.get().address }
  }

  /// Removes the servers of test processes that were killed before they could do it themselves.
  private static func removeAbandoned() {
    let parent = FileManager.default.temporaryDirectory.path()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix("baton-tests-") {
      guard let process = Int32(name.dropFirst("baton-tests-".count)), kill(process, 0) != 0 else {
        continue
      }
      try? PrivateServer(directory: parent + "/" + name).destroy()
    }
  }

  private static func stop() {
    try? started.get().server.destroy()
  }
}
