import BatonJobs
import BatonPostgres
import Logging
import Synchronization

/// The state shared by one worker's executors and dispatcher.
struct WorkerContext: Sendable {
  let identity: WorkerIdentity
  /// The release of the worker's program, or nil if it is unknown.
  let release: ProgramRelease?
  let jobs: [RegisteredJob]
  /// Whether sleeps in effects end immediately, as in a drain.
  var endsSleeps = false
  /// The counter that limits a run's attempts in a drain, or nil for no limit.
  var undone: UndoneAttempts?
  let wakeUp = ExecutorSignal()
  let activity: Activity
  /// The positions in the queue where polls and claims begin to search for runs.
  let front = QueueFront()
  /// The gate that gives an executor exclusive use of the process.
  let solitude = Solitude()
  /// The lease that limits how long effects may run.
  let lease = Lease()
  /// The time limits of the worker's attempts and effects.
  let deadlines: Deadlines
  /// The executors' current attempts, which can be cancelled.
  let inHand = WorkInHand()
  /// The estimate of the server's clock, for metrics.
  let serverClock = ServerClock()
  /// The time of the last poll, for health checks.
  let lastLook = LastLook()
  /// The time of the last successful claim, for health checks.
  let lastClaim = LastLook()
  /// Detects a stuck dispatcher.
  ///
  /// A worker whose dispatcher is stuck does not send heartbeats.
  let dispatcher = DispatcherWatch()
  /// The watcher that is notified of the start and the result of attempts, or nil if the worker has
  /// none.
  let watch: WorkWatch?
  let logger: Logger
  /// The log for repeated failures, which are logged once per minute.
  let failures = FailureLog()
  /// The jobs whose runs all fail for the same reason.
  let commonFailures: CommonFailures
  /// The keys whose last attempts lost a connection of this worker.
  let lostSessions = LostSessions()
  /// The pauses between failed claims.
  private let pauses = ClaimPauses()
  /// The job whose slots are all occupied by abandoned effects.
  private let lost = Lost()
  /// The claimer of each job, keyed by the job's name.
  private let claimers: [String: Claimer]
  /// The metrics of each job, keyed by the job's name.
  let metrics: [String: RunMetrics]

  init(
    _ jobs: [RegisteredJob], identity: WorkerIdentity = WorkerIdentity(),
    activity: Activity = Activity(), watch: WorkWatch? = nil,
    release: ProgramRelease? = nil, pausesFailingJobs: Bool = false, logger: Logger
  ) {
    self.identity = identity
    self.release = release
    self.jobs = jobs
    self.activity = activity
    self.watch = watch
    commonFailures = CommonFailures(isOn: pausesFailingJobs)
    self.logger = logger.by(identity)
    deadlines = Deadlines(lease)
    let claimers = jobs.map { [front] job in
      (job.definition.name, Claimer(of: job.definition, from: front))
    }
    self.claimers = Dictionary(claimers) { first, _ in first }
    metrics = Dictionary(jobs.map { ($0.definition.name, RunMetrics(of: $0.definition.name)) }) {
      first, _ in first
    }
  }

  /// Whether the worker performs effects, which continue if the connection to the server is lost.
  var hasEffects: Bool { jobs.contains { $0.definition.isEffect } }

  var jobNames: [String] { jobs.map(\.definition.name) }

  /// Claims and processes runs once, unless the worker is stopping.
  ///
  /// Effects are not claimed if the lease has ended. The method returns false if no runs were due
  /// or if the claim failed. If the claims of a job fail repeatedly, the pauses between them
  /// increase to at most two seconds.
  func tried(
    _ job: RegisteredJob, on reconnecting: ReconnectingSession, _ work: () async throws -> Bool
  ) async -> Bool {
    let name = job.definition.name
    guard !wakeUp.isStopping, pauses.mayTry(name) else { return false }
    guard lease.isValid || !job.definition.isEffect else { return false }
    do {
      let didWork = try await work()
      pauses.succeeded(name)
      if didWork { lastClaim.isNow() }
      return didWork
    } catch {
      let failure = error as? PostgresError
      pauseClaims(of: name, after: error)
      if let failure, failure.sqlState.refusesWrites { lastClaim.failed(failure) }
      failures.note(
        error, "cannot claim", of: name, with: logger.about(job.definition))
      wakeUp.wakeAnother()
      await reconnecting.reconnect(while: { [wakeUp] in !wakeUp.isStopping })
      return false
    }
  }

  /// Pauses the claims of a job after an error, unless the error is a lost connection.
  func pauseClaims(of name: String, after error: any Error) {
    // A pause applies to all executors, and another executor's connection may still work.
    if (error as? PostgresError)?.sqlState.isConnectionLoss != true { pauses.failed(name) }
  }

