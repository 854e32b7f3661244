/// What the runs of a job are told apart by: something that is written as a text and read from it.
public protocol JobKey: LosslessStringConvertible, Sendable {
  /// What a text has to be, as it ends "the key 'abc' is not ...".
  static var expected: String { get }
}

extension String: JobKey {
  /// Any text that a key can be.
  public static var expected: String { "a text" }
}

extension Int64: JobKey {
  /// Digits, and a sign.
  public static var expected: String { "a whole number" }
}

/// The key of a run that a schedule has made: the one that all occurrences share, or an occurrence's own.
public struct ScheduleKey: JobKey, Hashable {
  /// The occurrence, in seconds since 1970-01-01 00:00 UTC; nil where all share one key.
  public let occurrence: Int64?
  /// The schedule's name; nil for the one that has none.
  public let schedule: String?

  /// That of a schedule without a name, of which not each occurrence counts.
  public static let shared = ScheduleKey(occurrence: nil, schedule: nil)

  /// A key; of no occurrence the one that all share.
  public init(occurrence: Int64?, schedule: String?) {
    self.occurrence = occurrence
    self.schedule = schedule
  }

  /// `scheduled`, or an instant such as `2024-06-03T00:00:00Z`; of a schedule with a name that follows, as in
  /// `scheduled/weekly`.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    schedule = parts.count == 2 ? String(parts[1]) : nil
    occurrence = Schedule.instant(ofKey: String(parts[0]))
    guard occurrence != nil || parts[0] == Schedule.sharedKey,
      schedule.map(JobDefinition.isName) ?? true
    else { return nil }
  }

  /// As it stands in the run.
  public var description: String {
    (occurrence.map { Schedule.text(of: $0) } ?? Schedule.sharedKey)
      + (schedule.map { "/\($0)" } ?? "")
  }

  /// For a job that nothing but its schedule wakes.
  public static var expected: String { "'\(Schedule.sharedKey)' or a schedule's of this job" }
}
