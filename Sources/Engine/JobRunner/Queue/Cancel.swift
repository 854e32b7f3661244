import BatonPostgres
import Foundation
import RunnerSQL

/// The result of a request to cancel a run.
package enum Cancellation: Sendable, Equatable {
  /// The run with this id is cancelled.
  ///
  /// The run was waiting or dead, or its worker cancelled it while the caller was waiting.
  case cancelled(Int64)
  /// The run with this id is running, and its worker will soon cancel it.
  case cancelling(Int64)
  /// The run with this id has already ended as `done` or `dead`, or as `ended` if the outcome is
  /// not recorded.
  case ended(Int64, String)
  /// The run does not exist.
  case missing
}

extension Queue {
  /// Cancels a run in any state, and adds a row to the audit log.
  ///
  /// A waiting or dead run is removed. If the run is running, the method requests that its worker
  /// cancel it.
  ///
  /// - Parameters:
  ///   - id: the run's id, or one of its earlier ids.
  ///   - patience: the maximum time to wait for a run in progress to end, or nil for no wait.
  /// - Throws: `PostgresError`, or `CancellationError` if the task is cancelled while the method is
  ///   waiting.
  package func cancel(_ id: Int64, patience: Duration? = nil) async throws -> Cancellation {
    var hasFolded = false
    while let run = try await find(id) {
      try Task.checkCancellation()
      switch run.state {
      // A repeated cancellation returns the same result as the first one.
      case "cancelled": return .cancelled(run.id)
      // A dead run that was discarded or purged still has the outcome `dead` in the history.
      case _ where run.hasEnded: return .ended(run.id, run.state)
      case "running":
        guard try await request(run) else { continue }
        guard let patience else { return .cancelling(run.id) }
        return try await end(of: run, within: patience)
      case "unfolded":
        // The run does not exist until its event is dispatched, so the method dispatches all events
        // once. If the event is still not dispatched, it does not belong to any job.
        guard !hasFolded else { return .missing }
        hasFolded = true
        try await Queue(session.freely).foldForOperator()
      default:
        if try await takeOut(run) { return .cancelled(run.id) }
      }
      // The run was claimed, released or completed after its state was read, so the state is
      // reread.
    }
    return .missing
  }

  /// Returns those of a worker's runs whose cancellation was requested.
  ///
  /// The method also removes requests for runs that have already ended.
  ///
  /// - Parameter patience: how long to wait for locks, or nil for the server's `lock_timeout`.
  func cancelled(
    of worker: UUID, patience: Duration? = nil
  ) async throws(PostgresError) -> [CancelledRun] {
    let list = Call.rows(SQL.Queue.listCancelled, worker) { (row) throws(PostgresError) in
      let (token, id) = try row.decode(UUID.self, Int64.self)
      return CancelledRun(token: token, id: id)
    }
    return try await session.atomically(
      .run(SQL.Queue.limitLockWait, patience?.milliseconds), list,
      .count(SQL.Queue.sweepCancellations)
    ).1
  }

  // MARK: Steps

  /// The id, job, key and state of a run.
  struct Found: Sendable {
    let id: Int64
    let job, key, state: String
    /// Whether only the history of the run remains.
    var hasEnded = false

    func entry(after end: String) -> AuditEntry {
      AuditEntry(
        "runs cancel", .run(id, job, key), before: ["state": .text(state)],
        after: ["state": .text(end)])
    }
  }

  /// Finds a run by its current id or one of its earlier ids.
  func find(_ id: Int64) async throws(PostgresError) -> Found? {
    let find = Call.rows(SQL.Runs.find, id) { (row) throws(PostgresError) in
      let (id, job, key, state, hasEnded) = try row.decode(
        Int64.self, String.self, String.self, String.self, Bool.self)
      return Found(id: id, job: job, key: key, state: state, hasEnded: hasEnded)
    }
    let found: [Found] = try await session.freely.atomically(find)
    return found.first
  }

