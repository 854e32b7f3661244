import BatonJobs
import BatonPostgres
import Logging
import Synchronization

/// What the executors and the dispatcher of one worker share.
struct WorkerContext: Sendable {
  let identity: WorkerIdentity
  let jobs: [RegisteredJob]
  let wakeUp = WakeUpSignal()
  let activity: Activity
  /// Lets an executor have the process to itself.
  let solitude = Solitude()
  /// Of its runs outside of transactions.
  let lease = Lease()
  /// What its executors work, for who cancels it.
  let inHand = WorkInHand()
  /// For what it measures.
  let serverClock = ServerClock()
  /// For who asks how it is.
  let lastLook = LastLook()
  /// Told of what is worked, where somebody watches.
  let watch: WorkWatch?
  let logger: Logger
  /// Which job has lost all its executors.
  private let lost = Lost()
  /// How the next batch of each job is looked for, by the job's name.
  private let claimers: [String: Claimer]
  /// What is measured of each job, by the job's name.
  private let metrics: [String: RunMetrics]

  init(
    _ jobs: [RegisteredJob], identity: WorkerIdentity = WorkerIdentity(),
    activity: Activity = Activity(), watch: WorkWatch? = nil, logger: Logger
  ) {
    self.identity = identity
    self.jobs = jobs
    self.activity = activity
    self.watch = watch
    self.logger = logger.by(identity)
    claimers = Dictionary(jobs.map { ($0.definition.name, Claimer(of: $0.definition)) }) {
      first, _ in first
    }
    metrics = Dictionary(jobs.map { ($0.definition.name, RunMetrics(of: $0.definition.name)) }) {
      first, _ in first
    }
  }

  /// Whether any of its work goes on without a connection.
  var hasEffects: Bool { jobs.contains { $0.definition.isEffect } }

  var jobNames: [String] { jobs.map(\.definition.name) }

  /// Claims and works once, unless the worker stops; false where there was nothing or it could not be claimed.
  func tried(
    _ job: RegisteredJob, on reconnecting: ReconnectingSession, _ work: () async throws -> Bool
  ) async -> Bool {
    guard !wakeUp.isStopping else { return false }
    do {
      return try await work()
    } catch {
      logger.about(job.definition).warning("cannot claim: \(error)")
      await reconnecting.reconnect(while: { [wakeUp] in !wakeUp.isStopping })
      return false
    }
  }

  /// Ends the worker: a job can never be performed here again.
  func lose(_ job: JobDefinition) {
    lost.job.withLock { $0 = $0 ?? job.name }
    logger.about(job).critical("\(LostExecutors(job: job.name)); the worker ends")
    wakeUp.stop()
  }

  /// Why the worker has to be started again; nil: it has not.
  var loss: LostExecutors? { lost.job.withLock { $0 }.map(LostExecutors.init) }

  /// Takes over what a poll says of how runs are claimed.
  func learn(_ due: [QueueCalls.DueJob]) {
    for job in due { claimers[job.name]?.order = job.order }
  }

  /// Works a claim, or a part of one, measures it, and traces it.
  func measured(_ claim: Claim, _ body: () async -> AttemptResult) async -> AttemptResult {
    await RunSpans.around(claim, by: identity.id) {
      guard let metrics = metrics[claim.job.definition.name] else { return await body() }
      return await metrics.around(claim, now: serverClock.now, body)
    }
  }

  /// What all executors of the worker share to claim runs of one of its jobs.
  func claimer(of job: RegisteredJob) -> Claimer {
    guard let claimer = claimers[job.definition.name] else {
      preconditionFailure("an executor claims jobs of its worker only")
    }
    return claimer
  }
}

/// The name of the first job that has lost all its executors.
private final class Lost: Sendable {
  let job = Mutex<String?>(nil)
}
