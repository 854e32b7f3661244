/// A day of the proleptic Gregorian calendar, which PostgreSQL uses for all days.
package struct CivilDay: Sendable, Equatable {
  /// The number of days since 1970-01-01.
  ///
  /// The number is negative for days before 1970-01-01.
  package let number: Int64
  package let year: Int64
  /// The month, from 1 to 12.
  package let month: Int64
  /// The day of the month, from 1 to 31.
  package let day: Int64

  /// Creates the day that is `number` days after 1970-01-01.
  ///
  /// In the computation, a year starts in March, so the leap day is the last day of a year. Years
  /// are grouped in eras of 400 years, each of which has 146,097 days.
  package init(_ number: Int64) {
    self.number = number
    let shifted = number + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Creates a day in the given years, or returns nil if the calendar does not contain this day.
  ///
  /// - Parameter years: the accepted years, with at most nine digits.
  package init?(year: Int64, month: Int64, day: Int64, in years: ClosedRange<Int64> = 1...9999) {
    guard years ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
    let marchYear = month > 2 ? year : year - 1
    let era = floorDivide(marchYear, 400)
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    self.init(era * 146_097 + dayOfEra - 719_468)
    // Without this comparison, the 31st in a 30-day month would become the 1st of the next month.
    guard self.day == day else { return nil }
  }

  /// The day as text, such as `2026-11-23`.
  ///
  /// The year has at least four digits.
  package var text: String { "\(year.digits(4))-\(month.digits(2))-\(day.digits(2))" }
}
