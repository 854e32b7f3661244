import BatonJobs
import BatonPostgres
import Foundation
import RunnerSQL

/// The statements of the queue, which take and return Swift values.
enum QueueCalls {
  /// The result of a poll.
  struct Poll: Sendable {
    /// Whether events must be folded, or the event log belongs to another cluster.
    let hasEvents: Bool
    let hasDeadWorkers: Bool
    /// The jobs with due runs that may start.
    let dueJobs: [DueJob]
    /// The names of jobs with due runs that must run alone in the process.
    let jobsWorkedAlone: [String]
    /// The time until the next run or schedule is due, or nil if no run or schedule is waiting.
    let nextDue: Duration?
    let hasDueSchedules: Bool
    /// Whether an operator or `cancel_run` has requested the cancellation of a run.
    let hasCancelled: Bool
    /// The first due run of each job and priority.
    let front: [QueueFront.JobPriority: QueueFront.Place]
    /// The time of the last dispatch, or nil if the places of due runs are not reliable.
    let dispatchedAt: Timestamp?
  }

  /// A job with due runs.
  struct DueJob: Sendable {
    let name: String
    /// The priority of the job's most urgent run.
    let priority: Int
    let order: ClaimOrder

    /// Parses `name priority order`.
    ///
    /// An unknown order of a newer schema is treated as `.group`, because the most careful order is
    /// always correct.
    init?(_ text: Substring) {
      let parts = text.split(separator: " ")
      guard parts.count == 3, let priority = Int(parts[1]) else { return nil }
      name = String(parts[0])
      self.priority = priority
      order = ClaimOrder(rawValue: String(parts[2])) ?? .group
    }
  }

  /// Makes the server plan each statement of the transaction only once per session.
  ///
  /// If the server planned a statement at each execution, planning would take most of the server's
  /// time for a worker that stops when idle.
  static let planOnce = Call.run(SQL.Queue.planOnce)

  /// A poll that searches the whole queue.
  static let poll = poll(from: QueueFront.Marks())

  /// Creates a poll.
  ///
  /// - Parameter release: the release of the worker. The poll includes runs that another release
  ///   could not decode.
  static func poll(
    from marks: QueueFront.Marks, for release: ProgramRelease? = nil
  ) -> Call<Poll> {
    let (jobs, priorities, dues, ids) = marks.columns
    return .row(
      SQL.Queue.poll, jobs, priorities, dues, ids, marks.others, release?.program,
      release.map { Int32($0.number) }, decode: readPoll)
  }

  private static func readPoll(_ row: Row) throws(PostgresError) -> Poll {
    let (events, dead, jobs, alone, next, schedules, cancelled, front, dispatchedAt) =
      try row.decode(
        Bool.self, Bool.self, String.self, String.self, Int32?.self, Bool.self, Bool.self,
        String.self, Timestamp?.self)
    return Poll(
      hasEvents: events, hasDeadWorkers: dead,
      dueJobs: jobs.split(separator: "\n").compactMap(DueJob.init),
      jobsWorkedAlone: alone.split(separator: "\n").map(String.init),
      nextDue: next.map { .milliseconds(Int($0)) }, hasDueSchedules: schedules,
      hasCancelled: cancelled, front: QueueFront.places(in: front), dispatchedAt: dispatchedAt)
  }

  static let reclaim = Call.row(SQL.Queue.reclaim) { (row) throws(PostgresError) in
    let (back, dead) = try row.decode(Int64.self, Int64.self)
    return Reclaimed(released: Int(back), dead: Int(dead))
  }

