import JobCore
import Logging
import Postgres

/// What the lanes and the dispatcher of one worker share.
struct WorkerContext: Sendable {
  let identity: WorkerIdentity
  let jobs: [RegisteredJob]
  let schema: Schema
  let doorbell = Doorbell()
  let activity: Activity
  /// Lets a lane have the process to itself.
  let solitude = Solitude()
  let logger: Logger
  /// How the next batch of each job is looked for, by the job's name.
  private let scans: [String: ClaimScan]

  init(
    _ jobs: [RegisteredJob], in schema: Schema, identity: WorkerIdentity = WorkerIdentity(),
    activity: Activity = Activity(), logger: Logger
  ) {
    self.identity = identity
    self.jobs = jobs
    self.schema = schema
    self.activity = activity
    self.logger = logger
    scans = Dictionary(jobs.map { ($0.definition.name, ClaimScan()) }) { first, _ in first }
  }

  var jobNames: [String] { jobs.map(\.definition.name) }

  /// The scan that all lanes of the worker share for one of its jobs.
  func scan(of job: RegisteredJob) -> ClaimScan {
    guard let scan = scans[job.definition.name] else {
      preconditionFailure("a lane claims jobs of its worker only")
    }
    return scan
  }
}
