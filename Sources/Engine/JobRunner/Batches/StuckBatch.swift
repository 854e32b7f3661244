package import BatonPostgres
import RunnerSQL

/// An open batch that will probably not end until an operator intervenes.
package struct StuckBatch: Sendable, Equatable {
  /// The reason why the batch does not end.
  package enum Reason: String, Sendable {
    /// An open transaction locks the batch, or no worker advances the batch.
    case locked
    /// The open batch has had no open members and no changes for a day.
    case unsealed
    /// The batch's job is missing or retired.
    case blocked
  }

  /// The batch's name.
  package let name: String
  package let reason: Reason
  /// The job that runs when the batch ends, or nil for no job.
  package let job: String?
}

extension Queue {
  /// Returns up to 20 of the oldest batches that will probably not end until an operator
  /// intervenes.
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
