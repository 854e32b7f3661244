public import Foundation

/// A date on a calendar somewhere, `2026-01-15`: achievements and first arrivals count by it.
///
/// Plain arithmetic of the Gregorian calendar; the device's own may be another one.
public struct LocalDate: Hashable, Comparable, Sendable, LosslessStringConvertible {
  /// Days from 1970-01-01.
  public let day: Int

  /// The date so many days behind 1970-01-01, or before it.
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
    guard parts.map(\.count) == [4, 2, 2], numbers.count == 3 else { return nil }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    guard year >= 1, 1...12 ~= month, 1...Self.lengthOfMonth(month, year) ~= day else { return nil }
    // Years are counted from March, so that the leap day is the last one of its year.
    let marchYear = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    self.day = marchYear * 365 + leapDays + dayOfYear - 719_468
  }

  /// The earlier one comes first.
  public static func < (left: LocalDate, right: LocalDate) -> Bool { left.day < right.day }

  /// `YYYY-MM-DD`.
  public var description: String {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthsSinceMarch = (5 * dayOfYear + 2) / 153
    let month = monthsSinceMarch < 10 ? monthsSinceMarch + 3 : monthsSinceMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let dayOfMonth = dayOfYear - (153 * monthsSinceMarch + 2) / 5 + 1
    return "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(dayOfMonth, 2))"
  }

  /// A number with zeros in front of it.
  static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }

  /// The number of some digits, and of nothing else: `Int` would take a sign too.
  static func number(_ digits: Substring.UTF8View) -> Int? {
    guard digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
    return Int(Substring(digits))
  }

  private static func lengthOfMonth(_ month: Int, _ year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
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
