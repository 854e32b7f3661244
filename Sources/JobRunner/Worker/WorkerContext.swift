import JobCore
import Logging
import Postgres
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
  let logger: Logger
  /// Which job has lost all its executors.
  private let lost = Lost()
  /// How the next batch of each job is looked for, by the job's name.
  private let claimers: [String: Claimer]

  init(
    _ jobs: [RegisteredJob], identity: WorkerIdentity = WorkerIdentity(),
    activity: Activity = Activity(), logger: Logger
  ) {
    self.identity = identity
    self.jobs = jobs
    self.activity = activity
    self.logger = logger
    claimers = Dictionary(jobs.map { ($0.definition.name, Claimer()) }) { first, _ in first }
  }

  /// Whether any of its work goes on without a connection.
  var hasEffects: Bool { jobs.contains { $0.definition.isEffect } }

  var jobNames: [String] { jobs.map(\.definition.name) }

  /// Ends the worker: a job can never be performed here again.
  func lose(_ job: JobDefinition) {
    lost.job.withLock { $0 = $0 ?? job.name }
    logger.critical("\(LostExecutors(job: job.name)); the worker ends")
    wakeUp.stop()
  }

  /// Why the worker has to be started again; nil: it has not.
  var loss: LostExecutors? { lost.job.withLock { $0 }.map(LostExecutors.init) }

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
