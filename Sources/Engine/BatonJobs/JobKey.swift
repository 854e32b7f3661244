/// A run's key, which is stored as text.
///
/// `String` and `Int64` can be used as keys. A custom key type must be able to parse the text that
/// its `description` returns.
public protocol JobKey: LosslessStringConvertible, Sendable {
  /// The description of a valid key, which is the end of the message "the key 'abc' is not ...".
  static var expected: String { get }
}

extension String: JobKey {
  /// The description `a text`, because any text is a valid key.
  public static var expected: String { "a text" }
}

extension Int64: JobKey {
  /// The description `a whole number`, which means digits with an optional sign.
  public static var expected: String { "a whole number" }
}

/// The key of a run that a schedule created: the time of one occurrence, or a key that all
/// occurrences share.
public struct ScheduleKey: JobKey, Hashable {
  /// The occurrence in seconds since 1970-01-01 00:00 UTC, or nil if all occurrences share one key.
  public let occurrence: Int64?
  /// The schedule's name, or nil if the schedule has no name.
  public let schedule: String?

  /// The key that all occurrences of a schedule without a name share.
  public static let shared = ScheduleKey(occurrence: nil, schedule: nil)

  /// Creates the key of one occurrence, or the shared key if `occurrence` is nil.
  public init(occurrence: Int64?, schedule: String?) {
    self.occurrence = occurrence
    self.schedule = schedule
  }

  /// Parses `scheduled`, or an instant such as `2024-06-03T00:00:00Z`.
  ///
  /// If the schedule has a name, the key ends with a slash and the schedule's name, as in
  /// `scheduled/weekly`.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    schedule = parts.count == 2 ? String(parts[1]) : nil
    occurrence = Schedule.instant(ofKey: String(parts[0]))
    guard occurrence != nil || parts[0] == Schedule.sharedKey,
      schedule.map(JobDefinition.isName) ?? true
    else { return nil }
  }

  /// The text of the key, as stored with the run.
  public var description: String {
    (occurrence.map { Schedule.text(of: $0) } ?? Schedule.sharedKey)
      + (schedule.map { "/\($0)" } ?? "")
  }

  /// The description of a valid key for a job that is triggered only by schedules.
  public static var expected: String { "'\(Schedule.sharedKey)' or a schedule's of this job" }
}
