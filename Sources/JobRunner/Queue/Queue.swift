import JobCore
public import Postgres
import RunnerSQL

/// The queue's operations that take more than one statement, on one connection.
public struct Queue: Sendable {
  let connection: Connection
  let schema: Schema

  /// The queue of a schema, seen through a connection that nobody else uses meanwhile.
  public init(_ connection: Connection, schema: Schema) {
    self.connection = connection
    self.schema = schema
  }

  /// Enters the definitions and schedules, so that the fold knows which events wake which jobs.
  ///
  /// A new or changed schedule fires from its first occurrence after domain time.
  ///
  /// - Throws: ``PostgresError``.
  public func define(_ jobs: [RegisteredJob]) async throws {
    try await connection.transaction(in: schema, planning: .noSequentialScan) { transaction in
      _ = try await transaction.run(
        jobs.sorted { $0.definition.name < $1.definition.name }
          .map { QueueCalls.define($0.definition) })
      try await transaction.define(schedulesOf: jobs.map(\.definition))
    }
  }

  /// Folds what has committed into ready runs, unless another process is folding.
  ///
  /// - Returns: nil where another process has the cursor.
  /// - Throws: ``PostgresError``.
  func fold() async throws -> Folded? {
    try await connection.transaction(in: schema, planning: .noSequentialScan) { transaction in
      guard let isOurs = try await lockCursor(in: transaction) else { return nil }
      return try await fold(in: transaction, logIsOfThisCluster: isOurs)
    }
  }

  /// Folds everything that has committed, after whoever is folding, and makes all ready runs due.
  ///
  /// One round trip; for a log that is known to be of this cluster.
  ///
  /// - Throws: ``PostgresError``.
  func foldAtOnce() async throws(PostgresError) -> Folded {
    let (_, folded, _) = try await connection.atomically(
      in: schema, planning: .noSequentialScan, QueueCalls.waitForCursor,
      QueueCalls.fold(atOnce: true),
      .count(SQL.Queue.makeDue))
    return folded
  }

  /// Folds like ``foldAtOnce()`` and looks at what there is then, in one round trip.
  func foldAndPoll() async throws(PostgresError) -> (look: QueueCalls.Poll, left: PendingWork) {
    let (_, _, _, look, left) = try await connection.atomically(
      in: schema, planning: .noSequentialScan, QueueCalls.waitForCursor,
      QueueCalls.fold(atOnce: true),
      .count(SQL.Queue.makeDue), QueueCalls.poll,
      QueueCalls.countLeft(of: nil))
    return (look, left)
  }

  /// Folds what has committed, after whoever is folding; debounces and backoffs count.
  func foldAfterOthers() async throws {
    try await connection.transaction(in: schema, planning: .noSequentialScan) { transaction in
      try await transaction.run(QueueCalls.waitForCursor)
      guard let isOurs = try await lockCursor(in: transaction) else { return }
      _ = try await fold(in: transaction, logIsOfThisCluster: isOurs)
    }
  }

  /// Whether the log is of this cluster; nil where another process has the cursor.
  private func lockCursor(in transaction: Transaction) async throws -> Bool? {
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
      return try await transaction.run(QueueCalls.fold(atOnce: false))
    }
    let (_, _, _, folded, _, _) = try await transaction.run(
      .run(SQL.Queue.lockEventLog),
      .run(SQL.Queue.announceRestart),
      .run(SQL.Queue.setPosition, "3:3:"),
      QueueCalls.fold(atOnce: false),
      .run(SQL.Queue.truncateEventLog),
      .run(SQL.Queue.setPosition, String?.none))
    return folded
  }

  /// Gives the runs of dead workers back; nil where another process has the cursor.
  func reclaim() async throws -> Reclaimed? {
    try await connection.transaction(in: schema, planning: .noSequentialScan) { transaction in
      guard try await lockCursor(in: transaction) != nil else { return nil }
      let (_, reclaimed, _) = try await transaction.run(
        .count(SQL.Workers.noteMissing), QueueCalls.reclaim, .count(SQL.Workers.forgetDead))
      if reclaimed.dead > 0 { try await transaction.run(.count(SQL.Queue.recordCrashed)) }
      return reclaimed
    }
  }

  /// Empties used-up slots of the event log and moves its writers on.
  ///
  /// Not in a log of another cluster: its events would seem to be folded, and be lost.
  func rotate() async throws {
    try await connection.transaction(in: schema, planning: .noSequentialScan) { transaction in
      guard try await lockCursor(in: transaction) == true else { return }
      try await transaction.run(.run(SQL.Queue.rotateEventLog))
    }
  }

  /// Gives back what was claimed for this worker without its knowing.
  func releaseUnknown(to worker: WorkerIdentity) async throws(PostgresError) {
    try await connection.atomically(
      in: schema, planning: .noSequentialScan,
      .count(SQL.Queue.releaseUnknown, worker.id, worker.claims.known))
  }

  /// What is left to do.
  ///
  /// - Parameter jobs: the jobs whose runs count while they are not paused; nil: all, for anybody.
  /// - Throws: ``PostgresError``.
  public func pendingWork(of jobs: [String]? = nil) async throws(PostgresError) -> PendingWork {
    try await connection.atomically(
      in: schema, planning: .noSequentialScan, QueueCalls.countLeft(of: jobs))
  }
}
