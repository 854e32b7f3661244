/// A day of the proleptic Gregorian calendar.
package struct CivilDay: Sendable, Equatable {
  /// The number of days since 1970-01-01.
  ///
  /// The number is negative for days before 1970-01-01.
  package let number: Int64
  let year: Int64
  /// The month, from 1 to 12.
  let month: Int
  /// The day of the month, from 1 to 31.
  let day: Int

  /// Creates the day that is `number` days after 1970-01-01.
  ///
  /// The computation starts each year in March, so the leap day is the last day of a year. Years
  /// are grouped in eras of 400 years.
  init(_ number: Int64) {
    self.number = number
    let shifted = number + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Creates a day in the years 1 to 9999, or returns nil if the calendar does not contain this
  /// day.
  package init?(year: Int64, month: Int64, day: Int64) {
    guard 1...9999 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
    let marchYear = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    self.init(marchYear * 365 + leapDays + dayOfYear - 719_468)
    // Without this comparison, the 31st in a month of 30 days would become the 1st of the next
    // month.
    guard self.day == Int(day) else { return nil }
  }
}

/// Divides two integers and rounds the quotient down, even if the quotient is negative.
package func floorDivide(_ dividend: Int64, _ divisor: Int64) -> Int64 {
  let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? quotient - 1 : quotient
}
