public import BatonPostgres

/// A schedule as the schema has it; instants are of domain time.
public struct ScheduleRow: Sendable, Codable, Hashable {
  /// The job, or `job/name`.
  public let id: String
  /// The job's name.
  public let job: String
  /// What tells it from others of the job; nil: nothing.
  public let name: String?
  /// A cron expression, or `every N s`.
  public let expression: String
  /// The time zone of a cron expression.
  public let timeZone: String?
  /// `skip`, `once` or `all`.
  public let missed: String
  /// The next occurrence; nil: none comes any more.
  public let nextAt: Timestamp?
  /// The last occurrence that fired, and when it did.
  public let lastAt, lastFiredAt: Timestamp?
  /// Since when its occurrences pass; nil: it is not paused.
  public let pausedSince: Timestamp?
  /// By how much its occurrences fire after their time.
  public let delaySeconds: Double
}

/// One schedule with what comes and what was.
public struct SchedulePage: Sendable, Codable {
  /// What it is.
  public let schedule: ScheduleRow
  /// Domain time when it was looked.
  public let now: Timestamp
  /// The next ten occurrences, delays aside.
  public let next: [Timestamp]
  /// The newest 50 occurrences that were dealt with, the newest first.
  public let past: [Occurrence]

  /// One occurrence.
  public struct Occurrence: Sendable, Codable, Hashable {
    /// Its own time.
    public let at: Timestamp
    /// When it was dealt with.
    public let firedAt: Timestamp
    /// `fired`, `skipped` or `backfilled`.
    public let outcome: String
  }
}
