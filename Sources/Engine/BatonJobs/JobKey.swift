/// The key of a run: a value that is written as text and parsed from text.
///
/// `String` and `Int64` are keys. A type of your own must parse what `description` returns.
public protocol JobKey: LosslessStringConvertible, Sendable {
  /// What a valid key is, as the end of the message "the key 'abc' is not ...".
  static var expected: String { get }
}

extension String: JobKey {
  /// Any text that is a valid key.
  public static var expected: String { "a text" }
}

extension Int64: JobKey {
  /// Digits, with or without a sign.
  public static var expected: String { "a whole number" }
}

/// The key of a run that a schedule made: one occurrence, or the key that all occurrences share.
public struct ScheduleKey: JobKey, Hashable {
  /// The occurrence, in seconds since 1970-01-01 00:00 UTC; nil if all occurrences share one key.
  public let occurrence: Int64?
  /// The schedule's name; nil if it has none.
  public let schedule: String?

  /// The key that all occurrences of a schedule without a name share.
  public static let shared = ScheduleKey(occurrence: nil, schedule: nil)

  /// Creates a key; without an occurrence it is the one that all occurrences share.
  public init(occurrence: Int64?, schedule: String?) {
    self.occurrence = occurrence
    self.schedule = schedule
  }

  /// Parses `scheduled`, or an instant such as `2024-06-03T00:00:00Z`.
  ///
  /// The name of a schedule follows after a slash, as in `scheduled/weekly`.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    schedule = parts.count == 2 ? String(parts[1]) : nil
    occurrence = Schedule.instant(ofKey: String(parts[0]))
    guard occurrence != nil || parts[0] == Schedule.sharedKey,
      schedule.map(JobDefinition.isName) ?? true
    else { return nil }
  }

  /// The text of the key, as it is stored with the run.
  public var description: String {
    (occurrence.map { Schedule.text(of: $0) } ?? Schedule.sharedKey)
      + (schedule.map { "/\($0)" } ?? "")
  }

  /// For a job that only its schedules trigger.
  public static var expected: String { "'\(Schedule.sharedKey)' or a schedule's of this job" }
}