  /// Locks the runs for a dry run: the run of one key, or a batch of due runs.
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
        RowPlace.self, String?.self, String?.self))
  }

  /// Creates a run from the columns that every claim returns.
  static func claimedRun(
    _ columns: (
      Int64, String, String?, Int32, Timestamp, Timestamp, RowPlace, String?, String?
    )
  ) -> ClaimedRun {
    let (id, key, payload, attempt, due, firstEventAt, place, origin, trace) = columns
    return ClaimedRun(
      id: id, key: key, payload: payload, attempt: Int(attempt), due: due,
      firstEventAt: firstEventAt, place: place, origin: origin, trace: RunTrace(trace))
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

  /// Deletes the collected payloads of the runs, for a job that takes all payloads.
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

  /// Deletes the checkpoint of the claim's only run, which the transaction completes.
  static func endCheckpoint(_ claim: Claim) -> Call<Int> {
    .count(SQL.Queue.endCheckpoint, claim.runs[0].id)
  }

  /// Adds a committed step to the progress of the claim's only run.
  ///
  /// The run history contains the sum of the steps of all attempts.
  static func addProgress(_ claim: Claim, report: Report, took: Duration) -> Call<Int> {
    .count(SQL.Queue.addProgress, claim.runs[0].id, took.milliseconds, report.json)
  }

  /// Completes the runs, which are found by the physical location of their rows (`ctid`).
  static func endClaimed(_ claim: Claim) -> Call<Void> {
    .run(SQL.Queue.endClaimed, claim.places, claim.token, Int64(claim.runs.count))
  }

  /// Completes the runs, which are found by their keys.
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
  static func endEffects(_ fences: [GroupCompletion.Fence]) -> Call<[GroupCompletion.Fence]> {
    .rows(SQL.Queue.endEffects, fences.map(\.place), fences.map(\.token), decode: fence)
  }

  /// Completes runs of effect jobs that keep history or collect payloads, and returns the completed
  /// runs.
  static func endEffectsWithHistory(
    _ members: [GroupCompletion.Member]
  ) -> Call<[GroupCompletion.Fence]> {
    .rows(
      SQL.Queue.endEffectsWithHistory, members.map(\.fence.place), members.map(\.fence.token),
      members.map(\.took.milliseconds), members.map(\.output),
      members.map(\.attempt.claim.job.definition.keepsHistory), decode: fence)
  }

  private static func fence(_ row: Row) throws(PostgresError) -> GroupCompletion.Fence {
    let (place, token) = try row.decode(RowPlace.self, UUID.self)
    return GroupCompletion.Fence(place: place, token: token)
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

  // MARK: Cancellations and failures

  /// Prevents the cancellation of any run until the transaction ends.
  ///
  /// Run this call before a statement that settles runs.
  static let lockCancellations = Call<Void>.run(SQL.Queue.lockCancellations)

  /// Waits for other transactions that have locked the claimed runs.
  ///
  /// Run this call before `lockCancellations`. Other sessions wait for the lock of
  /// `lockCancellations`, so no long wait may follow the call to `lockCancellations`.
  static func waitForClaimed(_ claim: Claim) -> Call<Int> {
    .count(SQL.Queue.waitForClaimed, claim.job.definition.name, claim.keys, claim.token)
  }

  /// Removes the cancelled runs of a claim, and returns their number.
  static func endCancelled(_ claim: Claim, report: Report, took: Duration) -> Call<Int> {
    .count(
      SQL.Queue.endCancelled, claim.job.definition.name, claim.keys, claim.token,
      took.milliseconds, report.json)
  }

  /// Removes cancelled runs that no worker is processing.
  ///
  /// The runs belong to dead workers, or to a live worker that has no record of the claim.
  static func endLost(of worker: UUID? = nil, under unknown: [UUID] = []) -> Call<Int> {
    .count(SQL.Queue.endLost, worker, unknown)
  }

  /// Counts the failed attempts of a run in the last ten minutes, up to twenty.
  static func countRecentFailures(of run: ClaimedRun) -> Call<Int> {
    .row(SQL.Queue.countRecentFailures, run.id) { (row) throws(PostgresError) in
      let failures = try row.decode(Int64.self)
      return Int(failures)
    }
  }

  /// Records a failed attempt that counts, or a snooze together with the reason.
  static func recordFailed(
    _ claim: Claim, took: Duration, error: String?, isSnoozed: Bool = false
  ) -> Call<Int> {
    .count(
      SQL.Queue.recordFailed, claim.job.definition.name, claim.keys, claim.token,
      took.milliseconds, error, isSnoozed)
  }

  /// Stores the jobs of a worker that fail for a common reason.
  static func recordFailures(_ failing: [CommonFailures.Stored], of worker: UUID) -> Call<Int> {
    .count(
      SQL.Workers.recordFailures, worker, failing.map(\.job), failing.map(\.reason),
      failing.map(\.age.milliseconds), failing.map { Int64($0.failures) })
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

  /// Counts the runs of the given jobs that wait for a retry, or returns nil if no runs wait.
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

  /// Tries to acquire the lock of the polling worker, and returns whether this session has the
  /// lock.
  static let stayAwake = Call.row(SQL.Workers.stayAwake) { (row) throws(PostgresError) in
    try row.decode(Bool.self)
  }

  static let readClock = Call.row(SQL.Workers.readClock) { (row) throws(PostgresError) in
    try row.decode(Timestamp.self)
  }

  static func define(_ registered: RegisteredJob, of program: String?) -> Call<Void> {
    let job = registered.definition
    return .run(
      SQL.Workers.defineJob, job.name, job.topics.map(\.name), job.debounce.quiet.milliseconds,
      job.debounce.atMost.milliseconds, job.keepsHistory, job.needsKey,
      job.payloads == .all, Int32(job.priority), job.debounce.every?.milliseconds,
      job.joinsChanges, program, registered.kind, Int32(job.batch), job.timeout.milliseconds,
      Int32(job.retry.attempts),
      job.retry.isFunction ? nil : job.retry.first.milliseconds,
      job.retry.isFunction ? nil : job.retry.longest.milliseconds,
      job.concurrency.map { Int32($0) }, job.role, job.tables.map(\.text))
  }

  /// Records that this process contains the code of the given jobs.
  static func register(_ jobs: [RegisteredJob]) -> Call<Int> {
    .count(SQL.Workers.registerJobs, jobs.map(\.definition.name))
  }

  static func defineLimits(of job: JobDefinition) -> Call<Void> {
    let limits = job.limits
    let (field, separator, part): (String?, String?, Int32?) =
      switch limits.group {
      case .payload(let field): (field, nil, nil)
      case .key(let part, let separator): (nil, separator, Int32(part))
      case nil: (nil, nil, nil)
      }
    return .run(
      SQL.Workers.defineLimits, job.name, limits.concurrency.map { Int32($0) },
      limits.groupConcurrency.map { Int32($0) }, field, separator, part,
      limits.rate?.microseconds, limits.rate.map { Int32($0.burst) },
      limits.groupRate?.microseconds, limits.groupRate.map { Int32($0.burst) })
  }
}

extension Rate {
  /// The time between two starts in microseconds.
  fileprivate var microseconds: Int64 { Int64(interval / .microseconds(1)) }
}

extension Duration {
  var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
