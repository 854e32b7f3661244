import BatonJobs
import BatonPostgres
import BenchSQL
package import JobRunner

/// The `drain` case, in which one worker claims, processes and durably completes runs that do
/// nothing.
struct DrainCase: BenchCase {
  let name = "drain"
  let unit = "runs/s"
  private static let runs = BenchSize("runs", 200_000, quick: 2_000, "runs of drain")

  var sizes: [BenchSize] { [Self.runs] }

  func writes(_ options: BenchOptions) -> String {
    "\(counted(options[Self.runs], "run")) on each side"
  }

  func prepare(_ stage: BenchStage) async throws {
    try await stage.define([NoOp.registered])
  }

  func measure(_ side: BenchSide, on stage: BenchStage) async throws -> Double {
    let batches = max(1, stage.options[Self.runs] / 500 / stage.connections)
    let runs = batches * 500 * stage.connections
    guard side == .ours else {
      try await stage.psql("setup.sql", ["runs": runs, "boards": 1])
      return 500
        * (try await stage.pgbench(
          "drain.pgbench", ["-c", "\(stage.connections)", "-t", "\(batches)"]))
    }
    let drain = Drain(stage)
    try await drain.fill(runs)
    return try await drain.measure(runs, of: [NoOp.registered])
  }

  /// Returns the statements that claim and process one batch of 500 no-op runs.
  func trace(on stage: BenchStage) async throws -> [TracedCall] {
    try await prepare(stage)
    try await Drain(stage).fill(2_000)
    return try await CycleTrace.run(
      NoOp.registered, on: stage.configuration,
      schema: stage.schema, logger: Drain.logger)
  }
}

extension BenchStage {
  /// Stores the definitions of jobs in the bench's schema, so that workers can claim their runs.
  package func define(_ jobs: [RegisteredJob]) async throws {
    try await Queue(Session(connection, in: schema)).define(jobs)
  }

  /// Deletes the remaining runs of a previous measurement.
  package func emptyRuns() async throws { try await run(.run(SQL.Drain.emptyRuns)) }
}
