import BatonJobs
import JobRunner

/// An action that a user starts from a page or through the API.
enum OperatorAction: Sendable, Hashable {
  /// Retries one dead run.
  case retry(Int64)
  /// Retries one dead run with a different payload, which is JSON.
  case retryEdited(Int64, payload: String)
  /// Cancels one run, in any state.
  case cancel(Int64)
  /// Deletes one dead run.
  case discard(Int64)
  /// Shows the payload of one run.
  case payload(Int64)
  /// Retries dead runs of a job or of one error group, oldest first, up to a limit.
  case retryDead(DeadSelection)
  /// Deletes dead runs of a job or of one error group, oldest first, up to a limit.
  case discardDead(DeadSelection)
  /// Enqueues a run of a job, with the given key or, if the key is nil, with a unique key.
  case run(job: String, key: String?)
  /// Runs the job in a transaction, reports the changes, and rolls the transaction back.
  case dryRun(job: String, key: String?)
  /// Pauses a job, so that workers do not claim its runs.
  case pauseJob(String)
  /// Resumes a paused job, so that workers claim its runs again.
  case resumeJob(String)
  /// Pauses a schedule.
  ///
  /// While a schedule is paused, its occurrences are skipped.
  case pauseSchedule(ScheduleID)
  /// Resumes a paused schedule, so that it fires again.
  case resumeSchedule(ScheduleID)
  /// Fires all occurrences in a time range that have not fired yet.
  ///
  /// A dry run only lists the occurrences that would fire.
  case backfill(ScheduleID, Backfill)

  /// A selection of dead runs.
  typealias DeadSelection = JobRunner.DeadSelection

  /// A range of occurrences.
  struct Backfill: Sendable, Hashable {
    /// The range of the backfill in seconds since 1970-01-01 00:00 UTC.
    ///
    /// The upper bound is excluded.
    let range: Range<Int64>
    let isDryRun: Bool
  }

  /// Whether a page shows the result's details after the action.
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
  /// The result as a readable sentence.
  let text: String
  /// The number of affected runs or occurrences.
  var count = 0
  /// The number of dead runs that still match the selection, or nil if they were not counted.
  ///
  /// For a group, the number is an estimate, because only the job's newest 20,000 dead runs count.
  var left: Int?
  /// The id of the affected or enqueued run, which may have been merged into another run.
  var run: Int64?
  /// The occurrences that were fired, or that a dry run would fire.
  var occurrences: [String]?
  /// The number of rows that the run would write in each table.
  var changes: [TableChange]?
  /// The counts in a dry run's report, by name.
  var report: [String: Int]?
  /// The job's own text about its data, read before the dry run processed the runs.
  var before: String?
  /// The job's own text about its data, read after the dry run processed the runs.
  var after: String?
  /// The payloads of a run, each as indented JSON.
  var payloads: [String]?
  /// Whether the run is dead.
  ///
  /// A user can retry a dead run with a different payload.
  var isDead: Bool?

  /// The number of rows that a run would write in one table.
  struct TableChange: Sendable, Codable, Hashable {
    let table: String
    let inserted, updated, deleted: Int64
  }
}
