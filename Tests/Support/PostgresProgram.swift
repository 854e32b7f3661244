import Foundation
import PrivateServer

/// The programs of the PostgreSQL installation whose server the tests start.
package enum PostgresProgram {
  /// Runs a program until its end, and returns the program's output.
  ///
  /// The exit code must be 0.
  ///
  /// - Throws: ``TestFailure`` if the program is missing or fails.
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

  /// The major version, such as `15`.
  package static var majorVersion: String {
    get async throws {
      let version = try await run("pg_dump", ["--version"])
      return String(version.drop { !$0.isNumber }.prefix { $0.isNumber })
    }
  }

  /// The value of PATH that makes a shell find these programs before other programs with the same
  /// name.
  package static let searchPath: String = {
    let own = PrivateServer.program(named: "pg_dump").map {
      URL(filePath: $0).deletingLastPathComponent().path() + ":"
    }
    return (own ?? "") + "/usr/local/bin:/usr/bin:/bin"
  }()
}
