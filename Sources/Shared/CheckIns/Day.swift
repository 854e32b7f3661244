/// A UTC date.
package struct Day: Sendable, Hashable, Comparable {
  /// The date as `YYYY-MM-DD`.
  package let text: String
  /// The start of the day, in microseconds since 1970-01-01 00:00 UTC.
  package let microseconds: Int64

  /// Parses `YYYY-MM-DD`, or returns nil if the date does not exist.
  package init?(_ text: String) {
    let midnight = Array("\(text)T00:00:00Z".utf8)
    let time = midnight.withUnsafeBufferPointer { try? OffsetTime.parse($0) }
    guard text.utf8.count == 10, let time else { return nil }
    self.text = text
    microseconds = time.instant
  }

  /// Returns whether the first day is earlier.
  package static func < (left: Day, right: Day) -> Bool { left.microseconds < right.microseconds }
}
