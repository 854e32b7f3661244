import BatonJobs
import JobRunner

/// An action that a person starts from a page or through the API.
enum OperatorAction: Sendable, Hashable {
  /// Retries one dead run.
  case retry(Int64)
  /// Cancels one run, in any state.
  case cancel(Int64)
  /// Deletes one dead run.
  case discard(Int64)
  /// Shows the payload of one run.
  case payload(Int64)
  /// Retries dead runs of a job or of one of its groups: the oldest first, up to a limit.
  case retryDead(DeadSelection)
  /// Deletes dead runs.
  case discardDead(DeadSelection)
  /// Enqueues a run of a job, with a key or, if nil, with a unique one.
  case run(job: String, key: String?)
  /// Does the work in a transaction, reports the changes, and rolls it back.
  case dryRun(job: String, key: String?)
  /// Stops workers from claiming a job's runs.
  case pauseJob(String)
  /// Allows workers to claim them again.
  case resumeJob(String)
  /// Skips a schedule's occurrences.
  case pauseSchedule(ScheduleID)
  /// Allows it to fire again.
  case resumeSchedule(ScheduleID)
  /// Fires the occurrences of a range that have not fired; a dry run only lists them.
  case backfill(ScheduleID, Backfill)

  /// A selection of dead runs.
  typealias DeadSelection = JobRunner.DeadSelection

  /// A range of occurrences.
  struct Backfill: Sendable, Hashable {
    /// Seconds since 1970-01-01 00:00 UTC; the end is excluded.
    let range: Range<Int64>
    let isDryRun: Bool
  }

  /// Whether the result is shown, and not only the fact that the action was done.
  var isShown: Bool {
    switch self {
    case .dryRun, .payload: true
    case .backfill(_, let backfill): backfill.isDryRun
    default: false
    }
  }
}

/// The result of an action.
struct ActionResult: Sendable, Codable, Hashable {
  /// The result in a sentence for people.
  let text: String
  /// The number of affected runs or occurrences.
  var count = 0
  /// The number of similar dead runs that are left; nil if the action does not count them.
  var left: Int?
  /// The affected or enqueued run, also if it was merged into another one.
  var run: Int64?
  /// The occurrences that were fired, or that would be fired.
  var occurrences: [String]?
  /// The rows that a dry run would write, by table.
  var changes: [TableChange]?
  /// The report of a dry run's job, by name.
  var report: [String: Int]?
  /// The job's own summary before a dry run.
  var before: String?
  /// The job's own summary after a dry run.
  var after: String?
  /// The payloads of a run, each as indented JSON.
  var payloads: [String]?

  /// Rows that would be written in one table.
  struct TableChange: Sendable, Codable, Hashable {
    let table: String
    let inserted, updated, deleted: Int64
  }
}
