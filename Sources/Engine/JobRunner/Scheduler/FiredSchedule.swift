import BatonJobs
import BatonPostgres

/// The occurrences of a due schedule that fire now.
///
/// The row of the schedule is locked until the transaction ends. The SQL function `due_firings`
/// determines the occurrences.
struct FiredSchedule: Sendable {
  let id: ScheduleID
  /// Whether the schedule has an interval instead of a cron expression.
  let isInterval: Bool
  /// The policy for missed occurrences.
  let missed: String
  /// The key of the runs, or nil for a key that is derived from the schedule.
  let key: String?
  /// The occurrences that run, oldest first.
  let fired: [Int64]
  /// The occurrences that are recorded as skipped, oldest first.
  let skipped: [Int64]
  /// The next occurrence, or nil if no occurrence follows.
  let next: Timestamp?
  let now: Timestamp
  /// The position of the schedule among the due schedules of the job.
  let number: Int
  /// The cost of the firing, which counts towards the maximum cost of a transaction.
  let cost: Int

  /// Returns the key of the run that an occurrence creates.
  ///
  /// If each occurrence creates a separate run, the key is the time of the occurrence.
  func key(of occurrence: Int64) -> String {
    let isSeparate = missed == MissedOccurrences.all.rawValue
    return key
      ?? ScheduleKey(occurrence: isSeparate ? occurrence : nil, schedule: id.name).description
  }
}

extension String {
  /// The instants in a string that contains whole seconds since 1970, separated by spaces.
  ///
  /// Statements return lists of occurrences in this format.
  var instants: [Int64] { split(separator: " ").compactMap { Int64($0) } }
}
