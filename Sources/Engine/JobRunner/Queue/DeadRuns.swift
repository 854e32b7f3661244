import BatonPostgres
import RunnerSQL

/// A dead run that is ready again after being retried.
package struct RetriedRun: Sendable, Equatable {
  /// The run's id.
  package let id: Int64
  /// The number of dead runs that were merged into this run.
  package let dead: Int
}

/// The error for runs that are not dead or do not exist.
package struct NotDead: Error, Sendable, Equatable {
  /// The ids of the runs that are not dead or do not exist.
  package let ids: [Int64]
}

/// The error for dead runs that cannot be retried yet.
///
/// A run with a checkpoint is not merged with other runs. A dead run with a checkpoint cannot be
/// retried while another run with the same key is running. If a dead run and a waiting run with the
/// same key both have checkpoints, the dead run cannot be retried.
package struct KeyIsTaken: Error, Sendable, Equatable {
  /// The ids of the runs that stay dead.
  package let ids: [Int64]
}

extension Queue {
  /// Retries the dead runs with the given ids, and adds one row to the audit log.
  ///
  /// - Returns: the runs that are ready after the retry. If a dead run was not merged with other
  ///   runs, its id does not change.
  /// - Throws: ``NotDead``, ``KeyIsTaken`` or `PostgresError`. If the method throws, no run is
  ///   retried.
  package func retry(ids: [Int64]) async throws -> [RetriedRun] {
    try await settle(ids, "runs retry") { dead, transaction in
      let ready = try await Self.retry(dead, in: transaction)
      let after: [String: AuditValue] =
        ids.count == 1
        ? ["state": "ready", "run": .number(ready[0].id)] : ["ready": .number(Int64(ready.count))]
      return (ready, after)
    }
  }

  /// Retries a dead run with a new payload, and adds one row, which does not contain the payload,
  /// to the audit log.
  ///
  /// The new payload counts as the newest payload for the key. If another run with the key is
  /// waiting, the new payload also replaces that run's payload.
  ///
  /// - Returns: the ready run, which has a new id. The old id, passed as `id`, is stored in the
  ///   run's list of earlier ids.
  /// - Throws: ``NotDead``, or `PostgresError` with the code ZB007, 22P02 or 22P05 if the payload
  ///   cannot be stored. If the method throws, nothing changes.
  package func retry(_ id: Int64, payload: String) async throws -> RetriedRun {
    try await settle([id], "runs retry") { dead, transaction in
      try await transaction.lockBatches(of: dead)
      let new = try await transaction.run(RetriedRun.retryEdited(id, payload))
      try await transaction.run(RetriedRun.reopenMembers(of: dead))
      return (
        RetriedRun(id: new, dead: 1),
        ["state": "ready", "run": .number(new), "payload": "edited"]
      )
    }
  }

  /// Retries dead runs in a transaction that is rolled back.
  ///
  /// The preview fails in the same cases as the retry.
  ///
  /// - Parameter payload: the new payload of the only run in `ids`, or nil to keep the payloads.
  /// - Throws: the same errors as ``retry(ids:)`` or ``retry(_:payload:)``.
  package func previewRetry(ids: [Int64], payload: String? = nil) async throws {
    do {
      try await session.freely.transaction { transaction -> Void in
        let dead = try await Self.lock(ids, in: transaction)
        if let payload {
          _ = try await transaction.run(RetriedRun.retryEdited(dead[0].id, payload))
        } else {
          _ = try await Self.retry(dead, in: transaction)
        }
        throw EndOfPreview()
      }
    } catch is EndOfPreview {}
  }

  /// The error that rolls back the transaction of a preview.
  private struct EndOfPreview: Error {}

  /// Deletes the dead runs with the given ids, and adds one row to the audit log.
  ///
  /// - Returns: the deleted runs.
  /// - Throws: ``NotDead`` or `PostgresError`. If the method throws, no run is deleted.
  @discardableResult
  package func discard(ids: [Int64]) async throws -> [ListedRun] {
    try await settle(ids, "runs discard") { dead, transaction in
      try await transaction.run(.count(SQL.Runs.discard, dead.map(\.id)))
      return (dead, nil)
    }
  }

  /// Returns the dead runs with the given ids.
  ///
  /// - Throws: ``NotDead`` or `PostgresError`.
  package func deadRuns(ids: [Int64]) async throws -> [ListedRun] {
    try await session.freely.transaction { try await Self.lock(ids, in: $0) }
  }

