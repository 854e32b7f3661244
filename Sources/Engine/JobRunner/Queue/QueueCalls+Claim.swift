import BatonJobs
import BatonPostgres
import Foundation
import RunnerSQL

/// The statements that claim runs.
extension QueueCalls {
  /// Sets up the transaction of a claim.
  ///
  /// - Parameter patience: how long the claim waits for a lock, or nil for the server's `lock_timeout`.
  static func limitClaim(_ patience: Duration?, _ job: JobDefinition) -> Call<Void> {
    .run(SQL.Queue.limitClaim, patience?.milliseconds, job.isEffect)
  }

  static func claim(
    _ job: JobDefinition, limit: Int? = nil, token: UUID, worker: UUID,
    from place: QueueFront.Place = QueueFront.Marks().earliest, besideRunning: Bool = true
  ) -> Call<[ClaimedRun]> {
    .rows(
      SQL.Queue.claim, job.name, Int64(limit ?? job.batch), token, worker, besideRunning,
      place.due, place.id, decode: claimedRun)
  }

  /// Reads the queue between two positions, and returns whether later claims should skip this part.
  static func checkBlocked(
    _ job: JobDefinition, from first: QueueFront.Place, to last: QueueFront.Place
  ) -> Call<Bool> {
    .row(
      SQL.Queue.checkBlocked, job.name, first.due, first.id, last.due, last.id,
      BlockedRuns.fewest
    ) { (row) throws(PostgresError) in try row.decode(Bool.self) }
  }

  /// Claims the most urgent runs of a job first.
  ///
  /// - Parameters:
  ///   - isByAge: whether the oldest runs are claimed first, regardless of their priority.
  ///   - isInTurn: whether the transaction has taken the job's turn. If it has not, no runs of a
  ///     job with limits are claimed. If each group has a limit, no runs are claimed at all.
  static func claimByPriority(
    _ job: JobDefinition, limit: Int, token: UUID, worker: UUID, isByAge: Bool, isInTurn: Bool,
    from marks: QueueFront.Marks
  ) -> Call<[ClaimedRun]> {
    let (_, priorities, dues, ids) = marks.columns
    return .rows(
      SQL.Queue.claimByPriority, job.name, Int64(limit), token, worker, isByAge, priorities, dues,
      ids, marks.others, isInTurn, decode: claimedRun)
  }

  /// Claims runs from groups that are below their limits, and stores the last group in `turn`.
  ///
  /// - Parameters:
  ///   - isByAge: whether the oldest runs of a group are claimed first, regardless of their
  ///     priority.
  ///   - turn: the previous claim's last group, after which this claim continues.
  ///   - skipsRunning: whether keys that have a running run are skipped.
  ///   - skipsLocked: whether runs that another transaction has locked are skipped before runs are
  ///     chosen. The claim then locks more runs than it claims.
  static func claimByGroup(
    _ job: JobDefinition, limit: Int, token: UUID, worker: UUID, isByAge: Bool, turn: GroupTurn,
    skipsRunning: Bool, skipsLocked: Bool = false, from marks: QueueFront.Marks
  ) -> Call<[ClaimedRun]> {
    let (group, isHeldFirst) = turn.next(isByAge: isByAge)
    let (_, priorities, dues, ids) = marks.columns
    return .rows(
      SQL.Queue.claimByGroup, job.name, Int64(limit), token, worker, isByAge, group, isHeldFirst,
      priorities, dues, ids, marks.others, skipsRunning, skipsLocked
    ) { (row) throws(PostgresError) in
      let (id, key, payload, attempt, due, firstEventAt, place, origin, trace, stored, last) =
        try row.decode(
          Int64.self, String.self, String?.self, Int32.self, Timestamp.self, Timestamp.self,
          RowPlace.self, String?.self, String?.self, Bool.self, String?.self)
      if let last { turn.end(at: last) }
      return claimedRun(
        (id, key, payload, attempt, due, firstEventAt, place, origin, trace, stored))
    }
  }

  /// Claims runs that failed or crashed in a batch.
  ///
  /// - Parameter firstClaim: a claim number. No running claim of the job has a lower number.
  static func claimQuarantined(
    _ job: JobDefinition, limit: Int, token: UUID, worker: UUID, firstClaim: Int64 = 0
  ) -> Call<[ClaimedRun]> {
    .rows(
      SQL.Queue.claimQuarantined, job.name, token, worker, Int64(limit), firstClaim,
      decode: claimedRun)
  }

