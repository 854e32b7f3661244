import CivilTime

/// Arithmetic with dates of the Gregorian calendar, which is extended back to the year 1.
public enum CivilDate {
  /// Returns the days from 1970-01-01 to a date, or nil if it does not exist.
  public static func days(year: Int64, month: Int64, day: Int64) -> Int64? {
    CivilDay(year: year, month: month, day: day)?.number
  }

  /// Returns the date that is a number of days after 1970-01-01.
  ///
  /// If the number is negative, the date is before 1970-01-01.
  public static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let date = CivilDay(day)
    return (date.year, date.month, date.day)
  }

  /// Returns the date that is a number of days after 1970-01-01, as `YYYY-MM-DD`.
  public static func text(ofDay day: Int64) -> String { CivilDay(day).text }
}
