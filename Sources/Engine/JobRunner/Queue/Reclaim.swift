import BatonPostgres
import Foundation
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
    let unknown = try await unknownTokens(of: worker)
    guard !unknown.isEmpty else { return }
    try await release(unknown, of: worker)
  }

  /// Tokens under which a worker has runs that it knows nothing of.
  ///
  /// The server is asked first: a worker knows a token before it claims under it, so whatever is found here and is not
  /// known behind it belongs to nobody. The other way round, a claim that commits in between would be taken for lost.
  func unknownTokens(of worker: WorkerIdentity) async throws(PostgresError) -> [UUID] {
    let list = Call.rows(SQL.Queue.listTokens, worker.id) { (row) throws(PostgresError) in
      try row.decode(UUID.self)
    }
    let held: [UUID] = try await session.atomically(list)
    let known = Set(worker.claims.known)
    return held.filter { !known.contains($0) }
  }

  /// Gives back the runs under some tokens of a worker; those that somebody cancelled are taken out.
  func release(_ tokens: [UUID], of worker: WorkerIdentity) async throws(PostgresError) {
    try await session.atomically(
      QueueCalls.lockCancellations, .count(SQL.Queue.releaseUnknown, worker.id, tokens),
      QueueCalls.endLost(of: worker.id, under: tokens))
  }
}

/// What a reclaim did.
struct Reclaimed: Sendable {
  let released: Int
  let dead: Int
}
