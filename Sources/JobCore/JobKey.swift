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
public enum ScheduleKey: JobKey {
  /// What all occurrences share unless each of them counts.
  case shared
  /// An occurrence, in seconds since 1970-01-01 00:00 UTC.
  case occurrence(Int64)

  /// `scheduled`, or an instant such as `2024-06-03T00:00:00Z`.
  public init?(_ text: String) {
    if text == Schedule.sharedKey {
      self = .shared
    } else if let instant = Schedule.instant(ofKey: text) {
      self = .occurrence(instant)
    } else {
      return nil
    }
  }

  /// As it stands in the run.
  public var description: String {
    switch self {
    case .shared: Schedule.sharedKey
    case .occurrence(let instant): Schedule.text(of: instant)
    }
  }

  /// For a job that nothing but its schedule wakes.
  public static var expected: String {
    "'\(Schedule.sharedKey)', which is this job's only one"
  }
}
