import BatonJobs
import BatonPostgres
import RunnerSQL

extension Session {
  /// Claims runs of a job with limits, under a lock that only one of the job's claims can hold at a
  /// time.
  ///
  /// The COMMIT waits for the disk so that a server crash cannot lose the claim. If a crash lost
  /// the claim, other workers could exceed the job's limits.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of runs to claim.
  ///   - front: the positions where the searches for runs, groups and claims begin, or nil for the
  ///     beginning.
  ///   - holding: when the claim also sets aside runs of groups that have reached a limit.
  ///   - patience: how long the claim waits for each lock, or nil for the server's `lock_timeout`.
  ///   - isWanted: whether the claim may continue in another transaction if it has found no runs.
  ///   - skippingLocked: builds the statement that skips locked runs before it chooses runs, or nil
  ///     if the statement of `take` does so. It is used only if `holding` is not `never`.
  ///   - take: builds the statement that claims at most `limit` runs.
  /// - Returns: the claimed runs, or an empty list if the limits are reached.
  /// - Throws: `PostgresError`, with SQLSTATE 55P03 if another claim of the job held the lock for
  ///   too long.
  func claimInTurn(
    _ job: JobDefinition, limit: Int, from front: QueueFront? = nil,
    holding: FullGroupHolding = .never, patience: Duration? = nil,
    while isWanted: @Sendable () -> Bool = { true },
    skippingLocked: (@Sendable (Int, QueueFront.Marks) -> Call<[ClaimedRun]>)? = nil,
    _ take: @Sendable (_ limit: Int, _ marks: QueueFront.Marks) -> Call<[ClaimedRun]>
  ) async throws(PostgresError) -> [ClaimedRun] {
    while true {
      let (runs, mayFindMore) = try await claimOnceInTurn(
        job, limit: limit, from: front, holding: holding, patience: patience,
        skippingLocked: skippingLocked, take)
      // Each transaction sets aside at most a few thousand runs. Between two transactions, other
      // claims of the job take their turn, and dispatches can change the runs.
      guard runs.isEmpty, mayFindMore, isWanted() else { return runs }
    }
  }

  private func claimOnceInTurn(
    _ job: JobDefinition, limit: Int, from front: QueueFront?, holding: FullGroupHolding,
    patience: Duration?,
    skippingLocked: (@Sendable (Int, QueueFront.Marks) -> Call<[ClaimedRun]>)?,
    _ take: @Sendable (_ limit: Int, _ marks: QueueFront.Marks) -> Call<[ClaimedRun]>
  ) async throws(PostgresError) -> (runs: [ClaimedRun], mayFindMore: Bool) {
    try await claiming { transaction in
      var marks = front?.marks(of: job.name) ?? QueueFront.Marks()
      let (_, _, room) = try await transaction.run(
        Self.limitTurn(patience), QueueCalls.takeTurn(job),
        QueueCalls.readRoom(job, firstClaim: marks.firstClaims[job.name, default: 0]))
      front?.note(firstClaim: room.firstClaim, of: job.name)
      marks.firstClaims[job.name] = room.firstClaim
      let limit = min(limit, room.runs ?? limit)
      guard limit > 0 else { return ([], false) }
      let (runs, mayFindMore) = try await transaction.claim(
        job, limit: limit, within: room, from: marks, holding: holding,
        skippingLocked: skippingLocked, take)
      if room.hasGroupRate {
        // The groups' turns are updated even if the claim returned no runs. A group whose turn is
        // due may have reached its limit, so it needs a later turn.
        // A full claim, and a claim of runs that are executed apart, do not visit all groups.
        _ = try await transaction.run(
          QueueCalls.setTurns(
            job, after: runs, atMost: limit * 2 + 1_000,
            visitedAll: holding != .never && runs.count < limit, from: marks))
      }
      return (try await transaction.taking(job, for: runs), mayFindMore)
    }
  }

  private static func limitTurn(_ patience: Duration?) -> Call<Void> {
    .run(SQL.Queue.limitClaim, patience?.milliseconds, true)
  }
}

/// When a claim sets aside the runs of groups that have reached a limit.
enum FullGroupHolding: Sendable {
  case never
  /// If the claim returns fewer runs than it may return.
  case ifFewerRuns
  case always
}

/// The number of runs that a job with limits may start now, and the properties of its rate limits.
struct ClaimRoom: Sendable {
  /// The maximum number of runs that may start, or nil if unlimited.
  let runs: Int?
  /// Whether starts are counted, because the job or its groups have a rate limit.
  let hasRate: Bool
  /// Whether each group has a rate limit.
  let hasGroupRate: Bool
  /// The sequence number of the oldest running claim of the job.
  let firstClaim: Int64
}

extension Transaction {
  /// The maximum number of times that one transaction sets aside runs.
  ///
  /// Each round rereads the runs that the transaction's earlier rounds have set aside.
  private static let mostRounds = 3

  /// Claims runs, counts their starts, and sets aside runs of groups that have reached a limit.
  fileprivate func claim(
    _ job: JobDefinition, limit: Int, within room: ClaimRoom, from marks: QueueFront.Marks,
    holding: FullGroupHolding,
    skippingLocked: (@Sendable (Int, QueueFront.Marks) -> Call<[ClaimedRun]>)?,
    _ take: (Int, QueueFront.Marks) -> Call<[ClaimedRun]>
  ) async throws(PostgresError) -> (runs: [ClaimedRun], mayFindMore: Bool) {
    for _ in 1...Self.mostRounds {
      let runs = try await start(take(limit, marks), of: job, within: room)
      guard holding == .always || holding == .ifFewerRuns && runs.count < limit else {
        return (runs, false)
      }
      let held = try await run(QueueCalls.holdFullGroups(job, from: marks))
      guard runs.isEmpty else { return (runs, false) }
      guard held == 0 else { continue }
      // A dry run may have locked all runs that the statement has chosen.
      guard let skippingLocked else { return ([], false) }
      return (try await start(skippingLocked(limit, marks), of: job, within: room), false)
    }
    return ([], true)
  }

  /// Claims runs and counts their starts.
  private func start(
    _ claim: Call<[ClaimedRun]>, of job: JobDefinition, within room: ClaimRoom
  ) async throws(PostgresError) -> [ClaimedRun] {
    let runs = try await run(claim)
    if room.hasRate, !runs.isEmpty { try await run(QueueCalls.countStarts(job, of: runs)) }
    return runs
  }
}
