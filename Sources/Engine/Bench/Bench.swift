package import BatonPostgres
import BenchSQL
import Foundation
package import JobRunner

/// Compares the speed of Baton with plain SQL on the same server, in separate schemas.
///
/// The benchmark measures Baton and plain SQL alternately. Every second round reverses the order,
/// so that neither side always runs first.
package struct Bench: Sendable {
  private let configuration: ConnectionConfiguration
  private let schema: Schema
  private let parts: [SchemaPart]
  private let jobs: [RegisteredJob]
  private let dataCheck: Statement?
  private let options: BenchOptions

  /// Creates a bench for a database.
  ///
  /// - Parameters:
  ///   - schema: the database's Baton schema, which must not be in use.
  ///   - parts: the schema modules that the jobs need in addition to the runner's module.
  ///   - jobs: the executable's jobs, for cases that run these jobs.
  ///   - dataCheck: a statement that returns whether the product's tables in the schema contain
  ///     data.
  package init(
    _ configuration: ConnectionConfiguration, beside schema: Schema, parts: [SchemaPart],
    jobs: [RegisteredJob], dataCheck: Statement?, options: BenchOptions
  ) {
    self.configuration = configuration
    self.schema = schema
    self.parts = parts
    self.jobs = jobs
    self.dataCheck = dataCheck
    self.options = options
  }

  /// The benchmark cases that the engine defines.
  package static let cases: [any BenchCase] = [
    DrainCase(), DrainLongTransactionCase(), DrainLongTransactionCase(isSameDue: true),
    EffectsCase(), TenantsCase(), BacklogCase(), PickUpCase(),
  ]

  /// Returns the cases with the given names, or all cases if the list of names is empty.
  ///
  /// - Throws: ``BenchRefusal/unknownCase(_:known:)`` if no case has one of the names.
  package static func cases(
    named names: [String], of all: [any BenchCase]
  ) throws -> [any BenchCase] {
    guard !names.isEmpty else { return all }
    return try names.map { name in
      guard let found = all.first(where: { $0.name == name }) else {
        throw BenchRefusal.unknownCase(name, known: all.map(\.name))
      }
      return found
    }
  }

  /// Returns the server settings that influence the figures.
  ///
  /// - Throws: `PostgresError`.
  package func settings() async throws -> [(name: String, value: String)] {
    let connection = try await Connection.open(configuration)
    let read = Call.rows(SQL.Stage.readSettings) { (row) throws(PostgresError) in
      try row.decode(String.self, String.self)
    }
    let rows: [(String, String)] = try await connection.run(read)
    await connection.close()
    return rows.map { (name: $0.0, value: $0.1) }
  }

  /// Measures the cases one after another, and drops the bench's schemas after each case.
  ///
  /// The schemas are also dropped if the task is cancelled.
  ///
  /// - Parameter report: called with each case's result.
  /// - Throws: ``BenchRefusal``, `PostgresError`, `SchemaProblem`, `CancellationError`.
  package func run(
    _ cases: [any BenchCase], trace: Bool = false, report: (BenchResult) -> Void
  ) async throws {
    for bench in cases {
      let result = try await withStage(for: bench) { stage in
        try await measure(bench, on: stage)
      }
      report(result)
    }
  }

  /// Returns the statements that claim and process one batch of runs, for `--trace`.
  ///
  /// - Throws: the same errors as ``run(_:trace:report:)``.
  package func trace() async throws -> [TracedCall] {
    let drain = DrainCase()
    return try await withStage(for: drain) { try await drain.trace(on: $0) }
  }

  private func measure(_ bench: any BenchCase, on stage: BenchStage) async throws -> BenchResult {
    try await bench.prepare(stage)
    var ours: [Double] = []
    var raw: [Double] = []
    for round in 0..<bench.pairs(options) {
      let order: [BenchSide] = round % 2 == 0 ? [.raw, .ours] : [.ours, .raw]
      for side in order where side == .ours || bench.hasRawSide {
        try Task.checkCancellation()
        let value = try await bench.measure(side, on: stage)
        if side == .ours { ours.append(value) } else { raw.append(value) }
      }
    }
    return BenchResult(
      name: bench.name, unit: bench.unit, connections: stage.connections, ours: ours, raw: raw,
      notes: try await bench.notes(stage))
  }
}

// MARK: - Schemas

extension Bench {
  private func withStage<R>(
    for bench: any BenchCase, _ body: (BenchStage) async throws -> R
  ) async throws -> R {
    let connection = try await Connection.open(configuration)
    try await refuseWhereInUse(connection)
    try await connection.script(SQL.Stage.makeSchemas)
    let result: Result<R, any Error>
    do {
      result = .success(try await body(try await stage(for: bench, connection)))
    } catch {
      result = .failure(error)
    }
    // The case may have broken this connection, so the cleanup opens a new connection.
    await connection.close()
    try? FileManager.default.removeItem(at: Self.scripts)
    let cleaning = try await Connection.open(configuration)
    try await cleaning.script(SQL.Stage.dropSchemas)
    await cleaning.close()
    return try result.get()
  }

  private func stage(
    for bench: any BenchCase, _ connection: Connection
  ) async throws -> BenchStage {
    guard let own = Schema(BenchStage.schemaName) else {
      preconditionFailure("\(BenchStage.schemaName) is a schema's name")
    }
    _ = try await Migrator(own, parts: parts).migrate(connection)
    try FileManager.default.createDirectory(at: Self.scripts, withIntermediateDirectories: true)
    return BenchStage(
      configuration: configuration, schema: own, options: options,
      connections: options.connections ?? bench.connections, jobs: jobs, connection: connection,
      scripts: Self.scripts)
  }

  /// The folder of the script files for psql and pgbench.
  private static let scripts = FileManager.default.temporaryDirectory
    .appending(path: "baton-bench-\(ProcessInfo.processInfo.processIdentifier)")

  private func refuseWhereInUse(_ connection: Connection) async throws {
    let list = Call.rows(SQL.Stage.exists) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
    let taken: [String] = try await connection.run(list)
    if let name = taken.first { throw BenchRefusal.schemaExists(name) }
    do {
      try await Migrator(schema, parts: parts).check(connection)
    } catch SchemaProblem.missing {
      return
    }
    for check in [SQL.Stage.holdsData] + [dataCheck].compactMap(\.self) {
      let call = Call.row(check) { (row) throws(PostgresError) in try row.decode(Bool.self) }
      let isInUse: Bool = try await connection.atomically(in: schema, call)
      if isInUse { throw BenchRefusal.inUse(schema: schema.name) }
    }
  }
}