  /// Claims one of a job's oldest or newest due runs, or none if no run is due.
  ///
  /// - Parameters:
  ///   - runs: the number of runs to choose from.
  ///   - number: which of these runs is claimed. If fewer runs are due, the number is reduced modulo
  ///     the number of due runs.
  ///   - place: the place before which no run without a batch limit is ready.
  static func claimProbe(
    _ job: JobDefinition, token: UUID, worker: UUID, among runs: Int64, number: Int64,
    amongNewest: Bool, from place: QueueFront.Place = QueueFront.Marks().earliest,
    firstClaim: Int64 = 0
  ) -> Call<[ClaimedRun]> {
    .rows(
      SQL.Queue.claimProbe, job.name, token, worker, runs, number, amongNewest, place.due, place.id,
      firstClaim, decode: claimedRun)
  }

  /// Claims a run that must run alone in its process.
  static func claimAlone(
    _ job: JobDefinition, token: UUID, worker: UUID, firstClaim: Int64 = 0
  ) -> Call<[ClaimedRun]> {
    .rows(SQL.Queue.claimAlone, job.name, token, worker, firstClaim, decode: claimedRun)
  }

  /// Claims runs that another release could not decode.
  static func claimLeft(
    _ job: JobDefinition, limit: Int, token: UUID, worker: UUID, for release: ProgramRelease?,
    firstClaim: Int64 = 0
  ) -> Call<[ClaimedRun]> {
    .rows(
      SQL.Queue.claimLeft, job.name, token, worker, Int64(limit), release?.program,
      release.map { Int32($0.number) }, firstClaim, decode: claimedRun)
  }

  /// Lists the runs of a claim that this release cannot decode, but that another release may be
  /// able to decode.
  static func listLeavable(_ claim: Claim, by release: ProgramRelease) -> Call<[Int64]> {
    .rows(
      SQL.Queue.listLeavable, claim.job.definition.name, claim.keys, claim.token, release.program,
      Int32(release.number), as: Int64.self)
  }

  static func claimKey(
    _ job: JobDefinition, key: String, token: UUID, worker: UUID
  ) -> Call<[ClaimedRun]> {
    .rows(SQL.Runs.claimKey, job.name, key, token, worker, decode: claimedRun)
  }

  /// Lets only one transaction at a time claim runs of a job that has limits.
  static func takeTurn(_ job: JobDefinition) -> Call<Void> { .run(SQL.Queue.takeTurn, job.name) }

  /// Returns the number of runs that may start, and whether starts are counted for rate limits.
  static func readRoom(
    _ job: JobDefinition, firstClaim: Int64 = 0
  ) -> Call<ClaimRoom> {
    .row(SQL.Queue.readRoom, job.name, firstClaim) { (row) throws(PostgresError) in
      let (runs, hasRate, hasGroupRate, firstClaim) = try row.decode(
        Int32?.self, Bool.self, Bool.self, Int64.self)
      return ClaimRoom(
        runs: runs.map { Int($0) }, hasRate: hasRate, hasGroupRate: hasGroupRate,
        firstClaim: firstClaim)
    }
  }

  /// Counts the starts of the runs for the rate limits of the job and its groups.
  static func countStarts(_ job: JobDefinition, of runs: [ClaimedRun]) -> Call<Void> {
    .run(SQL.Queue.countStarts, job.name, runs.map(\.place))
  }

  /// Sets the time of the next turn for each group that a claim has considered.
  ///
  /// - Parameter visitedAll: whether the claim has visited all groups whose turn is due. If not,
  ///   later turns are not read.
  static func setTurns(
    _ job: JobDefinition, after runs: [ClaimedRun], atMost limit: Int, visitedAll: Bool,
    from marks: QueueFront.Marks
  ) -> Call<Int> {
    let (_, priorities, dues, _) = marks.columns
    return .count(
      SQL.Queue.setTurns, job.name, runs.map(\.place), Int64(limit), priorities, dues,
      marks.others, visitedAll)
  }

  /// Sets aside runs that the limits of their groups delay, and returns the number of runs set
  /// aside.
  static func holdFullGroups(
    _ job: JobDefinition, from marks: QueueFront.Marks
  ) -> Call<Int> {
    let (_, priorities, dues, ids) = marks.columns
    return .count(SQL.Queue.holdFullGroups, job.name, priorities, dues, ids, marks.others)
  }

  /// Returns whether a job has limits.
  static func hasLimits(_ job: JobDefinition) -> Call<Bool> {
    .row(SQL.Queue.hasLimits, job.name) { (row) throws(PostgresError) in
      try row.decode(Bool.self)
    }
  }

  static func readClaimOrder(_ job: JobDefinition) -> Call<ClaimOrder> {
    .row(SQL.Queue.readClaimOrder, job.name) { (row) throws(PostgresError) in
      try ClaimOrder(rawValue: row.decode(String.self)) ?? .group
    }
  }
}
