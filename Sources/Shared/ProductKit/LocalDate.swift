public import Foundation

/// A date of a calendar in some time zone, `2026-01-15`.
///
/// Always of the Gregorian calendar; the device's own may be another one.
public struct LocalDate: Hashable, Comparable, Sendable, LosslessStringConvertible {
  /// Days since 1970-01-01.
  public let day: Int

  /// The date that is a number of days after 1970-01-01, or before it.
  public init(day: Int) { self.day = day }

  /// The date that a calendar shows in a time zone at an instant.
  public init(_ instant: Date, in zone: TimeZone) {
    let seconds = min(max(instant.timeIntervalSince1970.rounded(.down), -6e10), 2.5e11)
    let local = Int(seconds) + zone.secondsFromGMT(for: instant)
    self.init(day: (local - (local % 86_400 + 86_400) % 86_400) / 86_400)
  }

  /// A date from its text; nil for anything but `YYYY-MM-DD`.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Self.number($0) }
    guard parts.map(\.count) == [4, 2, 2], numbers.count == 3,
      let day = CivilDate.days(year: numbers[0], month: numbers[1], day: numbers[2])
    else { return nil }
    self.day = Int(day)
  }

  /// The earlier one comes first.
  public static func < (left: LocalDate, right: LocalDate) -> Bool { left.day < right.day }

  /// `YYYY-MM-DD`.
  public var description: String { CivilDate.text(ofDay: Int64(day)) }

  /// The number of some digits, and of nothing else: `Int64` would accept a sign too.
  private static func number(_ digits: Substring.UTF8View) -> Int64? {
    guard digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
    return Int64(Substring(digits))
  }
}

extension LocalDate: Codable {
  /// Reads `YYYY-MM-DD`.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let date = LocalDate(try value.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: value, debugDescription: "not a date")
    }
    self = date
  }

  /// Writes `YYYY-MM-DD`.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(description)
  }
}
