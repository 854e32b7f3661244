import BatonJobs
import BatonPostgres
import RunnerSQL

extension Session {
  /// A claim of a job with limits, while no other claim of it counts what runs.
  ///
  /// Its COMMIT waits for the disk: a server that crashed and forgot it would let others start beside what
  /// goes on.
  ///
  /// - Parameters:
  ///   - limit: the most runs.
  ///   - byGroup: whether runs of full groups can be in its way.
  ///   - patience: how long it waits for its turn, and for any lock; nil: as the server says.
  ///   - take: the claim of so many runs at most.
  /// - Returns: none where there is no room.
  /// - Throws: `PostgresError`; 55P03 where its turn did not come.
  func claimInTurn(
    _ job: JobDefinition, limit: Int, byGroup: Bool = false, patience: Duration? = nil,
    _ take: @Sendable (_ limit: Int) -> Call<[ClaimedRun]>
  ) async throws(PostgresError) -> [ClaimedRun] {
    try await claiming { transaction in
      let (_, _, room) = try await transaction.run(
        Self.limitTurn(patience), QueueCalls.takeTurn(job), QueueCalls.readRoom(job))
      let limit = min(limit, room ?? limit)
      guard limit > 0 else { return [] }
      let runs = try await transaction.claim(job, limit: limit, byGroup: byGroup, take)
      guard !runs.isEmpty else { return runs }
      try await transaction.run(QueueCalls.countStarts(job, runs.count))
      return try await transaction.taking(job, for: runs)
    }
  }

  private static func limitTurn(_ patience: Duration?) -> Call<Void> {
    .run(SQL.Queue.limitClaim, patience?.milliseconds, true)
  }
}

extension Transaction {
  /// Claims; where runs of full groups were in the way, they are put aside and it is tried again.
  fileprivate func claim(
    _ job: JobDefinition, limit: Int, byGroup: Bool, _ take: (Int) -> Call<[ClaimedRun]>
  ) async throws(PostgresError) -> [ClaimedRun] {
    while true {
      let runs = try await run(take(limit))
      guard byGroup, runs.count < limit else { return runs }
      let held = try await run(QueueCalls.holdFullGroups(job))
      guard runs.isEmpty, held > 0 else { return runs }
    }
  }
}
