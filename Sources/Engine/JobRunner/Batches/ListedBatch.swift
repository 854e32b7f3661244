package import BatonPostgres
import RunnerSQL

/// One batch in a list of batches.
package struct ListedBatch: Sendable, Equatable, Encodable {
  /// The batch's id, which is also the cursor for the next page of the list.
  package let id: Int64
  /// The batch's name.
  package let name: String
  /// The state of the batch, which is `open`, `sealed`, `cancelling`, `retrying`, `blocked` or
  /// `ended`.
  ///
  /// A blocked batch waits for its job, which is missing or retired.
  package let state: String
  /// The batch's generation, which starts at 1 and increases each time the ended batch is reopened.
  package let generation: Int32
  /// The job that runs when the batch ends, or nil for no job.
  package let job: String?
  /// The name of the parent batch, which can end only after this batch, or nil if the batch
  /// has no parent.
  package let parent: String?
  /// The numbers of open, completed, dead and cancelled members.
  package let open, done, dead, cancelled: Int64
  /// The time when the batch was created, in UTC and ISO 8601 format.
  package let createdAt: String
  /// The times when the batch was sealed and when the batch ended.
  ///
  /// `sealedAt` is nil until the batch is sealed. `endedAt` is nil until the batch ends.
  package let sealedAt, endedAt: String?
}

extension ListedBatch {
  fileprivate static func decode(_ row: Row) throws(PostgresError) -> ListedBatch {
    let (
      id, name, state, generation, job, parent, open, done, dead, cancelled, created, sealed, ended
    ) = try row.decode(
      Int64.self, String.self, String.self, Int32.self, String?.self, String?.self, Int64.self,
      Int64.self, Int64.self, Int64.self, String.self, String?.self, String?.self)
    return ListedBatch(
      id: id, name: name, state: state, generation: generation, job: job, parent: parent,
      open: open, done: done, dead: dead, cancelled: cancelled, createdAt: created,
      sealedAt: sealed, endedAt: ended)
  }
}

extension Queue {
  /// Lists batches, newest first.
  ///
  /// - Parameters:
  ///   - name: the name of the batch to list, or nil to list all batches.
  ///   - isOpen: whether only batches that have not ended are listed.
  ///   - limit: the maximum number of batches.
  /// - Throws: `PostgresError`.
  package func batches(
    _ name: String? = nil, isOpen: Bool = false, limit: Int
  ) async throws(PostgresError) -> [ListedBatch] {
    try await session.freely.atomically(
      .rows(
        SQL.Batches.list, name, isOpen, Int64?.none, Int64(limit), decode: ListedBatch.decode))
  }

  /// Requests the cancellation of the open members of a batch, and adds a row to the audit log.
  ///
  /// Dispatchers cancel the members of the batch after this transaction has committed.
  ///
  /// - Returns: false if the batch has already ended, in which case nothing changes.
  /// - Throws: `PostgresError`, with ZB019 if no batch has this name.
  package func cancelBatch(_ name: String) async throws -> Bool {
    try await session.freely.transaction { transaction in
      let isOpen: Bool = try await transaction.run(
        .row(SQL.Batches.cancel, name, as: Bool.self))
      if isOpen {
        try await transaction.record(
          AuditEntry("batches cancel", ["batch": .text(name)], after: ["state": "cancelling"]))
      }
      return isOpen
    }
  }

  /// Requests a retry of the dead members of a batch, and adds a row to the audit log.
  ///
  /// Dispatchers retry the dead members of the batch after this transaction has committed.
  ///
  /// - Returns: the number of the batch's dead members. If the batch has no dead members, nothing
  ///   changes.
  /// - Throws: `PostgresError`, with ZB019 if no batch has this name, or if the batch is open or
  ///   being cancelled.
  package func retryBatch(_ name: String) async throws -> Int {
    try await session.freely.transaction { transaction in
      let dead: Int64 = try await transaction.run(
        .row(SQL.Batches.retry, name, as: Int64.self))
      if dead > 0 {
        try await transaction.record(
          AuditEntry(
            "batches retry", ["batch": .text(name)], after: ["dead": .number(dead)]))
      }
      return Int(dead)
    }
  }
}
