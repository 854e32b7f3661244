import ProductKit

/// A week of challenges: the half-open UTC interval from Monday 00:00 to the next Monday 00:00.
///
/// No instant lies in two weeks or in none. Plain integer arithmetic: a calendar would ask where
/// the device is and on which day weeks begin there.
public struct Week: Hashable, Comparable, Sendable {
  /// Seconds from 1970-01-01 00:00 UTC to the week's Monday 00:00 UTC.
  public let start: Int64

  /// Seconds in a week; UTC has no clock changes.
  public static let length: Int64 = 604_800
  /// From Monday 1969-12-29 to 1970-01-01, a Thursday.
  private static let thursday: Int64 = 259_200

  /// The week that holds an instant.
  ///
  /// - Parameter seconds: whole seconds since 1970-01-01 00:00 UTC, rounded down.
  public init(containing seconds: Int64) {
    let shifted = seconds + Self.thursday
    let remainder = shifted % Self.length
    start = seconds - (remainder < 0 ? remainder + Self.length : remainder)
  }

  /// The first second of the next week: every comparison is `< end`.
  public var end: Int64 { start + Self.length }

  /// The earlier one comes first.
  public static func < (left: Week, right: Week) -> Bool { left.start < right.start }
}

extension Week {
  /// The week of a Monday, written `YYYY-MM-DD`; nil for anything else.
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

  /// Days from 1970-01-01 to the Monday.
  public var startDay: Int64 { start / 86_400 }
}
