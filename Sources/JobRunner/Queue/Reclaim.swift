import Postgres
import RunnerSQL

extension Queue {
  /// Gives the runs of dead workers back; nil where another process has the cursor.
  func reclaim() async throws -> Reclaimed? {
    try await session.transaction { transaction in
      guard try await lockCursor(in: transaction) != nil else { return nil }
      let (_, reclaimed, _) = try await transaction.run(
        .count(SQL.Workers.noteMissing), QueueCalls.reclaim, .count(SQL.Workers.forgetDead))
      if reclaimed.dead > 0 { try await transaction.run(.count(SQL.Queue.recordCrashed)) }
      return reclaimed
    }
  }

  /// Gives back what was claimed for this worker without its knowing.
  func releaseUnknown(to worker: WorkerIdentity) async throws(PostgresError) {
    try await session.atomically(
      .count(SQL.Queue.releaseUnknown, worker.id, worker.claims.known))
  }
}

/// What a reclaim did.
struct Reclaimed: Sendable {
  let released: Int
  let dead: Int
}
