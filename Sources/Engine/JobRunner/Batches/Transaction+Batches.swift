public import BatonPostgres
import RunnerSQL

extension Transaction {
  /// Opens a batch in this transaction.
  ///
  /// To add members to the batch, enqueue calls with the batch's name as the `batch` argument. The
  /// batch ends when it is sealed and all of its members have ended. A member has ended if its run
  /// is done, dead or cancelled. When the batch ends, `job` runs once. The run of `job` has the
  /// batch's name as its key, and a payload with the fields `batch`, `generation`, `done`, `dead`
  /// and `cancelled`.
  ///
  /// ```swift
  /// try await transaction.openBatch("export-7", job: "archive")
  /// try await transaction.enqueue(chunks, batch: "export-7")
  /// try await transaction.sealBatch("export-7")
  /// ```
  ///
  /// If another open transaction has opened a batch with this name, the method waits for it.
  ///
  /// - Parameters:
  ///   - name: the name of the batch, which must differ from the name of every stored batch. The
  ///     retention period of ended batches equals that of dead runs.
  ///   - job: the name of the job that runs when the batch ends, or nil for no run.
  ///   - parent: the name of the batch that cannot end before this batch, or nil. The run of `job`
  ///     becomes a member of the parent batch.
  /// - Throws: `PostgresError` with one of the following codes. If the method throws, no batch is
  ///   opened.
  ///   - ZB005: The `job` argument names an unknown job.
  ///   - ZB016: The `job` argument names a retired job.
  ///   - ZB019: The batch name is invalid or already used, or the parent batch is missing or has
  ///     ended.
  public func openBatch(
    _ name: String, job: String? = nil, parent: String? = nil
  ) async throws(PostgresError) {
    try await run(.run(SQL.Batches.open, name, job, parent))
  }

  /// Seals a batch in this transaction, so that no later call can add members.
  ///
  /// An empty batch ends as soon as the transaction is committed. If the batch is already sealed,
  /// the method changes nothing.
  ///
  /// - Throws: `PostgresError`, with ZB019 if no batch has this name.
  public func sealBatch(_ name: String) async throws(PostgresError) {
    try await run(.run(SQL.Batches.seal, name))
  }
}
