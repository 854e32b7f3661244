package import BatonPostgres
import BenchSQL
import Foundation
package import JobRunner
import Logging

/// The environment of a case: the database, the bench's own Baton schema, and PostgreSQL's client
/// programs.
package struct BenchStage: Sendable {
  /// The connection configuration for the database.
  package let configuration: ConnectionConfiguration
  /// The schema in which the bench runs Baton.
  package let schema: Schema
  /// The bench's options.
  package let options: BenchOptions
  /// The number of connections for each side of the comparison.
  package let connections: Int
  /// The executable's jobs.
  package let jobs: [RegisteredJob]
  /// A connection for setting up the cases.
  ///
  /// Only one task at a time may use the connection.
  package let connection: Connection
  let scripts: URL

  /// The name of the schema in which the bench runs Baton.
  static let schemaName = "baton_bench"

  /// Runs one of the scripts in `sql/bench/raw` with `psql`.
  ///
  /// - Returns: the output of `psql`.
  /// - Throws: ``BenchRefusal``.
  @discardableResult
  package func psql(
    _ script: String, _ variables: KeyValuePairs<String, Int> = [:]
  ) async throws -> String {
    let arguments =
      ["-X", "-q", "-v", "ON_ERROR_STOP=1"]
      + variables.flatMap { ["-v", "\($0.key)=\($0.value)"] }
      + ["-f", try file(script)]
    return try await ClientProgram("psql", configuration: configuration).run(arguments)
  }

  /// Runs a script with `pgbench`.
  ///
  /// - Parameter text: the text of the script if `sql/bench/raw` does not contain it.
  /// - Returns: the transactions per second, excluding the time to connect.
  /// - Throws: ``BenchRefusal``.
  package func pgbench(
    _ script: String, text: String? = nil, _ arguments: [String]
  ) async throws -> Double {
    let output = try await ClientProgram("pgbench", configuration: configuration)
      .run(["-n", "-f", try file(script, text: text)] + arguments)
    guard let line = output.split(separator: "\n").last(where: { $0.hasPrefix("tps = ") }),
      let tps = Double(line.dropFirst(6).prefix { $0 != " " }), !output.contains("aborted")
    else { throw BenchRefusal.programFailed("pgbench", output: output) }
    return tps
  }

  /// Runs a call in one transaction, in the schema in which the bench runs Baton.
  ///
  /// If the task is cancelled, the statement is also cancelled.
  package func run<Output>(_ call: Call<Output>) async throws -> Output {
    try Task.checkCancellation()
    return try await withTaskCancellationHandler {
      try await connection.atomically(in: schema, call)
    } onCancel: {
      connection.cancel()
    }
  }

  /// Runs a setup script.
  ///
  /// If the task is cancelled, the statement is also cancelled.
  package func script(_ statement: Statement) async throws {
    try Task.checkCancellation()
    try await withTaskCancellationHandler {
      try await connection.script(statement)
    } onCancel: {
      connection.cancel()
    }
  }

  /// Runs VACUUM, ANALYZE and CHECKPOINT, like the setup scripts for plain SQL in `sql/bench/raw`.
  package func settle() async throws {
    try await vacuum()
    try await connection.script(SQL.Stage.checkpoint)
  }

  /// Runs VACUUM and ANALYZE without a checkpoint.
  ///
  /// A checkpoint would slow down the next writes: the first write to a page after a checkpoint
  /// logs the full page.
  package func vacuum() async throws {
    try Task.checkCancellation()
    try await connection.script(SQL.Stage.settle)
  }

  /// Returns the numbers of waiting and dead runs that remain in the bench's schema.
  func runsLeft() async throws -> (waiting: Int64, dead: Int64) {
    let count = Call.row(SQL.Drain.countRuns) { (row) throws(PostgresError) in
      try row.decode(Int64.self, Int64.self)
    }
    let (waiting, dead): (Int64, Int64) = try await run(count)
    return (waiting, dead)
  }

  private func file(_ name: String, text: String? = nil) throws -> String {
    guard let text = text ?? SQL.benchScripts[name] else {
      preconditionFailure("\(name) is no script of the bench or of its case")
    }
    let file = scripts.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path(percentEncoded: false)
  }
}
