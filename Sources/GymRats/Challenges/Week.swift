import ProductKit

/// A week of challenges: the half-open UTC interval from Monday 00:00 to the next Monday 00:00.
///
/// Every instant is in exactly one week. The code uses integer arithmetic, because `Calendar`
/// results depend on the device's locale and time zone.
public struct Week: Hashable, Comparable, Sendable {
  /// The number of seconds from 1970-01-01 00:00 UTC to the week's Monday 00:00 UTC.
  public let start: Int64

  /// The length of a week in seconds.
  ///
  /// UTC has no clock changes, so every week has the same length.
  public static let length: Int64 = 604_800
  /// The seconds from Monday 1969-12-29 to Thursday 1970-01-01.
  private static let thursday: Int64 = 259_200

  /// Creates the week that contains a given time.
  ///
  /// - Parameter seconds: Whole seconds since 1970-01-01 00:00 UTC, rounded down.
  public init(containing seconds: Int64) {
    let shifted = seconds + Self.thursday
    let remainder = shifted % Self.length
    start = seconds - (remainder < 0 ? remainder + Self.length : remainder)
  }

  /// The first second of the next week.
  ///
  /// The end is exclusive, so compare times with `< end`.
  public var end: Int64 { start + Self.length }

  /// Orders weeks by time.
  public static func < (left: Week, right: Week) -> Bool { left.start < right.start }
}

extension Week {
  /// Creates the week that starts on the given Monday.
  ///
  /// The result is nil if the string is not a Monday in the form `YYYY-MM-DD`.
  public init?(monday text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard text.utf8.count == 10, parts.map(\.count) == [4, 2, 2] else { return nil }
    let numbers = parts.compactMap { Int64(Substring($0)) }
    guard numbers.count == 3,
      let days = CivilDate.days(year: numbers[0], month: numbers[1], day: numbers[2])
    else { return nil }
    self.init(containing: days * 86_400)
    guard start == days * 86_400 else { return nil }
  }

  /// The number of days from 1970-01-01 to the week's Monday.
  public var startDay: Int64 { start / 86_400 }
}
