import BatonJobs
import BatonPostgres
import Foundation
import RunnerSQL

/// The statements of the queue, which take and return Swift values.
enum QueueCalls {

  static let reclaim = Call.row(SQL.Queue.reclaim) { (row) throws(PostgresError) in
    let (back, dead) = try row.decode(Int64.self, Int64.self)
    return Reclaimed(released: Int(back), dead: Int(dead))
  }

  /// Locks the runs for a dry run: the run with a given key, or a batch of due runs.
  static func lockForDryRun(_ job: JobDefinition, key: String?) -> Call<[ClaimedRun]> {
    guard let key else {
      return .rows(SQL.Runs.lockDueForDryRun, job.name, Int64(job.batch), decode: claimedRun)
    }
    return .rows(SQL.Runs.lockKeyForDryRun, job.name, key, decode: claimedRun)
  }

  static let countChanges = Call.rows(SQL.Runs.countChanges) { (row) throws(PostgresError) in
    let (table, inserted, updated, deleted) = try row.decode(
      String.self, Int64.self, Int64.self, Int64.self)
    return InlineRunner.Change(
      table: table, inserted: inserted, updated: updated, deleted: deleted)
  }

  static func claimedRun(_ row: Row) throws(PostgresError) -> ClaimedRun {
    claimedRun(
      try row.decode(
        Int64.self, String.self, String?.self, Int32.self, Timestamp.self, Timestamp.self,
        RowPlace.self, String?.self, String?.self, Bool.self))
  }

  /// Creates a run from the columns that every claim returns.
  static func claimedRun(
    _ columns: (
      Int64, String, String?, Int32, Timestamp, Timestamp, RowPlace, String?, String?, Bool
    )
  ) -> ClaimedRun {
    let (id, key, payload, attempt, due, firstEventAt, place, origin, trace, isStored) = columns
    return ClaimedRun(
      id: id, key: key, payload: payload, attempt: Int(attempt), due: due,
      firstEventAt: firstEventAt, place: place, origin: origin, trace: RunTrace(trace),
      mayHavePayloads: isStored)
  }

  /// Stores the own payloads of runs that have other stored payloads.
  static func addPayloads(of runs: [ClaimedRun], _ job: JobDefinition) -> Call<Int> {
    .count(SQL.Queue.addPayloads, job.name, runs.map(\.id), runs.map(\.key))
  }

  /// Assigns stored payloads to runs, for a job that receives only the newest payload.
  ///
  /// Runs that no longer have the fencing token get no payloads.
  static func assignPayloads(
    of runs: [ClaimedRun], _ job: JobDefinition, token: UUID
  ) -> Call<Int> {
    .count(SQL.Queue.assignPayloads, job.name, runs.map(\.id), runs.map(\.key), token)
  }

  /// Unassigns the payloads that exceed a run's limits, for a job that receives all payloads.
  static func limitPayloads(of runs: [ClaimedRun], _ job: JobDefinition) -> Call<Int> {
    .count(SQL.Queue.limitPayloads, job.name, runs.map(\.id), runs.map(\.key))
  }

  static func takePayloads(
    of runs: [ClaimedRun], _ job: JobDefinition
  ) -> Call<[TakenPayload]> {
    .rows(
      SQL.Queue.takePayloads, job.name, runs.map(\.id), runs.map(\.key), decode: takenPayload)
  }

  static func peekPayloads(
    of runs: [ClaimedRun], _ job: JobDefinition
  ) -> Call<[TakenPayload]> {
    .rows(SQL.Runs.peekPayloads, job.name, runs.map(\.id), runs.map(\.key), decode: takenPayload)
  }

  private static func takenPayload(_ row: Row) throws(PostgresError) -> TakenPayload {
    let (run, payload) = try row.decode(Int64.self, String.self)
    return TakenPayload(run: run, payload: payload)
  }

  /// Deletes the stored payloads of a claim's runs.
  static func endPayloads(_ claim: Claim) -> Call<Int> {
    .count(SQL.Queue.endPayloads, claim.runs.map(\.id))
  }

  /// Sets the timeout, the chain of runs and the trace for a transaction that processes a claim.
  static func limitTransaction(of claim: Claim) -> Call<Void> {
    .run(
      SQL.Workers.limitTransaction, claim.job.definition.timeout.milliseconds, claim.origin,
      RunSpans.traceparent(within: claim) ?? "")
  }

  static func lockClaimed(_ claim: Claim) -> Call<Void> {
    .run(
      SQL.Queue.lockClaimed, claim.job.definition.name, claim.keys, claim.token,
      Int64(claim.runs.count))
  }

  /// Resets the failure count of a run that has just committed the first step of an attempt.
  static func noteProgress(_ claim: Claim) -> Call<Int> {
    .count(SQL.Queue.noteProgress, claim.job.definition.name, claim.keys, claim.token)
  }

  /// Reads the stored state of a claimed run: no row, or one row with the state as JSON.
  static func readCheckpoint(of run: ClaimedRun) -> Call<[String?]> {
    .rows(SQL.Queue.readCheckpoint, run.id) { (row) throws(PostgresError) in
      try row.decode(String?.self)
    }
  }

  /// Stores the state and the progress of the claim's only run.
  static func saveCheckpoint(_ claim: Claim, _ change: Checkpoint.Change) -> Call<Int> {
    .count(
      SQL.Queue.saveCheckpoint, claim.job.definition.name, claim.runs[0].key, claim.token,
      claim.runs[0].id, change.state, change.done, change.total)
  }

