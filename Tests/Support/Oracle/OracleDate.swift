/// A date of the Gregorian calendar as a number of days.
///
/// The oracle has its own arithmetic of dates.
struct OracleDate: Hashable, Comparable {
  /// The number of days since 1970-01-01.
  let days: Int

  init(days: Int) {
    self.days = days
  }

  /// Creates a date, or returns nil if the date does not exist.
  init?(year: Int, month: Int, day: Int) {
    guard
      year >= 1, (1...12).contains(month),
      day >= 1, day <= Self.monthLengths(of: year)[month - 1]
    else { return nil }
    let past = year - 1
    let daysBeforeYear = past * 365 + past / 4 - past / 100 + past / 400
    let daysBeforeMonth = Self.monthLengths(of: year)[..<(month - 1)].reduce(0, +)
    // There are 719,162 days from 0001-01-01 to 1970-01-01.
    days = daysBeforeYear + daysBeforeMonth + day - 1 - 719_162
  }

  /// Creates the local date of an instant at a UTC offset (rule 37).
  init(at instant: Int64, utcOffset: Int) {
    let local = instant + Int64(utcOffset) * 1_000_000
    let day: Int64 = 86_400_000_000
    // Integer division rounds toward zero, so the quotient of an instant before 1970 would be one
    // day too late.
    let beforeTheEpoch = local % day < 0
    days = Int(local / day) - (beforeTheEpoch ? 1 : 0)
  }

  /// The last Monday that is not after the date (rule 2).
  var monday: OracleDate {
    var date = self
    // 1970-01-05 was a Monday.
    while (date.days - 4) % 7 != 0 { date = date.adding(-1) }
    return date
  }

  /// The instant at which the date begins in UTC, in microseconds since 1970.
  var midnightUTC: Int64 { Int64(days) * 86_400_000_000 }

  /// The date as `YYYY-MM-DD`.
  var text: String {
    var year = 1970
    var left = days
    while left < 0 {
      year -= 1
      left += Self.monthLengths(of: year).reduce(0, +)
    }
    while left >= Self.monthLengths(of: year).reduce(0, +) {
      left -= Self.monthLengths(of: year).reduce(0, +)
      year += 1
    }
    var month = 1
    while left >= Self.monthLengths(of: year)[month - 1] {
      left -= Self.monthLengths(of: year)[month - 1]
      month += 1
    }
    let parts = [Self.padded(year, to: 4), Self.padded(month, to: 2), Self.padded(left + 1, to: 2)]
    return parts.joined(separator: "-")
  }

  func adding(_ count: Int) -> OracleDate { OracleDate(days: days + count) }

  static func < (left: OracleDate, right: OracleDate) -> Bool { left.days < right.days }

  private static func monthLengths(of year: Int) -> [Int] {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
