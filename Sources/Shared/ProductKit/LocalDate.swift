public import Foundation

/// A calendar date without a time zone, such as `2026-01-15`.
///
/// The date always belongs to the Gregorian calendar, even if the device uses another calendar.
public struct LocalDate: Hashable, Comparable, Sendable, LosslessStringConvertible {
  /// The number of days since 1970-01-01.
  public let day: Int

  /// Creates the date that is a number of days after 1970-01-01.
  ///
  /// If the number is negative, the date is before 1970-01-01.
  public init(day: Int) { self.day = day }

  /// Creates the date of an instant in a time zone.
  public init(_ instant: Date, in zone: TimeZone) {
    let seconds = min(max(instant.timeIntervalSince1970.rounded(.down), -6e10), 2.5e11)
    let local = Int(seconds) + zone.secondsFromGMT(for: instant)
    self.init(day: (local - (local % 86_400 + 86_400) % 86_400) / 86_400)
  }

  /// Parses `YYYY-MM-DD`, or returns nil for any other string.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Self.number($0) }
    guard parts.map(\.count) == [4, 2, 2], numbers.count == 3,
      let day = CivilDate.days(year: numbers[0], month: numbers[1], day: numbers[2])
    else { return nil }
    self.day = Int(day)
  }

  /// Returns whether the first date is earlier.
  public static func < (left: LocalDate, right: LocalDate) -> Bool { left.day < right.day }

  /// The date as `YYYY-MM-DD`.
  public var description: String { CivilDate.text(ofDay: Int64(day)) }

  /// Parses a number that consists only of digits, because `Int64` would also accept a sign.
  private static func number(_ digits: Substring.UTF8View) -> Int64? {
    guard digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
    return Int64(Substring(digits))
  }
}

extension LocalDate: Codable {
  /// Decodes a date from a string in the format `YYYY-MM-DD`.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let date = LocalDate(try value.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: value, debugDescription: "not a date")
    }
    self = date
  }

  /// Encodes the date as `YYYY-MM-DD`.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(description)
  }
}
