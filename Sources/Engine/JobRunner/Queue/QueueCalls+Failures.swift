import BatonJobs
import BatonPostgres
import Foundation
import RunnerSQL

extension QueueCalls {
  /// Prevents any run from being cancelled until the transaction ends.
  ///
  /// Run this call before a statement that settles runs.
  static let lockCancellations = Call<Void>.run(SQL.Queue.lockCancellations)

  /// Waits for other transactions that have locked the claimed runs.
  ///
  /// Run this call before `lockCancellations`. No long wait may follow `lockCancellations`, because
  /// other sessions are waiting for its lock.
  static func waitForClaimed(_ claim: Claim) -> Call<Int> {
    .count(SQL.Queue.waitForClaimed, claim.job.definition.name, claim.keys, claim.token)
  }

  /// Removes the cancelled runs of a claim, and returns their number.
  static func endCancelled(_ claim: Claim, report: Report, took: Duration) -> Call<Int> {
    .count(
      SQL.Queue.endCancelled, claim.job.definition.name, claim.keys, claim.token,
      took.milliseconds, report.json)
  }

  /// Removes cancelled runs that no worker is processing.
  ///
  /// The cancelled runs belong to dead workers, or to a live worker that has no record of claiming
  /// them.
  static func endLost(of worker: UUID? = nil, under unknown: [UUID] = []) -> Call<Int> {
    .count(SQL.Queue.endLost, worker, unknown)
  }

  /// Counts a run's failed attempts in the last ten minutes, and stops counting at twenty.
  static func countRecentFailures(of run: ClaimedRun) -> Call<Int> {
    .row(SQL.Queue.countRecentFailures, run.id) { (row) throws(PostgresError) in
      let failures = try row.decode(Int64.self)
      return Int(failures)
    }
  }

  /// Records a failed attempt that counts towards the maximum number of attempts.
  ///
  /// If `isSnoozed` is true, the call records a snooze and its reason.
  static func recordFailed(
    _ claim: Claim, took: Duration, error: String?, isSnoozed: Bool = false
  ) -> Call<Int> {
    .count(
      SQL.Queue.recordFailed, claim.job.definition.name, claim.keys, claim.token,
      took.milliseconds, error, isSnoozed)
  }

  /// Stores the jobs whose runs all fail in a worker because of the same cause.
  static func recordFailures(_ failing: [CommonFailures.Stored], of worker: UUID) -> Call<Int> {
    .count(
      SQL.Workers.recordFailures, worker, failing.map(\.job), failing.map(\.reason),
      failing.map(\.age.milliseconds), failing.map { Int64($0.failures) })
  }
}