  /// Returns a sentence that explains why no dead run has this id.
  package func reasonNotDead(_ id: Int64) async throws -> String {
    let none = "There is no dead run \(id)."
    guard let run = try await find(id) else { return none }
    let state =
      switch run.state {
      case "unfolded": "is enqueued, but not dispatched yet"
      case "ended": "has ended"
      default: "is \(run.state)"
      }
    guard run.id == id else {
      return "Run \(id) was retried or merged as run \(run.id), which \(state)."
    }
    // A discarded run is still in the history, with the `dead` state.
    return run.state == "dead" ? none : "Run \(id) \(state), and not dead."
  }

  private func settle<Result: Sendable>(
    _ ids: [Int64], _ action: String,
    _ body: ([ListedRun], Transaction) async throws -> (Result, [String: AuditValue]?)
  ) async throws -> Result {
    try await session.freely.transaction { transaction in
      let dead = try await Self.lock(ids, in: transaction)
      let (result, after) = try await body(dead, transaction)
      let one = dead[0]
      try await transaction.record(
        dead.count == 1
          ? AuditEntry(
            action, .run(one.id, one.job, one.key),
            before: ["state": "dead", "attempt": .number(Int64(one.attempt))], after: after)
          : AuditEntry(
            action, filter: ["ids": .list(ids.map { .number($0) })], count: dead.count,
            after: after))
      return result
    }
  }

  private static func retry(
    _ dead: [ListedRun], in transaction: Transaction
  ) async throws -> [RetriedRun] {
    try await transaction.lockBatches(of: dead)
    let ready = try await transaction.run(RetriedRun.retry(dead.map(\.id)))
    let taken = ready.filter(\.staysDead).map(\.id)
    guard taken.isEmpty else { throw KeyIsTaken(ids: taken) }
    try await transaction.run(RetriedRun.reopenMembers(of: dead))
    return ready
  }

  private static func lock(
    _ ids: [Int64], in transaction: Transaction
  ) async throws -> [ListedRun] {
    let dead = try await transaction.run(DeadSelection().lock(ids))
    let missing = Set(ids).subtracting(dead.map(\.id))
    guard missing.isEmpty else { throw NotDead(ids: missing.sorted()) }
    return dead
  }
}

extension RetriedRun {
  /// Whether the run was not retried, because another run with its key has not ended.
  var staysDead: Bool { dead == 0 }

  /// Makes the dead runs with the given ids ready again.
  static func retry(_ ids: [Int64]) -> Call<[RetriedRun]> {
    .rows(SQL.Runs.retry, ids) { (row) throws(PostgresError) in
      let (id, dead) = try row.decode(Int64.self, Int64.self)
      return RetriedRun(id: id, dead: Int(dead))
    }
  }

  /// Locks the batches in which the given dead runs are members.
  ///
  /// Run this call before the retry. The dispatch of all events can wait for a run that a retry has
  /// inserted, so the retry must not wait for a batch after the insert.
  static func lockBatches(of dead: [ListedRun]) -> Call<Void> {
    .run(SQL.Batches.lockMembers, dead.map(\.id))
  }

  /// Reopens the batch members that belong to the given dead runs.
  ///
  /// Run this call after the retry, as a separate statement in the same transaction. A separate
  /// statement has a newer snapshot, and sees all batch members that a dispatcher has counted as
  /// dead.
  static func reopenMembers(of dead: [ListedRun]) -> Call<Void> {
    .run(SQL.Batches.reopen, dead.map(\.job), dead.map(\.key))
  }

  /// Makes a dead run ready again with a new payload, and returns the new id.
  static func retryEdited(_ id: Int64, _ payload: String) -> Call<Int64> {
    .row(SQL.Runs.retryEdited, id, payload) { (row) throws(PostgresError) in
      try row.decode(Int64.self)
    }
  }
}

extension Transaction {
  /// Locks the batches in which the given dead runs are members, before an operator's retry.
  ///
  /// - Throws: `PostgresError`, with SQLSTATE 55P03 if another transaction holds a lock for 10 s.
  func lockBatches(of dead: [ListedRun]) async throws(PostgresError) {
    _ = try await run(
      .run(SQL.Queue.limitLockWait, Duration.seconds(10).milliseconds),
      RetriedRun.lockBatches(of: dead))
  }
}

extension [String: AuditValue] {
  /// Returns the subject for an audit entry about one run.
  static func run(_ id: Int64, _ job: String, _ key: String) -> Self {
    ["run": .number(id), "job": .text(job), "key": .text(key)]
  }
}
