import BatonJobs
import JobRunner

/// What a person lets be done, by a page or by the API.
enum OperatorAction: Sendable, Hashable {
  /// Lets one dead run be tried again.
  case retry(Int64)
  /// Ends one run, whatever it does.
  case cancel(Int64)
  /// Forgets one dead run.
  case discard(Int64)
  /// Shows what one run carries.
  case payload(Int64)
  /// Lets dead runs be tried again: of a job, or of one of its groups, the oldest first and so many at most.
  case retryDead(DeadSelection)
  /// Forgets dead runs.
  case discardDead(DeadSelection)
  /// Asks for a run of a job, under a key or, with nil, of its own.
  case run(job: String, key: String?)
  /// Does the work in a transaction, says what that changed, and rolls it back.
  case dryRun(job: String, key: String?)
  /// Lets no worker claim a job's runs.
  case pauseJob(String)
  /// Lets workers claim them again.
  case resumeJob(String)
  /// Lets a schedule's occurrences pass.
  case pauseSchedule(ScheduleID)
  /// Lets it fire again.
  case resumeSchedule(ScheduleID)
  /// Fires what of a range has not fired; a dry run only says what that is.
  case backfill(ScheduleID, Backfill)

  /// Some dead runs.
  typealias DeadSelection = JobRunner.DeadSelection

  /// A range of occurrences.
  struct Backfill: Sendable, Hashable {
    /// Seconds since 1970-01-01 00:00 UTC; the end is not part of it.
    let range: Range<Int64>
    let isDryRun: Bool
  }

  /// Whether what it found is shown, and not only that it was done.
  var isShown: Bool {
    switch self {
    case .dryRun, .payload: true
    case .backfill(_, let backfill): backfill.isDryRun
    default: false
    }
  }
}

/// What became of an action.
struct ActionResult: Sendable, Codable, Hashable {
  /// What was done, in a sentence for people.
  let text: String
  /// How many runs or occurrences it was done to.
  var count = 0
  /// Of dead runs how many like these are left; nil: that is not asked.
  var left: Int?
  /// The run that it was done to, or that was asked for: also where that was merged into another.
  var run: Int64?
  /// The occurrences that were fired, or would be.
  var occurrences: [String]?
  /// What a dry run would write, by table.
  var changes: [TableChange]?
  /// What a dry run's job says that it did, by name.
  var report: [String: Int]?
  /// What a job shows of itself before and after a dry run.
  var before: String?
  /// The same, behind it.
  var after: String?
  /// What a run carries, each as indented JSON.
  var payloads: [String]?

  /// Rows that would be written in one table.
  struct TableChange: Sendable, Codable, Hashable {
    let table: String
    let inserted, updated, deleted: Int64
  }
}