  /// Deletes the checkpoint of the claim's only run, which the transaction is completing.
  static func endCheckpoint(_ claim: Claim) -> Call<Int> {
    .count(SQL.Queue.endCheckpoint, claim.runs[0].id)
  }

  /// Adds a committed step to the progress of the claim's only run.
  ///
  /// The run history adds up the durations and reports of the steps from all attempts.
  static func addProgress(_ claim: Claim, report: Report, took: Duration) -> Call<Int> {
    .count(SQL.Queue.addProgress, claim.runs[0].id, took.milliseconds, report.json)
  }

  /// Completes a claim's runs, which the statement finds by the physical location of their rows
  /// (`ctid`).
  static func endClaimed(_ claim: Claim) -> Call<Void> {
    .run(SQL.Queue.endClaimed, claim.places, claim.token, Int64(claim.runs.count))
  }

  /// Completes a claim's runs, which the statement finds by their keys.
  static func endByKey(_ claim: Claim) -> Call<Void> {
    .run(
      SQL.Queue.complete, claim.job.definition.name, claim.keys, claim.token,
      Int64(claim.runs.count))
  }

  static func complete(
    _ claim: Claim, report: Report, took: Duration, output: String? = nil
  ) -> Call<Void> {
    let job = claim.job.definition
    guard job.keepsHistory else { return endByKey(claim) }
    return .run(
      SQL.Queue.completeWithHistory, job.name, claim.keys, claim.token, Int64(claim.runs.count),
      took.milliseconds, report.json, output)
  }

  /// Completes runs of effect jobs, and returns the completed runs.
  static func endEffects(_ members: [GroupCompletion.Member]) -> Call<[GroupCompletion.Fence]> {
    endEffects(at: members.map(\.run.place), members.map(\.run.id), members.map(\.fence.token))
  }

  /// Completes runs of effect jobs, given the location, the id and the token of each run.
  static func endEffects(
    at places: [RowPlace], _ ids: [Int64], _ tokens: [UUID]
  ) -> Call<[GroupCompletion.Fence]> {
    .rows(SQL.Queue.endEffects, places, ids, tokens, decode: fence)
  }

  /// Completes runs of effect jobs that keep history or receive all payloads, and returns the
  /// completed runs.
  static func endEffectsWithHistory(
    _ members: [GroupCompletion.Member]
  ) -> Call<[GroupCompletion.Fence]> {
    .rows(
      SQL.Queue.endEffectsWithHistory, members.map(\.run.place), members.map(\.run.id),
      members.map(\.fence.token), members.map(\.took.milliseconds), members.map(\.output),
      members.map(\.attempt.claim.job.definition.keepsHistory), decode: fence)
  }

  private static func fence(_ row: Row) throws(PostgresError) -> GroupCompletion.Fence {
    let (run, token) = try row.decode(Int64.self, UUID.self)
    return GroupCompletion.Fence(run: run, token: token)
  }

  static func release(
    _ claim: Claim, attemptsOff: Int, wait: Duration, batchLimit: Int?, error: String?
  ) -> Call<Int> {
    .count(
      SQL.Queue.release, claim.job.definition.name, claim.keys, claim.token, Int32(attemptsOff),
      wait.milliseconds, batchLimit.map { Int32($0) }, error)
  }

  static func deadLetter(_ claim: Claim, error: String, took: Duration) -> Call<Int> {
    let job = claim.job.definition
    guard job.keepsHistory else {
      return .count(SQL.Queue.deadLetter, job.name, claim.keys, claim.token, error)
    }
    return .count(
      SQL.Queue.deadLetterWithHistory, job.name, claim.keys, claim.token, error, took.milliseconds)
  }

  /// Reads the remaining work of the given jobs, for a worker that stops when it is idle.
  ///
  /// If `jobs` is nil, all jobs are included, even paused jobs.
  static func countLeft(of jobs: [String]?) -> Call<PendingWork> {
    .row(SQL.Queue.countLeft, jobs) { (row) throws(PostgresError) in
      let (events, runs, dead) = try row.decode(Bool.self, Bool.self, Int64.self)
      return PendingWork(hasEvents: events, hasRuns: runs, dead: Int(dead))
    }
  }

  /// Counts the given jobs' runs that are waiting for a retry, or returns nil if there are none.
  static func countWaiting(of jobs: [String]) -> Call<(runs: Int64, milliseconds: Int64)?> {
    .row(SQL.Queue.countWaiting, jobs) { (row) throws(PostgresError) in
      let (runs, next) = try row.decode(Int64.self, Int64?.self)
      return next.map { (runs, $0) }
    }
  }

  static func countDied(of jobs: [String], since instant: Timestamp) -> Call<Int> {
    .row(SQL.Queue.countDied, jobs, instant) { (row) throws(PostgresError) in
      let died = try row.decode(Int64.self)
      return Int(died)
    }
  }

  /// Tries to acquire the schema's polling lock, and returns whether this session holds it.
  static let stayAwake = Call.row(SQL.Workers.stayAwake) { (row) throws(PostgresError) in
    try row.decode(Bool.self)
  }

  static let readClock = Call.row(SQL.Workers.readClock) { (row) throws(PostgresError) in
    try row.decode(Timestamp.self)
  }
}

extension Duration {
  var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
