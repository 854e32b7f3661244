/// Arithmetic with dates of the Gregorian calendar, which is extended back to the year 1.
public enum CivilDate {
  /// Returns the days from 1970-01-01 to a date, or nil if the date does not exist.
  public static func days(year: Int64, month: Int64, day: Int64) -> Int64? {
    guard 1...9999 ~= year, 1...12 ~= month, 1...lengthOfMonth(month, year) ~= day else {
      return nil
    }
    // In this computation, a year starts in March, so that the leap day is the last day of a year.
    let marchYear = month > 2 ? year : year - 1
    let monthsSinceMarch = (month + 9) % 12
    let dayOfYear = (153 * monthsSinceMarch + 2) / 5 + day - 1
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    return marchYear * 365 + leapDays + dayOfYear - 719_468
  }

  /// Returns the date that is a number of days after 1970-01-01.
  ///
  /// If the number is negative, the date is before 1970-01-01.
  public static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthsSinceMarch = (5 * dayOfYear + 2) / 153
    let month = monthsSinceMarch < 10 ? monthsSinceMarch + 3 : monthsSinceMarch - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * monthsSinceMarch + 2) / 5 + 1
    )
  }

  /// Returns the date that is a number of days after 1970-01-01, as `YYYY-MM-DD`.
  public static func text(ofDay day: Int64) -> String {
    let date = date(ofDay: day)
    return "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))"
  }

  /// Returns a number as text with leading zeros.
  package static func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }

  private static func lengthOfMonth(_ month: Int64, _ year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
