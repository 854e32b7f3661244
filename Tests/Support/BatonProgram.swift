import BatonPostgres
import Foundation

/// The executable that was built beside the tests, or another one on the runner, with where it runs.
package struct BatonProgram: Sendable {
  private let executable: String?
  /// What is set for it, over the tests' own environment without anything about databases.
  package var environment: [String: String]
  /// The current folder of the process; where `db` has its private server.
  package var folder: String

  /// The program in an environment; `executable` is its path where it is not `gymrats`.
  package init(
    executable: String? = nil, environment: [String: String] = [:], folder: String = "/"
  ) {
    self.executable = executable
    self.environment = environment
    self.folder = folder
  }

  /// Starts it.
  ///
  /// - Throws: `TestFailure` where it was not built or cannot be started.
  package func start(_ arguments: [String]) throws -> TestProcess {
    try TestProcess(
      try executable ?? Self.path, arguments,
      environment: Self.inherited.merging(environment) { $1 },
      directory: folder)
  }

  /// Starts it.
  ///
  /// - Throws: `TestFailure` where it was not built or cannot be started.
  package func start(_ arguments: String...) throws -> TestProcess { try start(arguments) }

  /// Runs it to its end with arguments and variables that need not be text.
  ///
  /// - Throws: `TestFailure` where it does not end in time.
  package func run(
    raw arguments: [[UInt8]], environment raw: [String: [UInt8]] = [:]
  ) async throws -> TestProcess.Ended {
    let inherited = Self.inherited.merging(environment) { $1 }.mapValues { Array($0.utf8) }
    return try await TestProcess(
      try executable ?? Self.path, raw: arguments, environment: inherited.merging(raw) { $1 },
      directory: folder
    ).wait()
  }

  /// Starts a line of bash, in which `"$0" "$@"` is the program with these arguments.
  ///
  /// - Throws: `TestFailure` where it cannot be started.
  package func start(bash line: String, _ arguments: [String]) throws -> TestProcess {
    try TestProcess(
      "/bin/bash", ["-c", line, try executable ?? Self.path] + arguments,
      environment: Self.inherited.merging(environment) { $1 }, directory: folder)
  }

  /// Runs a line of bash to its end, in which `"$0" "$@"` is the program with these arguments.
  ///
  /// - Throws: `TestFailure` where it does not end in time.
  package func run(
    bash line: String, _ arguments: [String], within limit: Duration = .seconds(120)
  ) async throws -> TestProcess.Ended {
    try await start(bash: line, arguments).wait(within: limit)
  }

  /// Runs it to its end.
  ///
  /// - Throws: `TestFailure` where it does not end in time.
  package func run(
    _ arguments: String..., within limit: Duration = .seconds(120)
  ) async throws -> TestProcess.Ended {
    try await start(arguments).wait(within: limit)
  }

  /// Runs it to its end, which must be a good one; returns what it printed.
  ///
  /// - Throws: `TestFailure` for an exit code other than 0 and where it does not end in time.
  @discardableResult
  package func succeed(
    _ arguments: String..., within limit: Duration = .seconds(120)
  ) async throws -> String {
    try await succeed(arguments, within: limit)
  }

  /// Runs it to its end, which must be a good one; returns what it printed.
  ///
  /// - Throws: `TestFailure` for an exit code other than 0 and where it does not end in time.
  @discardableResult
  package func succeed(
    _ arguments: [String], within limit: Duration = .seconds(120)
  ) async throws -> String {
    let ended = try await start(arguments).wait(within: limit)
    guard ended.status == 0 else {
      let command = arguments.joined(separator: " ")
      let name = URL(filePath: executable ?? "gymrats").lastPathComponent
      throw TestFailure("`\(name) \(command)`: \(ended.status), \(ended.errors)")
    }
    return ended.output
  }

  /// What `board --all --json` prints, row for row.
  ///
  /// - Throws: `TestFailure` where it fails; `BoardRow.JSONFailure` for a line that is not a row.
  package func boards() async throws -> [BoardRow] {
    try await succeed("board", "--all", "--json", within: .seconds(300))
      .split(separator: "\n").map { try BoardRow(jsonLine: String($0)) }
  }

  /// The path of `gymrats`.
  package static var path: String { get throws { try path(of: "gymrats") } }

  /// The path of an executable beside the test bundle: `swift test` builds both into one folder.
  package static func path(of name: String) throws -> String {
    let folder = Bundle.main.executableURL?.deletingLastPathComponent()
    guard let path = folder?.appending(path: name).path(percentEncoded: false),
      FileManager.default.isExecutableFile(atPath: path)
    else { throw TestFailure("there is no \(name) in \(folder?.path() ?? "?"); run `swift build`") }
    return path
  }

  /// The tests' own environment without what would lead to a database that is not the test's, and with the
  /// ``Canary``.
  package static var inherited: [String: String] {
    ProcessInfo.processInfo.environment.filter { name, _ in
      name == Canary.variable
        || name != "DATABASE_URL" && !name.hasPrefix("PG") && !name.hasPrefix("BATON_")
    }
  }
}

extension TestSchema {
  /// The executable, working on this schema.
  package var gymrats: BatonProgram {
    BatonProgram(environment: [
      "DATABASE_URL": configuration.address, "BATON_SCHEMA": schema.name,
    ])
  }
}