  private func takeOut(_ run: Found) async throws -> Bool {
    try await session.transaction { transaction in
      guard try await !Self.remove([run], in: transaction).isEmpty else { return false }
      try await transaction.record(run.entry(after: "cancelled"))
      return true
    }
  }

  /// Locks and deletes ready and dead runs, and returns the ids of the runs that were still ready
  /// or dead.
  ///
  /// A concurrent dispatch can merge another call into one of the runs. The method first locks the
  /// runs, and thereby waits for the dispatch. The DELETE statement then also finds and deletes the
  /// payload of the merged call.
  static func remove(
    _ runs: [Found], in transaction: Transaction
  ) async throws(PostgresError) -> [Int64] {
    let lock = Call.run(
      SQL.Runs.lockWaiting, runs.map(\.id), runs.map(\.job), runs.map(\.key))
    return try await transaction.run(lock, removeLocked(runs)).1
  }

  /// Deletes ready and dead runs, and returns the ids of the runs that were still ready or dead.
  ///
  /// The caller must have locked the waiting runs in an earlier statement (see ``remove(_:in:)``).
  static func removeLocked(_ runs: [Found]) -> Call<[Int64]> {
    .rows(SQL.Runs.cancel, runs.map(\.id), runs.map(\.job), runs.map(\.key)) {
      (row) throws(PostgresError) in try row.decode(Int64.self)
    }
  }

  /// Requests the cancellation of a running run, or returns false if the run has ended or been
  /// released.
  private func request(_ run: Found) async throws -> Bool {
    try await !request([run]) { transaction, requests in
      // A repeated request does not add another row to the audit log.
      guard requests.contains(where: \.isFirst) else { return }
      try await transaction.record(run.entry(after: "cancelling"))
    }.isEmpty
  }

  /// A running run whose cancellation was requested.
  struct CancelRequest: Sendable {
    let id: Int64
    /// Whether this is the first request to cancel the run.
    let isFirst: Bool
  }

  /// Requests the cancellation of the given runs, and returns the requests for those that are still
  /// running.
  ///
  /// A cancellation request locks the `cancellation` table, and waits for open transactions that
  /// release or end runs. During the wait, PostgreSQL also blocks new transactions that release or
  /// end runs. Each wait for the lock is therefore limited to 200 ms.
  ///
  /// - Parameters:
  ///   - attempts: the maximum number of attempts to acquire the lock.
  ///   - record: called with the requests, in the transaction that stores them.
  func request(
    _ runs: [Found], attempts: Int = 20,
    record: (Transaction, [CancelRequest]) async throws -> Void
  ) async throws -> [CancelRequest] {
    let ask = Call.rows(
      SQL.Runs.requestCancellation, runs.map(\.id), runs.map(\.job), runs.map(\.key)
    ) { (row) throws(PostgresError) in
      let (id, isFirst) = try row.decode(Int64.self, Bool.self)
      return CancelRequest(id: id, isFirst: isFirst)
    }
    var tries = attempts
    while true {
      tries -= 1
      do {
        return try await session.transaction { transaction in
          let (_, _, requests) = try await transaction.run(
            .run(SQL.Runs.limitRequest), .run(SQL.Runs.lockSettling), ask)
          try await record(transaction, requests)
          return requests
        }
      } catch let error as PostgresError where error.sqlState == .lockNotAvailable && tries > 0 {
        continue
      }
    }
  }

  private func end(of run: Found, within patience: Duration) async throws -> Cancellation {
    let deadline = ContinuousClock.now + patience
    let isRunning = Call.row(SQL.Runs.isRunning, run.id, run.job, run.key) {
      (row) throws(PostgresError) in try row.decode(Bool.self)
    }
    while try await session.atomically(isRunning) {
      guard .now < deadline else { return .cancelling(run.id) }
      try await Task.sleep(for: .milliseconds(50))
    }
    guard let end = try await find(run.id) else { return .ended(run.id, "ended") }
    return end.state == "cancelled" ? .cancelled(run.id) : .ended(run.id, end.state)
  }
}
