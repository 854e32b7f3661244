package import BatonPostgres
import RunnerSQL

/// An open batch that probably does not end until an operator acts.
package struct StuckBatch: Sendable, Equatable {
  /// The reason why the batch does not end.
  package enum Reason: String, Sendable {
    /// An open transaction locks the batch, or no worker advances the batch.
    case locked
    /// The open batch has had no open member and no change for a day.
    case unsealed
    /// The job of the batch is missing or retired.
    case blocked
  }

  /// The batch's name.
  package let name: String
  package let reason: Reason
  /// The job that runs when the batch ends, or nil for no job.
  package let job: String?
}

extension Queue {
  /// Returns the oldest batches that probably do not end until an operator acts, at most 20.
  ///
  /// The statement reads one member of each open batch, and therefore takes about a second for
  /// 100,000 open batches.
  ///
  /// - Throws: `PostgresError`.
  package func stuckBatches() async throws(PostgresError) -> [StuckBatch] {
    let list = Call.rows(SQL.Batches.listStuck) { (row) throws(PostgresError) in
      let (name, reason, job) = try row.decode(String.self, String.self, String?.self)
      return StuckBatch(
        name: name, reason: StuckBatch.Reason(rawValue: reason) ?? .locked, job: job)
    }
    return try await session.freely.atomically(list)
  }
}
