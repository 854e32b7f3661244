import BatonPostgres
import Foundation

/// An executable of this package, with the environment and the folder in which a test runs the
/// executable.
package struct BatonProgram: Sendable {
  private let executable: String?
  /// The environment variables that are added to ``inherited`` for the program.
  package var environment: [String: String]
  /// The working folder of the process, in which `db` creates its private server.
  package var folder: String

  /// Creates a program with an environment.
  ///
  /// If `executable` is nil, the program is `gymrats`.
  package init(
    executable: String? = nil, environment: [String: String] = [:], folder: String = "/"
  ) {
    self.executable = executable
    self.environment = environment
    self.folder = folder
  }

  /// Starts the program.
  ///
  /// - Throws: `TestFailure` if the program was not built or cannot be started.
  package func start(_ arguments: [String]) throws -> TestProcess {
    try TestProcess(
      try executable ?? Self.path, arguments,
      environment: Self.inherited.merging(environment) { $1 },
      directory: folder)
  }

  /// Starts the program.
  ///
  /// - Throws: `TestFailure` if the program was not built or cannot be started.
  package func start(_ arguments: String...) throws -> TestProcess { try start(arguments) }

  /// Runs the program until its end, with arguments and variables that may be arbitrary bytes.
  ///
  /// - Throws: `TestFailure` if the program does not end in time.
  package func run(
    raw arguments: [[UInt8]], environment raw: [String: [UInt8]] = [:]
  ) async throws -> TestProcess.Ended {
    let inherited = Self.inherited.merging(environment) { $1 }.mapValues { Array($0.utf8) }
    return try await TestProcess(
      try executable ?? Self.path, raw: arguments, environment: inherited.merging(raw) { $1 },
      directory: folder
    ).wait()
  }

  /// Starts a line of bash, in which `"$0" "$@"` is the program with the given arguments.
  ///
  /// - Throws: `TestFailure` if the program cannot be started.
  package func start(bash line: String, _ arguments: [String]) throws -> TestProcess {
    try TestProcess(
      "/bin/bash", ["-c", line, try executable ?? Self.path] + arguments,
      environment: Self.inherited.merging(environment) { $1 }, directory: folder)
  }

  /// Runs a line of bash until its end, in which `"$0" "$@"` is the program with the given
  /// arguments.
  ///
  /// - Throws: `TestFailure` if the program does not end in time.
  package func run(
    bash line: String, _ arguments: [String], within limit: Duration = .seconds(120)
  ) async throws -> TestProcess.Ended {
    try await start(bash: line, arguments).wait(within: limit)
  }

  /// Runs the program until its end.
  ///
  /// - Throws: `TestFailure` if the program does not end in time.
  package func run(
    _ arguments: String..., within limit: Duration = .seconds(120)
  ) async throws -> TestProcess.Ended {
    try await start(arguments).wait(within: limit)
  }

  /// Runs the program until its end, and returns the program's output.
  ///
  /// The exit code must be 0.
  ///
  /// - Throws: `TestFailure` if the exit code is not 0 or if the program does not end in time.
  @discardableResult
  package func succeed(
    _ arguments: String..., within limit: Duration = .seconds(120)
  ) async throws -> String {
    try await succeed(arguments, within: limit)
  }

  /// Runs the program until its end, and returns the program's output.
  ///
  /// The exit code must be 0.
  ///
  /// - Throws: `TestFailure` if the exit code is not 0 or if the program does not end in time.
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

  /// Returns the rows that `board --all --json` prints.
  ///
  /// - Throws: `TestFailure` if the command fails, or `BoardRow.JSONFailure` if a line is not a
  ///   row.
  package func boards() async throws -> [BoardRow] {
    try await succeed("board", "--all", "--json", within: .seconds(300))
      .split(separator: "\n").map { try BoardRow(jsonLine: String($0)) }
  }

  /// The path of `gymrats`.
  package static var path: String { get throws { try path(of: "gymrats") } }

  /// Returns the path of an executable.
  ///
  /// `swift test` builds executables into the folder of the test bundle.
  package static func path(of name: String) throws -> String {
    let folder = Bundle.main.executableURL?.deletingLastPathComponent()
    guard let path = folder?.appending(path: name).path(percentEncoded: false),
      FileManager.default.isExecutableFile(atPath: path)
    else { throw TestFailure("there is no \(name) in \(folder?.path() ?? "?"); run `swift build`") }
    return path
  }

  /// The environment of the tests, with the ``Canary``, but without variables that refer to other
  /// databases.
  package static var inherited: [String: String] {
    ProcessInfo.processInfo.environment.filter { name, _ in
      name == Canary.variable
        || name != "DATABASE_URL" && !name.hasPrefix("PG") && !name.hasPrefix("BATON_")
    }
  }
}

extension TestSchema {
  /// The program `gymrats`, which uses this schema.
  package var gymrats: BatonProgram {
    BatonProgram(environment: [
      "DATABASE_URL": configuration.address, "BATON_SCHEMA": schema.name,
    ])
  }
}
