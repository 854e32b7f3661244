import BatonPostgres
import RunnerSQL

extension Queue {
  /// The maximum number of members per batch that one pass counts.
  ///
  /// Counting 2,000 members takes about 20 ms.
  private static let membersInPass: Int32 = 2_000
  /// The maximum number of members of a batch that one transaction cancels or retries.
  private static let membersAtOnce = 500
  /// The maximum number of chunks per batch that a single pass cancels or retries.
  ///
  /// A chunk contains at most ``membersAtOnce`` members of the batch.
  private static let mostPieces = 5
  /// The time after which a call to `advanceBatches` does not begin any further passes over a
  /// batch, and cancels or retries no members of further batches.
  private static let longestPass = Duration.milliseconds(200)
  /// The maximum time to wait for locks held by other transactions.
  static let longestWait = Duration.milliseconds(200)
  /// The SQLSTATEs of a lock timeout and of a deadlock.
  static let lockErrors: Set<SQLState> = [.lockNotAvailable, "40P01"]

  /// Counts the ended members of open batches, ends batches without open members, and continues
  /// requested batch cancellations and retries.
  ///
  /// The database decides when a pass over a batch is due. Several dispatchers can call the method
  /// concurrently. The process can be killed at any point, because each statement stores its
  /// progress. Decision 30 in docs/internals/decisions describes the interleavings of concurrent
  /// passes and calls.
  ///
  /// - Parameters:
  ///   - takesAll: whether batches whose next pass is not due yet are also advanced.
  ///   - reachesBack: whether batches that became due more than a minute ago are also advanced.
  ///     While an old transaction is open, the search for long overdue batches also reads dead row
  ///     versions.
  /// - Returns: the number of ended batches, plus the numbers of ended, cancelled and retried
  ///   members.
  /// - Throws: `PostgresError`.
  @discardableResult
  func advanceBatches(
    takesAll: Bool = false, reachesBack: Bool = true
  ) async throws -> Int {
    try await passOverBatches(takesAll: takesAll, reachesBack: reachesBack).count
  }

  /// Like ``advanceBatches(takesAll:reachesBack:)``, but also returns whether the call ended before
  /// it had advanced all batches that are due.
  func passOverBatches(
    takesAll: Bool = false, reachesBack: Bool
  ) async throws -> (count: Int, hasMore: Bool) {
    let end = ContinuousClock.now + Self.longestPass
    var count = 0
    var hasMore = true
    while hasMore, .now < end {
      let pass = try await session.atomically(
        BatchPass.call(atMost: Self.membersInPass, takesAll, reachesBack))
      count += pass.progress
      // Other transactions may have locked runs of a batch. In a random order, these batches do not
      // delay the same other batches in each pass. A caller that advances all batches has no other
      // work.
      for batch in pass.cancelling.shuffled() {
        count += try await cancelMembers(of: batch)
        guard takesAll || .now < end else { break }
      }
      for batch in pass.retrying.shuffled() {
        count += try await retryMembers(of: batch)
        guard takesAll || .now < end else { break }
      }
      hasMore = pass.hasMore
    }
    return (count, hasMore)
  }

  // MARK: Whole batches

  /// Cancels some open members of a batch, and returns the number of waiting runs that were
  /// removed.
  private func cancelMembers(of batch: Int64) async throws -> Int {
    var count = 0
    for _ in 0..<Self.mostPieces {
      let members = try await session.atomically(OpenMember.list(of: batch, Self.membersAtOnce))
      let runs = Dictionary(members.compactMap(\.run).map { ($0.id, $0) }) { first, _ in first }
        .values
      count += try await remove(runs.filter { $0.state == "ready" })
      try await requestEnd(of: runs.filter { $0.state == "running" })
      let last = members.count < Self.membersAtOnce ? nil : members.last?.id
      // A caller's open transaction may have locked the batch. If the batch stays locked, the next
      // pass starts again with the same members.
      let isMoved = try await unlessLocked { transaction in
        try await transaction.run(.count(SQL.Batches.move, batch, last, false))
        return true
      }
      guard isMoved != nil, last != nil else { break }
    }
    return count
  }

  /// Removes waiting runs, which are locked in the same order as in a dispatch.
  ///
  /// - Returns: the number of removed runs, which is 0 if another transaction has locked the runs.
  private func remove(_ runs: [Found]) async throws -> Int {
    guard !runs.isEmpty else { return 0 }
    return try await unlessLocked { transaction in
      try await Self.remove(runs, in: transaction).count
    } ?? 0
  }

