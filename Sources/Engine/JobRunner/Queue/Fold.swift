import BatonPostgres
import RunnerSQL

extension Queue {
  /// Folds what has committed into ready runs, unless another process is folding.
  ///
  /// - Returns: nil where another process has the cursor.
  /// - Throws: ``PostgresError``.
  func fold() async throws -> Folded? {
    try await session.transaction { transaction in
      guard let isOurs = try await lockCursor(in: transaction) else { return nil }
      return try await fold(in: transaction, logIsOfThisCluster: isOurs)
    }
  }

  /// Folds like ``fold()`` and looks at what there is then, in two round trips.
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

  /// Folds everything that has committed, after whoever is folding, and makes all ready runs due.
  ///
  /// One round trip; for a log that is known to be of this cluster.
  ///
  /// - Throws: ``PostgresError``.
  func foldAtOnce() async throws(PostgresError) -> Folded {
    let (_, _, folded, _) = try await session.atomically(
      .run(SQL.Queue.limitCursor), QueueCalls.waitForCursor,
      QueueCalls.fold(atOnce: true),
      .count(SQL.Queue.makeDue))
    return folded
  }

  /// Folds like ``foldAtOnce()`` and looks at what there is then, in one round trip.
  func foldAndPoll() async throws(PostgresError) -> (poll: QueueCalls.Poll, left: PendingWork) {
    let (_, _, _, _, poll, left) = try await session.atomically(
      .run(SQL.Queue.limitCursor), QueueCalls.waitForCursor,
      QueueCalls.fold(atOnce: true),
      .count(SQL.Queue.makeDue), QueueCalls.poll,
      QueueCalls.countLeft(of: nil))
    return (poll, left)
  }

  /// Folds what has committed, after whoever is folding; debounces and backoffs count.
  func foldAfterOthers() async throws {
    try await session.transaction { transaction in
      try await transaction.run(QueueCalls.waitForCursor)
      guard let isOurs = try await lockCursor(in: transaction) else { return }
      _ = try await fold(in: transaction, logIsOfThisCluster: isOurs)
    }
  }

  /// Empties used-up segments of the event log and moves its writers on.
  ///
  /// Not in a log of another cluster: its events would seem to be folded, and be lost.
  func rotate() async throws {
    try await session.transaction { transaction in
      guard try await lockCursor(in: transaction) == true else { return }
      try await transaction.run(.run(SQL.Queue.rotateEventLog))
    }
  }

  /// Removes the keys that had a run, but not lately, of jobs whose debounce has a leading edge.
  func forgetRecentRuns() async throws(PostgresError) {
    while try await session.freely.atomically(.count(SQL.Queue.forgetRecentRuns)) == 10_000 {}
  }

  /// Whether the log is of this cluster; nil where another process has the cursor.
  func lockCursor(in transaction: Transaction) async throws -> Bool? {
    let (_, isOurs) = try await transaction.run(
      .run(SQL.Queue.limitCursor), QueueCalls.lockCursor)
    return isOurs.first
  }

  /// The caller holds the cursor.
  ///
  /// A log from another cluster is folded whole: its transaction ids mean nothing here, and new
  /// events would for ever lie "before" its position, unfolded and without an error.
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

/// What a fold did.
struct Folded: Sendable {
  /// Events that it read.
  let events: Int
  /// Ready runs that it made or moved.
  let runs: Int
  /// Names of their jobs.
  let jobs: [String]
}
