package import BatonPostgres

/// A schedule as the schema stores it; instants are in domain time.
package struct ScheduleRow: Sendable, Codable, Hashable {
  /// The job, or `job/name`.
  package let id: String
  /// The job's name.
  package let job: String
  /// The name that distinguishes it from other schedules of the job; nil if it has none.
  package let name: String?
  /// A cron expression, or `every N s`.
  package let expression: String
  /// The time zone of a cron expression.
  package let timeZone: String?
  /// `skip`, `once` or `all`.
  package let missed: String
  /// The next occurrence; nil if there is none.
  package let nextAt: Timestamp?
  /// The last occurrence that fired, and when it did.
  package let lastAt, lastFiredAt: Timestamp?
  /// When it was paused; nil if it is not paused.
  package let pausedSince: Timestamp?
  /// How long after their time its occurrences fire.
  package let delaySeconds: Double
}

/// One schedule with its next and past occurrences.
package struct SchedulePage: Sendable, Codable {
  /// The schedule.
  package let schedule: ScheduleRow
  /// The domain time of the reading.
  package let now: Timestamp
  /// The next ten occurrences, without delays.
  package let next: [Timestamp]
  /// The newest 50 handled occurrences, newest first.
  package let past: [Occurrence]

  /// One occurrence.
  package struct Occurrence: Sendable, Codable, Hashable {
    /// The scheduled time.
    package let at: Timestamp
    /// When it was handled.
    package let firedAt: Timestamp
    /// `fired`, `skipped` or `backfilled`.
    package let outcome: String
  }
}
