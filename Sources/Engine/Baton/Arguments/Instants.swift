import BatonJobs
package import Foundation

extension Date {
  /// Parses an instant in UTC that a user typed, such as `2024-06-03` or `2024-06-03T12:00:00Z`.
  ///
  /// - Throws: ``Complaint`` if the string is not an instant in UTC.
  package init(instant text: String, place: String) throws {
    guard let date = Date(utc: text.contains("T") ? text : text + "T00:00:00Z") else {
      throw Complaint(
        .usage, what: "'\(text)' is not an instant.", place: place,
        next: "Write a date of the calendar as YYYY-MM-DD, or YYYY-MM-DDThh:mm:ssZ; both are UTC.")
    }
    self = date
  }

  /// Parses `2024-06-03T12:00:00Z`, or returns nil for any other string.
  package init?(utc text: String) {
    guard let instant = Schedule.instant(of: text) else { return nil }
    self.init(timeIntervalSince1970: Double(instant))
  }
}

extension Duration {
  private static let units: [Character: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
  /// The number of seconds in 100 years.
  private static let longest = 36_525 * 86_400

  /// Parses a duration that a user typed, such as `2h30m`: whole numbers with `d`, `h`, `m` or `s`.
  ///
  /// A day is 24 hours.
  ///
  /// - Throws: ``Complaint`` if the string is not a duration, or if the duration is longer than 100
  ///   years.
  init(text: String, place: String) throws {
    var seconds = 0
    var number: Int?
    var isWhole = !text.isEmpty
    for character in text where isWhole {
      if let digit = character.wholeNumberValue, character.isASCII {
        let grown = (number ?? 0) * 10 + digit
        number = grown
        isWhole = grown < 4_000_000_000
      } else if let unit = Self.units[character], let counted = number {
        seconds += counted * unit
        number = nil
        isWhole = seconds <= Self.longest
      } else {
        isWhole = false
      }
    }
    guard isWhole, number == nil, seconds <= Self.longest else {
      throw Complaint(
        .usage, what: "'\(text)' is not a duration.", place: place,
        next: "Write whole numbers with d, h, m or s: 90s, 15m, 2h30m, 7d.")
    }
    self = .seconds(seconds)
  }
}
