import Foundation
import PrivateServer

/// Programs of the PostgreSQL whose server the tests run.
package enum PostgresProgram {
  /// Runs one to its end, which must be a good one; returns what it printed.
  ///
  /// - Throws: ``TestFailure`` where it is not there or fails.
  @discardableResult
  package static func run(_ name: String, _ arguments: [String]) async throws -> String {
    guard let path = PrivateServer.program(named: name) else {
      throw TestFailure("\(name) is not installed")
    }
    let ended = try await TestProcess(
      path, arguments, environment: ["PATH": searchPath], directory: "/"
    ).wait()
    guard ended.status == 0 else { throw TestFailure("\(name): \(ended.errors)") }
    return ended.output
  }

  /// The number before the dot: `15`.
  package static var majorVersion: String {
    get async throws {
      let version = try await run("pg_dump", ["--version"])
      return String(version.drop { !$0.isNumber }.prefix { $0.isNumber })
    }
  }

  /// What a shell needs as PATH to find them before others of their name.
  package static let searchPath: String = {
    let own = PrivateServer.program(named: "pg_dump").map {
      URL(filePath: $0).deletingLastPathComponent().path() + ":"
    }
    return (own ?? "") + "/usr/local/bin:/usr/bin:/bin"
  }()
}
