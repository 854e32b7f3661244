package import BatonPostgres

/// A schedule as stored in the schema.
///
/// All times in the row are domain times.
package struct ScheduleRow: Sendable, Codable, Hashable {
  /// The id of the schedule: the job's name, or `job/name`.
  package let id: String
  /// The job's name.
  package let job: String
  /// The name that distinguishes the schedule from the job's other schedules, or nil if it has no
  /// name.
  package let name: String?
  /// The expression of the schedule: a cron expression, or `every N s`.
  package let expression: String
  /// The time zone of a cron expression.
  package let timeZone: String?
  /// The rule for missed occurrences, which is `skip`, `once` or `all`.
  package let missed: String
  /// The next occurrence, or nil after the last occurrence.
  package let nextAt: Timestamp?
  /// The last occurrence that fired, and the time when it fired.
  package let lastAt, lastFiredAt: Timestamp?
  /// The time when the schedule was paused, or nil if the schedule is not paused.
  package let pausedSince: Timestamp?
  /// The delay in seconds between the time of an occurrence and its firing.
  package let delaySeconds: Double
}

/// One schedule with its next and past occurrences.
package struct SchedulePage: Sendable, Codable {
  /// The stored schedule.
  package let schedule: ScheduleRow
  /// The domain time when the page was read.
  package let now: Timestamp
  /// The times of the next ten occurrences, excluding the schedule's delay.
  package let next: [Timestamp]
  /// The 50 newest handled occurrences, newest first.
  package let past: [Occurrence]

  /// A past occurrence of the schedule.
  package struct Occurrence: Sendable, Codable, Hashable {
    /// The scheduled time of the occurrence.
    package let at: Timestamp
    /// The time when the occurrence was handled.
    package let firedAt: Timestamp
    /// The outcome of the occurrence, which is `fired`, `skipped` or `backfilled`.
    package let outcome: String
  }
}