  /// Whether the dispatcher may claim runs of the job together with a dispatch.
  func mayClaimAhead(_ job: RegisteredJob) -> Bool {
    let name = job.definition.name
    return pauses.mayTry(name) && !commonFailures.isCommon(to: name)
      && claimer(of: job).order == .plain
  }

  /// Records that the dispatcher has claimed runs of the job.
  func claimedAhead(_ job: RegisteredJob) {
    pauses.succeeded(job.definition.name)
    lastClaim.isNow()
  }

  /// The failure that prevents all polls or claims of the worker, or nil if there is none.
  var failure: CommonFailures.Stored? { lastLook.stored ?? lastClaim.stored }

  /// Records the numbers of completed runs and batches.
  func succeeded(_ claim: Claim) {
    identity.claims.end(claim.token)
    activity.record(claim.job.definition.name, runs: claim.runs.count)
    completed(claim)
    worksAgain(claim)
  }

  /// Ends the counts of attempts of the claim's runs, because the runs have been completed.
  func completed(_ claim: Claim) {
    lostSessions.forget(claim)
    undone?.forget(claim)
  }

  /// Records a success of the claim's job, so the worker stops treating the job as failing.
  ///
  /// A committed step is also a success of the job. An effect succeeds when it returns, before its
  /// run is completed.
  ///
  /// - Parameter began: the time when the effect began, or nil for a transactional job.
  func worksAgain(_ claim: Claim, begunAt began: ContinuousClock.Instant? = nil) {
    guard let ended = commonFailures.succeeded(claim, begunAt: began) else { return }
    logger.about(claim.job.definition).notice(
      """
      works again after \(counted(ended.failures, "failure")) alike (\(ended.reason)) \
      in \(ended.lasted.components.seconds) s
      """)
  }

  /// Stops the worker, because this process can no longer run the job.
  func lose(_ job: JobDefinition) {
    lost.job.withLock { $0 = $0 ?? job.name }
    logger.about(job).critical("\(LostExecutors(job: job.name)); the worker ends")
    wakeUp.stop()
  }

  /// The reason why the worker must be restarted, or nil if it does not need to be.
  var loss: LostExecutors? { lost.job.withLock { $0 }.map(LostExecutors.init) }

  /// Stores the order in which each job's runs are claimed, as reported by a poll.
  func learn(_ due: [QueueCalls.DueJob]) {
    for job in due { claimers[job.name]?.order = job.order }
  }

  /// Processes a claim, and records its metrics and spans.
  func measured(_ claim: Claim, _ body: () async -> AttemptResult) async -> AttemptResult {
    let observed = observe(claim, at: serverClock.now)
    let result = await observed.within(body)
    observed.end(result)
    return result
  }

  /// Starts recording the metrics and spans of a claim or part of a claim.
  ///
  /// - Parameters:
  ///   - now: the server's current time.
  ///   - isWatched: whether the start and the result are also reported to the watcher.
  func observe(_ claim: Claim, at now: Timestamp, isWatched: Bool = false) -> ObservedAttempt {
    ObservedAttempt(
      claim, at: now, metrics: metrics[claim.job.definition.name],
      spans: RunSpans(of: claim, by: identity.id), watch: isWatched ? watch : nil)
  }

  /// Returns the claimer for a job, which all of the worker's executors share.
  func claimer(of job: RegisteredJob) -> Claimer {
    guard let claimer = claimers[job.definition.name] else {
      preconditionFailure("an executor claims jobs of its worker only")
    }
    return claimer
  }
}

extension SQLState {
  /// Whether the server rejects every write, not only one statement.
  ///
  /// For example, the server rejects every write if a right is missing, the server is read-only or
  /// the disk is full.
  fileprivate var refusesWrites: Bool {
    [.notAllowed, .readOnly].contains(failure) || ["53", "58"].contains(code.prefix(2))
  }
}

/// The pauses between failed claims, for each job.
private final class ClaimPauses: Sendable {
  private struct Failing {
    var pause = ReconnectPause(upTo: .seconds(2))
    var until = ContinuousClock.now
  }

  private let failing = Mutex<[String: Failing]>([:])

  func mayTry(_ job: String) -> Bool {
    failing.withLock { failing in failing[job].map { $0.until <= .now } ?? true }
  }

  func succeeded(_ job: String) { failing.withLock { _ = $0.removeValue(forKey: job) } }

  func failed(_ job: String) {
    failing.withLock { failing in
      failing[job, default: Failing()].until = .now + failing[job, default: Failing()].pause.next()
    }
  }
}

/// The name of the first job whose slots are all occupied by abandoned effects.
private final class Lost: Sendable {
  let job = Mutex<String?>(nil)
}
