/// A UTC date.
package struct Day: Sendable, Hashable, Comparable {
  /// `YYYY-MM-DD`.
  package let text: String
  /// Microseconds from 1970-01-01 00:00 UTC to the beginning of the day.
  package let microseconds: Int64

  /// A day from `YYYY-MM-DD`; nil if that date does not exist.
  package init?(_ text: String) {
    let midnight = Array("\(text)T00:00:00Z".utf8)
    let time = midnight.withUnsafeBufferPointer { try? OffsetTime.parse($0) }
    guard text.utf8.count == 10, let time else { return nil }
    self.text = text
    microseconds = time.instant
  }

  /// The earlier one comes first.
  package static func < (left: Day, right: Day) -> Bool { left.microseconds < right.microseconds }
}
