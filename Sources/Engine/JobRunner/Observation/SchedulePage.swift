package import BatonPostgres

/// A schedule as the schema has it; instants are of domain time.
package struct ScheduleRow: Sendable, Codable, Hashable {
  /// The job, or `job/name`.
  package let id: String
  /// The job's name.
  package let job: String
  /// What tells it from others of the job; nil: nothing.
  package let name: String?
  /// A cron expression, or `every N s`.
  package let expression: String
  /// The time zone of a cron expression.
  package let timeZone: String?
  /// `skip`, `once` or `all`.
  package let missed: String
  /// The next occurrence; nil: none comes any more.
  package let nextAt: Timestamp?
  /// The last occurrence that fired, and when it did.
  package let lastAt, lastFiredAt: Timestamp?
  /// Since when its occurrences pass; nil: it is not paused.
  package let pausedSince: Timestamp?
  /// By how much its occurrences fire after their time.
  package let delaySeconds: Double
}

/// One schedule with what comes and what was.
package struct SchedulePage: Sendable, Codable {
  /// What it is.
  package let schedule: ScheduleRow
  /// Domain time when it was looked.
  package let now: Timestamp
  /// The next ten occurrences, delays aside.
  package let next: [Timestamp]
  /// The newest 50 occurrences that were dealt with, the newest first.
  package let past: [Occurrence]

  /// One occurrence.
  package struct Occurrence: Sendable, Codable, Hashable {
    /// Its own time.
    package let at: Timestamp
    /// When it was dealt with.
    package let firedAt: Timestamp
    /// `fired`, `skipped` or `backfilled`.
    package let outcome: String
  }
}
