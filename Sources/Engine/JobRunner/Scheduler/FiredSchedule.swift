import BatonJobs
import BatonPostgres

/// The occurrences of a due schedule that fire now.
///
/// The schedule's row is locked until the transaction ends. The `due_firings` SQL function
/// determines the occurrences.
struct FiredSchedule: Sendable {
  let id: ScheduleID
  /// Whether the schedule has an interval instead of a cron expression.
  let isInterval: Bool
  /// The policy for missed occurrences.
  let missed: String
  /// The key of the runs, or nil if the key is derived from the schedule.
  let key: String?
  /// The occurrences that run, oldest first.
  let fired: [Int64]
  /// The occurrences that are recorded as skipped, oldest first.
  let skipped: [Int64]
  /// The next occurrence, or nil if there is none.
  let next: Timestamp?
  let now: Timestamp
  /// The schedule's position among the job's due schedules.
  let number: Int
  /// The cost of the firing, which counts towards the maximum cost of a transaction.
  let cost: Int

  /// Returns the key of the run created by an occurrence.
  ///
  /// If each occurrence creates a separate run, the key is the occurrence's time.
  func key(of occurrence: Int64) -> String {
    let isSeparate = missed == MissedOccurrences.all.rawValue
    return key
      ?? ScheduleKey(occurrence: isSeparate ? occurrence : nil, schedule: id.name).description
  }
}

extension String {
  /// The times in a string that contains whole seconds since 1970, separated by spaces.
  ///
  /// Statements return lists of occurrences in this format.
  var instants: [Int64] { split(separator: " ").compactMap { Int64($0) } }
}
