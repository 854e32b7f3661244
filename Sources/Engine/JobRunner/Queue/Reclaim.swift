import BatonPostgres
import Foundation
import RunnerSQL

extension Queue {
  /// Releases the runs of dead workers, or returns nil if another process has locked the cursor of
  /// the event log.
  func reclaim() async throws -> Reclaimed? {
    try await session.transaction { transaction in
      guard try await lockCursor(in: transaction) != nil else { return nil }
      let (_, _, _, reclaimed, _, _) = try await transaction.run(
        .count(SQL.Workers.noteMissing), .count(SQL.Workers.noteDeaths),
        QueueCalls.lockCancellations, QueueCalls.reclaim,
        // The `reclaim` statement counts all runs of a dead worker, including cancelled runs.
        // Therefore `endLost` removes the cancelled runs only after `reclaim`.
        QueueCalls.endLost(), .count(SQL.Workers.forgetDead))
      if reclaimed.dead > 0 { try await transaction.run(.count(SQL.Queue.recordCrashed)) }
      return reclaimed
    }
  }

  /// Releases the runs of dead workers, unless the server's clock has just jumped forward.
  ///
  /// After a jump, all workers seem dead. Their effects would begin twice, so the method does not
  /// release anything until each live worker has sent a heartbeat.
  func reclaim(by worker: WorkerContext) async throws -> Reclaimed? {
    worker.serverClock.learn(try await session.atomically(QueueCalls.readClock))
    return worker.serverClock.hasJustJumped ? nil : try await reclaim()
  }

  /// Returns whether there may be runs of unregistered workers.
  ///
  /// Polls find dead workers, but searching for unregistered workers in each poll would be too
  /// expensive.
  func hasLostRuns() async throws(PostgresError) -> Bool {
    let hasLost = Call.row(SQL.Queue.hasLostRuns) { (row) throws(PostgresError) in
      try row.decode(Bool.self)
    }
    return try await session.atomically(hasLost)
  }

  /// Releases runs that the database assigns to a worker, but whose claim the worker has not
  /// recorded.
  func releaseUnknown(to worker: WorkerIdentity) async throws(PostgresError) {
    let unknown = try await unknownTokens(of: worker)
    guard !unknown.isEmpty else { return }
    try await release(unknown, of: worker)
  }

  /// Returns the claim tokens that the database stores for a worker, but that the worker has not
  /// recorded.
  ///
  /// The method first reads the tokens in the database, and then those that the worker has
  /// recorded. A worker records a token before it sends the claim, so the result never contains a
  /// claim in progress.
  func unknownTokens(of worker: WorkerIdentity) async throws(PostgresError) -> [UUID] {
    let list = Call.rows(SQL.Queue.listTokens, worker.id) { (row) throws(PostgresError) in
      try row.decode(UUID.self)
    }
    let held: [UUID] = try await session.atomically(list)
    let known = Set(worker.claims.known)
    return held.filter { !known.contains($0) }
  }

  /// Releases a worker's runs with the given tokens, and removes runs that were cancelled.
  func release(_ tokens: [UUID], of worker: WorkerIdentity) async throws(PostgresError) {
    try await session.atomically(
      QueueCalls.lockCancellations, .count(SQL.Queue.releaseUnknown, worker.id, tokens),
      QueueCalls.endLost(of: worker.id, under: tokens))
  }
}

/// The result of a reclaim.
struct Reclaimed: Sendable {
  let released: Int
  let dead: Int
}
