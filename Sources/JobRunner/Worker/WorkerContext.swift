import JobCore
import Logging
import Postgres

/// What the executors and the dispatcher of one worker share.
struct WorkerContext: Sendable {
  let identity: WorkerIdentity
  let jobs: [RegisteredJob]
  let wakeUp = WakeUpSignal()
  let activity: Activity
  /// Lets an executor have the process to itself.
  let solitude = Solitude()
  /// Told of what is worked, where somebody watches.
  let watch: WorkWatch?
  let logger: Logger
  /// How the next batch of each job is looked for, by the job's name.
  private let claimers: [String: Claimer]

  init(
    _ jobs: [RegisteredJob], identity: WorkerIdentity = WorkerIdentity(),
    activity: Activity = Activity(), watch: WorkWatch? = nil, logger: Logger
  ) {
    self.identity = identity
    self.jobs = jobs
    self.activity = activity
    self.watch = watch
    self.logger = logger
    claimers = Dictionary(jobs.map { ($0.definition.name, Claimer()) }) { first, _ in first }
  }

  var jobNames: [String] { jobs.map(\.definition.name) }

  /// What all executors of the worker share to claim runs of one of its jobs.
  func claimer(of job: RegisteredJob) -> Claimer {
    guard let claimer = claimers[job.definition.name] else {
      preconditionFailure("an executor claims jobs of its worker only")
    }
    return claimer
  }
}
