import Foundation
import TestSupport

/// Programs of the PostgreSQL whose server the tests run.
enum PostgresProgram {
  /// Runs one to its end, which must be a good one; returns what it printed.
  @discardableResult
  static func run(_ name: String, _ arguments: [String]) async throws -> String {
    let ended = try await TestProcess(
      "\(try await bin)/\(name)", arguments, environment: path, directory: "/"
    ).wait()
    guard ended.status == 0 else { throw TestFailure("\(name): \(ended.errors)") }
    return ended.output
  }

  /// The number before the dot: `15`.
  static var majorVersion: String {
    get async throws {
      let version = try await run("pg_config", ["--version"])
      return String(version.drop { !$0.isNumber }.prefix { $0.isNumber })
    }
  }

  private static var bin: String {
    get async throws {
      try await TestProcess(
        "/usr/bin/env", ["pg_config", "--bindir"], environment: path, directory: "/"
      ).wait().output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  private static var path: [String: String] { ["PATH": "/usr/local/bin:/usr/bin:/bin"] }
}
