import BatonPostgres
import Foundation
import RunnerSQL

extension Queue {
  /// Releases the runs of dead workers; returns nil if another process has the cursor.
  func reclaim() async throws -> Reclaimed? {
    try await session.transaction { transaction in
      guard try await lockCursor(in: transaction) != nil else { return nil }
      let (_, _, reclaimed, _, _) = try await transaction.run(
        .count(SQL.Workers.noteMissing), QueueCalls.lockCancellations, QueueCalls.reclaim,
        // After the reclaim: it must see all runs that a dead worker held. Otherwise a run that was claimed together
        // with a cancelled one would seem to have been alone.
        QueueCalls.endLost(), .count(SQL.Workers.forgetDead))
      if reclaimed.dead > 0 { try await transaction.run(.count(SQL.Queue.recordCrashed)) }
      return reclaimed
    }
  }

  /// Releases runs that were claimed for this worker without its knowledge.
  func releaseUnknown(to worker: WorkerIdentity) async throws(PostgresError) {
    let unknown = try await unknownTokens(of: worker)
    guard !unknown.isEmpty else { return }
    try await release(unknown, of: worker)
  }

  /// Returns the tokens of runs that a worker has but does not know.
  ///
  /// The server is read first. A worker knows a token before it claims with it. So a token that is found here and is
  /// still unknown afterwards belongs to no work. In the other order, a claim that commits in between would be taken
  /// for lost.
  func unknownTokens(of worker: WorkerIdentity) async throws(PostgresError) -> [UUID] {
    let list = Call.rows(SQL.Queue.listTokens, worker.id) { (row) throws(PostgresError) in
      try row.decode(UUID.self)
    }
    let held: [UUID] = try await session.atomically(list)
    let known = Set(worker.claims.known)
    return held.filter { !known.contains($0) }
  }

  /// Releases the runs with these tokens of a worker; cancelled ones are removed.
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
