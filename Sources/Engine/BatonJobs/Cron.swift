/// A cron expression that has been checked for errors.
///
/// The `cron_fields` SQL function applies the same rules and reports the same errors as this type.
struct Cron: Sendable, Hashable {
  /// The expression with single spaces between its fields.
  let text: String

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
    _ = try CronField(fields[0], .minute, of: text)
    _ = try CronField(fields[1], .hour, of: text)
    let days = try CronField(fields[2], .day, of: text)
    let months = try CronField(fields[3], .month, of: text)
    let weekdays = try CronField(fields[4], .weekday, of: text)
    // If the day of the month and the day of the week are both restricted, a day may match either
    // field. The expression is valid even if the day of the month does not exist.
    let needsDay = days.beginsWithStar || weekdays.beginsWithStar
    guard !needsDay || Self.exists(days, in: months) else {
      throw MalformedSchedule(
        text, "day of month", "no month of '\(fields[3])' has a day of '\(fields[2])'")
    }
  }

  /// Returns whether any of the given days exists in any of the given months.
  private static func exists(_ days: CronField, in months: CronField) -> Bool {
    (1...12).contains { month in
      months.contains(month)
        && (1...[31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1])
          .contains(where: days.contains)
    }
  }
}
