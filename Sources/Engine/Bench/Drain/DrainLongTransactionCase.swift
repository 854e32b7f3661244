import BatonJobs
import BatonPostgres
import BenchSQL
import JobRunner

/// The `drain-long-transaction` case, which is a drain during an open transaction that is older
/// than the runs.
///
/// In `drain-long-transaction-same-due`, all runs are due at the same time.
///
/// The case compares this drain with a second drain by Baton, during which no old transaction is
/// open. While the old transaction is open, VACUUM cannot remove rows that were updated or deleted
/// after the transaction began.
struct DrainLongTransactionCase: BenchCase {
  var isSameDue = false
  var name: String { isSameDue ? "drain-long-transaction-same-due" : "drain-long-transaction" }
  let unit = "runs/s"

  func writes(_ options: BenchOptions) -> String { "\(counted(runs(options), "run")) on each side" }

  /// The number of runs in each drain, with and without the old transaction.
  ///
  /// With fewer runs, too few dead rows would accumulate to slow down the drain.
  private static let runs = BenchSize(
    "long-runs", 500_000, quick: 2_000, "runs of drain-long-transaction")

  var sizes: [BenchSize] { [Self.runs] }

  private func runs(_ options: BenchOptions) -> Int { options[Self.runs] }

  func prepare(_ stage: BenchStage) async throws {
    try await DrainCase().prepare(stage)
  }

  func measure(_ side: BenchSide, on stage: BenchStage) async throws -> Double {
    let runs = runs(stage.options)
    let drain = Drain(stage)
    try await stage.emptyRuns()
    guard side == .ours else { return try await measure(runs, drain) }
    let holder = try await Connection.open(stage.configuration)
    let rate = try await holder.transaction(in: stage.schema) { transaction in
      _ = try await transaction.run(.count(SQL.Drain.holdTransaction))
      return try await measure(runs, drain)
    }
    await holder.close()
    return rate
  }

  private func measure(_ runs: Int, _ drain: Drain) async throws -> Double {
    try await drain.add(runs, isSameDue: isSameDue)
    return try await drain.measure(runs, of: [NoOp.registered])
  }
}
