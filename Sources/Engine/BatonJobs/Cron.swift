/// A cron expression: the minutes and days at which a schedule fires, without a time zone.
struct Cron: Sendable, Hashable {
  /// The expression with single spaces between its fields.
  let text: String
  let minutes, hours, days, months, weekdays: CronField

  private static let shortcuts = [
    "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
  ]

  init(_ expression: String) throws(MalformedSchedule) {
    let words = expression.split(whereSeparator: \.isWhitespace).map(String.init)
    if let word = words.first, words.count == 1, word.hasPrefix("@") {
      guard let long = Self.shortcuts[word.lowercased()] else {
        throw MalformedSchedule(
          expression, "shortcut", "it is not @hourly, @daily, @weekly, @monthly or @yearly")
      }
      try self.init(fields: long.split(separator: " ").map(String.init), of: word)
    } else {
      try self.init(fields: words, of: words.joined(separator: " "))
    }
  }

  private init(fields: [String], of text: String) throws(MalformedSchedule) {
    guard fields.count == 5 else {
      throw MalformedSchedule(
        text, "fields",
        "there are \(fields.count) of 5: minute, hour, day of month, month, day of week")
    }
    self.text = text
    minutes = try CronField(fields[0], .minute, of: text)
    hours = try CronField(fields[1], .hour, of: text)
    days = try CronField(fields[2], .day, of: text)
    months = try CronField(fields[3], .month, of: text)
    weekdays = try CronField(fields[4], .weekday, of: text)
    guard comesAtAll else {
      throw MalformedSchedule(
        text, "day of month", "no month of '\(fields[3])' has a day of '\(fields[2])'")
    }
  }

  /// Whether the expression fires in every hour of a day.
  ///
  /// When clocks change, an expression that fires in every hour follows real time instead of the
  /// wall clock.
  var firesInEveryHour: Bool { (0...23).allSatisfy(hours.contains) }

  /// Returns the first matching minute at or after the given minute.
  ///
  /// Minutes are counted since 1970-01-01 00:00 on a wall clock. The calendar repeats after 400
  /// years, so the result is nil if no minute matches within 400 years.
  func firstMinute(from minute: Int64) -> Int64? {
    var day = CivilDay(floorDivide(minute, 1440))
    var minuteOfDay = Int(minute - day.number * 1440)
    let last = day.number + 146_097
    while day.number <= last {
      guard months.contains(day.month) else {
        (day, minuteOfDay) = (day.firstOfNextMonth, 0)
        continue
      }
      if matches(day), let found = firstMinute(ofDayFrom: minuteOfDay) {
        return day.number * 1440 + Int64(found)
      }
      (day, minuteOfDay) = (CivilDay(day.number + 1), 0)
    }
    return nil
  }

  /// Returns whether the expression fires on this day, by the rule of Vixie cron.
  ///
  /// If both day of month and day of week are restricted, one matching field is enough. If day of
  /// month or day of week begins with `*`, both fields must match.
  func matches(_ day: CivilDay) -> Bool {
    guard months.contains(day.month) else { return false }
    let (byDay, byWeekday) = (days.contains(day.day), weekdays.contains(day.weekday))
    return days.beginsWithStar || weekdays.beginsWithStar ? byDay && byWeekday : byDay || byWeekday
  }

  private func firstMinute(ofDayFrom start: Int) -> Int? {
    guard start < 1440 else { return nil }
    for hour in start / 60...23 where hours.contains(hour) {
      let from = hour == start / 60 ? start % 60 : 0
      if let minute = (from...59).first(where: minutes.contains) { return hour * 60 + minute }
    }
    return nil
  }

  private var comesAtAll: Bool {
    guard days.beginsWithStar || weekdays.beginsWithStar else { return true }
    return (1...12).contains { month in
      months.contains(month)
        && (1...[31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1])
          .contains(where: days.contains)
    }
  }
}
