import Baton
import BatonPostgres
import Foundation

/// A `gymrats worker` process on the demo's database, which can serve the dashboard over HTTP.
final class DemoWorker {
  private let process = Process()

  init(_ database: Database, http: String?) throws {
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["worker"] + (http.map { ["--http", $0] } ?? [])
    var environment = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("PG") && $0.key != "BATON_CONFIG"
    }
    environment["DATABASE_URL"] = database.address
    environment["BATON_SCHEMA"] = database.schema.name
    process.environment = environment
    try process.run()
  }

  /// Sends SIGTERM to the process and waits until it has stopped.
  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}
