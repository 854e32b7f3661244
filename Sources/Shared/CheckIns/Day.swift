/// A UTC date.
public struct Day: Sendable, Hashable, Comparable {
  /// `YYYY-MM-DD`.
  public let text: String
  /// Microseconds from 1970-01-01 00:00 UTC to the beginning of the day.
  public let microseconds: Int64

  /// A day from `YYYY-MM-DD`; nil where there is no such date.
  public init?(_ text: String) {
    let midnight = Array("\(text)T00:00:00Z".utf8)
    let time = midnight.withUnsafeBufferPointer { try? OffsetTime.parse($0) }
    guard text.utf8.count == 10, let time else { return nil }
    self.text = text
    microseconds = time.instant
  }

  /// The earlier one comes first.
  public static func < (left: Day, right: Day) -> Bool { left.microseconds < right.microseconds }
}
