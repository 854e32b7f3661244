public import Postgres
import RunnerSQL

/// A run that is ready again after it was dead.
public struct RetriedRun: Sendable, Equatable {
  /// The run's id.
  public let id: Int64
  /// How many dead runs of its key go on in it.
  public let dead: Int
}

/// Runs that are not dead, or are not there.
public struct NotDead: Error, Sendable, Equatable {
  /// Their ids.
  public let ids: [Int64]
}

extension Queue {
  /// Lets dead runs be tried again: one of them, those of a job, or all.
  ///
  /// - Returns: the runs that are ready now, under the ids of the dead ones where those were alone.
  /// - Throws: `PostgresError`.
  public func retry(id: Int64?, job: String?) async throws(PostgresError) -> [RetriedRun] {
    let retry = Call.rows(SQL.Runs.retry, id, job) { (row) throws(PostgresError) in
      let (id, dead) = try row.decode(Int64.self, Int64.self)
      return RetriedRun(id: id, dead: Int(dead))
    }
    return try await session.freely.atomically(retry)
  }

  /// Forgets dead runs: all of these ids or none, those of a job, or all.
  ///
  /// - Parameters:
  ///   - ids: the runs; nil: all.
  ///   - job: only those of this job; nil: of any.
  ///   - isDryRun: only says which they are.
  /// - Returns: the runs.
  /// - Throws: ``NotDead``, `PostgresError`; nothing was forgotten then.
  public func discard(
    ids: [Int64]?, job: String?, isDryRun: Bool
  ) async throws -> [ListedRun] {
    try await session.freely.transaction { transaction in
      let dead = try await transaction.run(
        .rows(SQL.Runs.lockDead, ids, job, decode: ListedRun.decode))
      let missing = Set(ids ?? []).subtracting(dead.map(\.id))
      guard missing.isEmpty else { throw NotDead(ids: missing.sorted()) }
      if !isDryRun { try await transaction.run(.count(SQL.Runs.discard, dead.map(\.id))) }
      return dead
    }
  }
}
