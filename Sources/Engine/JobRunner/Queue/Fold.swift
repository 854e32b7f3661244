import BatonPostgres
import RunnerSQL

extension Queue {
  /// Folds committed events into ready runs, unless another process is folding.
  ///
  /// - Returns: nil if another process has locked the cursor.
  /// - Throws: ``PostgresError``.
  func fold() async throws -> Folded? {
    try await session.transaction { transaction in
      guard let isOurs = try await lockCursor(in: transaction) else { return nil }
      return try await fold(in: transaction, logIsOfThisCluster: isOurs)
    }
  }

  /// Folds events like ``fold()`` and then polls, in two round trips.
  func tryFoldAndPoll() async throws -> (folded: Folded, poll: QueueCalls.Poll)? {
    try await session.transaction { transaction in
      guard let isOurs = try await lockCursor(in: transaction) else { return nil }
      guard isOurs else {
        let folded = try await fold(in: transaction, logIsOfThisCluster: false)
        return (folded, try await transaction.run(QueueCalls.poll))
      }
      let (_, folded, poll) = try await transaction.commit(
        after: .run(SQL.Queue.limitFold), QueueCalls.fold(atOnce: false), QueueCalls.poll)
      return (folded, poll)
    }
  }

  /// Folds all committed events, and makes all ready runs due.
  ///
  /// The method waits for any other process that is folding, and takes one round trip. The event
  /// log must be known to belong to this cluster.
  ///
  /// - Throws: ``PostgresError``.
  func foldAtOnce() async throws(PostgresError) -> Folded {
    let (_, _, folded, _) = try await session.atomically(
      .run(SQL.Queue.limitCursor), QueueCalls.waitForCursor,
      QueueCalls.fold(atOnce: true),
      .count(SQL.Queue.makeDue))
    return folded
  }

  /// Folds events like ``foldAtOnce()`` and then polls, in one round trip.
  func foldAndPoll() async throws(PostgresError) -> (poll: QueueCalls.Poll, left: PendingWork) {
    let (_, _, _, _, poll, left) = try await session.atomically(
      .run(SQL.Queue.limitCursor), QueueCalls.waitForCursor,
      QueueCalls.fold(atOnce: true),
      .count(SQL.Queue.makeDue), QueueCalls.poll,
      QueueCalls.countLeft(of: nil))
    return (poll, left)
  }

  /// Folds committed events, after a wait for any other process that is folding.
  ///
  /// Debounces and backoffs apply to the resulting runs.
  func foldAfterOthers() async throws {
    try await session.transaction { transaction in
      try await transaction.run(QueueCalls.waitForCursor)
      guard let isOurs = try await lockCursor(in: transaction) else { return }
      _ = try await fold(in: transaction, logIsOfThisCluster: isOurs)
    }
  }

  /// Empties used segments of the event log, and switches its writers to the next segment.
  ///
  /// If the log comes from another cluster, the method does nothing. Otherwise, unfolded events
  /// could be mistaken for folded ones and be lost.
  func rotate() async throws {
    try await session.transaction { transaction in
      guard try await lockCursor(in: transaction) == true else { return }
      try await transaction.run(.run(SQL.Queue.rotateEventLog))
    }
  }

  /// The number of pages from which one statement deletes start times.
  private static let pagesAtOnce: Int64 = 128

  /// Deletes the stored start times of throttled keys that have not run lately.
  ///
  /// The method reads the table from a page on, as long as it finds such times, so it reads little
  /// more than what it deletes.
  ///
  /// - Parameter page: the page at which the last call ended.
  /// - Returns: the page at which the next call begins.
  func forgetRecentRuns(from page: Int64 = 0) async throws(PostgresError) -> Int64 {
    var page = page
    while true {
      let forget = Call.row(
        SQL.Queue.forgetRecentRuns, page, Self.pagesAtOnce, as: Int64.self, Bool.self)
      let (count, isLast) = try await session.atomically(forget)
      page = isLast ? 0 : page + Self.pagesAtOnce
      guard count > 0, !isLast else { return page }
    }
  }

  /// Locks the cursor, and returns whether the event log belongs to this cluster.
  ///
  /// The result is nil if another process has locked the cursor.
  func lockCursor(in transaction: Transaction) async throws -> Bool? {
    let (_, isOurs) = try await transaction.run(
      .run(SQL.Queue.limitCursor), QueueCalls.lockCursor)
    return isOurs.first
  }

  /// Folds events, after the caller has locked the cursor.
  ///
  /// A log from another cluster is folded completely, because its transaction ids have no meaning
  /// here. Otherwise, new events could be "before" the log's position. Such events would never be
  /// folded, without any error.
  private func fold(
    in transaction: Transaction, logIsOfThisCluster: Bool
  ) async throws -> Folded {
    guard !logIsOfThisCluster else {
      return try await transaction.run(.run(SQL.Queue.limitFold), QueueCalls.fold(atOnce: false)).1
    }
    let (_, _, _, folded, _, _) = try await transaction.run(
      .run(SQL.Queue.lockEventLog),
      .run(SQL.Queue.announceRestart),
      .run(SQL.Queue.setPosition, "3:3:"),
      QueueCalls.fold(atOnce: false),
      .run(SQL.Queue.emptyEventLog),
      .run(SQL.Queue.setPosition, String?.none))
    return folded
  }
}

/// The result of a fold.
struct Folded: Sendable {
  /// The number of events that were read.
  let events: Int
  /// The number of ready runs that were created or moved.
  let runs: Int
  /// The names of the jobs of these runs.
  let jobs: [String]
}
