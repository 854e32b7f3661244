import BatonJobs
import BatonPostgres
import RunnerSQL

extension Session {
  /// Claims runs of a job with limits, while no other claim of the job counts the running runs.
  ///
  /// The COMMIT waits for the disk. Otherwise a crash of the server could lose the claim, and other
  /// workers would start too many runs while these runs continue.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of runs.
  ///   - marks: if runs of full groups can block the claim, the places from which they are searched.
  ///   - patience: how long the claim waits for its turn and for any lock, or nil for the server's
  ///     setting.
  ///   - take: creates the claim of at most `limit` runs.
  /// - Returns: the claimed runs, or an empty list if the limits are reached.
  /// - Throws: `PostgresError`, with 55P03 if the claim did not get its turn in time.
  func claimInTurn(
    _ job: JobDefinition, limit: Int, heldFrom marks: QueueFront.Marks? = nil,
    patience: Duration? = nil,
    _ take: @Sendable (_ limit: Int) -> Call<[ClaimedRun]>
  ) async throws(PostgresError) -> [ClaimedRun] {
    try await claiming { transaction in
      let (_, _, room) = try await transaction.run(
        Self.limitTurn(patience), QueueCalls.takeTurn(job), QueueCalls.readRoom(job))
      let limit = min(limit, room ?? limit)
      guard limit > 0 else { return [] }
      let runs = try await transaction.claim(job, limit: limit, heldFrom: marks, take)
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
  /// Claims runs, and sets aside runs of full groups that block the claim.
  fileprivate func claim(
    _ job: JobDefinition, limit: Int, heldFrom marks: QueueFront.Marks?,
    _ take: (Int) -> Call<[ClaimedRun]>
  ) async throws(PostgresError) -> [ClaimedRun] {
    while true {
      let runs = try await run(take(limit))
      guard let marks, runs.count < limit else { return runs }
      let held = try await run(QueueCalls.holdFullGroups(job, from: marks))
      guard runs.isEmpty, held > 0 else { return runs }
    }
  }
}
