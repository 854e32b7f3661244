import BatonJobs
import BatonPostgres
import RunnerSQL

extension Session {
  /// Makes a claim of a job with limits, while no other claim of it counts the running runs.
  ///
  /// Its COMMIT waits for the disk. Otherwise a server that crashes could forget the claim, and others would start
  /// too many runs while this work goes on.
  ///
  /// - Parameters:
  ///   - limit: the most runs.
  ///   - byGroup: whether runs of full groups can block the claim.
  ///   - patience: how long it waits for its turn, and for any lock; nil: the server's setting.
  ///   - take: the claim of at most so many runs.
  /// - Returns: an empty list if the limits leave no room.
  /// - Throws: `PostgresError`; 55P03 if its turn did not come in time.
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
  /// Claims; if runs of full groups blocked the claim, it sets them aside and tries again.
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
