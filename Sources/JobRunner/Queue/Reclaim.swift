import Postgres
import RunnerSQL

extension Queue {
  /// Gives the runs of dead workers back; nil where another process has the cursor.
  func reclaim() async throws -> Reclaimed? {
    try await session.transaction { transaction in
      guard try await lockCursor(in: transaction) != nil else { return nil }
      let (_, _, reclaimed, _, _) = try await transaction.run(
        .count(SQL.Workers.noteMissing), QueueCalls.lockCancellations, QueueCalls.reclaim,
        // Behind it: what a dead worker held counts whole, or a run beside one that was cancelled would
        // seem to have been alone.
        QueueCalls.endLost(), .count(SQL.Workers.forgetDead))
      if reclaimed.dead > 0 { try await transaction.run(.count(SQL.Queue.recordCrashed)) }
      return reclaimed
    }
  }

  /// Gives back what was claimed for this worker without its knowing.
  func releaseUnknown(to worker: WorkerIdentity) async throws(PostgresError) {
    let known = worker.claims.known
    try await session.atomically(
      QueueCalls.lockCancellations, .count(SQL.Queue.releaseUnknown, worker.id, known),
      QueueCalls.endLost(of: worker.id, besides: known))
  }
}

/// What a reclaim did.
struct Reclaimed: Sendable {
  let released: Int
  let dead: Int
}
