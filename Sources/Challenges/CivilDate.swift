/// Dates of the Gregorian calendar, carried back to the year 1.
public enum CivilDate {
  /// Days from 1970-01-01 to a date; nil where there is no such date.
  public static func days(year: Int64, month: Int64, day: Int64) -> Int64? {
    guard 1...9999 ~= year, 1...12 ~= month, 1...lengthOfMonth(month, year) ~= day else {
      return nil
    }
    // Years are counted from March, so that the leap day is the last one of its year.
    let marchYear = month > 2 ? year : year - 1
    let monthsSinceMarch = (month + 9) % 12
    let dayOfYear = (153 * monthsSinceMarch + 2) / 5 + day - 1
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    return marchYear * 365 + leapDays + dayOfYear - 719_468
  }

  private static func lengthOfMonth(_ month: Int64, _ year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