  private func requestEnd(of runs: [Found]) async throws {
    guard !runs.isEmpty else { return }
    do {
      _ = try await request(runs, attempts: 1) { _, _ in }
    } catch let error as PostgresError where Self.lockErrors.contains(error.sqlState) {
      // After a lock timeout or a deadlock, the next pass requests the cancellation again.
    }
  }

  /// Retries some dead members of a batch.
  ///
  /// - Returns: the number of retried runs, plus 1 if no dead member remains.
  private func retryMembers(of batch: Int64) async throws -> Int {
    var count = 0
    for _ in 0..<Self.mostPieces {
      let list = Call.rows(SQL.Batches.listDead, batch, Int64(Self.membersAtOnce)) {
        (row) throws(PostgresError) in try row.decode(Int64.self, Int64?.self)
      }
      let members: [(Int64, Int64?)] = try await session.atomically(list)
      let last = members.count < Self.membersAtOnce ? nil : members.last?.0
      let ids = Set(members.compactMap(\.1)).sorted()
      let retried = try await unlessLocked { transaction in
        let dead: [ListedRun] =
          ids.isEmpty ? [] : try await transaction.run(DeadSelection().lock(ids))
        if !dead.isEmpty {
          _ = try await transaction.run(
            RetriedRun.lockBatches(of: dead), RetriedRun.retry(dead.map(\.id)),
            RetriedRun.reopenMembers(of: dead))
        }
        try await transaction.run(.count(SQL.Batches.move, batch, last, true))
        return dead.count
      }
      guard let retried else { break }
      count += retried
      guard last != nil else {
        // The dead runs may no longer exist, so `count` can be 0. The result must be at least 1. If
        // the result were 0, a drain of the queue would stop before the batch ends.
        return count + 1
      }
    }
    return count
  }

  /// Executes a transaction, or returns nil if other transactions hold the locks that it needs.
  ///
  /// If a lock is not available in time, the next pass repeats the transaction. A deadlock with
  /// another worker's dispatch is possible, because dispatches lock runs in a different order.
  /// After a deadlock, either this transaction or the other worker's dispatch is retried.
  ///
  /// - Parameter wait: the maximum time to wait for locks held by other transactions.
  func unlessLocked<R>(
    within wait: Duration = longestWait, _ body: (Transaction) async throws -> R
  ) async throws -> R? {
    do {
      return try await session.transaction { transaction in
        try await transaction.run(.run(SQL.Queue.limitLockWait, wait.milliseconds))
        return try await body(transaction)
      }
    } catch let error as PostgresError where Self.lockErrors.contains(error.sqlState) {
      return nil
    }
  }
}

/// The result of one pass over the open batches.
private struct BatchPass: Sendable {
  /// The number of members and batches recorded as ended by the pass.
  let progress: Int
  /// Whether the next pass over the batches may find more members that have ended.
  let hasMore: Bool
  /// The ids of the batches whose members must be cancelled or retried.
  let cancelling, retrying: [Int64]

  static func call(
    atMost members: Int32, _ takesAll: Bool, _ reachesBack: Bool
  ) -> Call<BatchPass> {
    .row(SQL.Batches.advance, members, takesAll, reachesBack) { (row) throws(PostgresError) in
      let (progress, hasMore, cancelling, retrying) = try row.decode(
        Int64.self, Bool.self, String?.self, String?.self)
      return BatchPass(
        progress: Int(progress), hasMore: hasMore, cancelling: ids(cancelling),
        retrying: ids(retrying))
    }
  }

  private static func ids(_ text: String?) -> [Int64] {
    (text ?? "").split(separator: " ").compactMap { Int64($0) }
  }
}

/// An open member of a batch, as listed while the batch is being cancelled.
private struct OpenMember: Sendable {
  let id: Int64
  /// The run that must be cancelled, or nil if there is none.
  let run: Queue.Found?

  static func list(of batch: Int64, _ limit: Int) -> Call<[OpenMember]> {
    .rows(SQL.Batches.listOpen, batch, Int64(limit)) { (row) throws(PostgresError) in
      let (id, run, job, key, state) = try row.decode(
        Int64.self, Int64?.self, String?.self, String?.self, String?.self)
      guard let run, let job, let key, let state else { return OpenMember(id: id, run: nil) }
      return OpenMember(id: id, run: Queue.Found(id: run, job: job, key: key, state: state))
    }
  }
}
