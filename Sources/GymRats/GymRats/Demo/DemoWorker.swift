import Baton
import BatonPostgres
import Foundation

/// A `gymrats worker` process on the demo's database, which can serve the dashboard over HTTP.
///
/// If the demo ends without ``stop()``, for example after a signal, the worker also ends.
final class DemoWorker {
  /// A shell script that stops the worker at the end of the standard input.
  private static let script =
    #""$@" & worker=$!; read line; kill "$worker" 2>/dev/null; wait "$worker""#

  private let process = Process()
  /// The pipe whose only writer is the demo.
  private let input = Pipe()

  init(_ database: Database, http: String?) throws {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments =
      ["-c", Self.script, "sh", program, "worker"] + (http.map { ["--http", $0] } ?? [])
    process.standardInput = input
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
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
