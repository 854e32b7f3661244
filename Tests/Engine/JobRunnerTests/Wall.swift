import Foundation

/// Converts instants from and to text, for tables of test cases.
enum Wall {
  /// Returns the seconds since 1970-01-01 00:00 UTC of an instant such as `2024-03-10T07:00:00Z`.
  static func instant(_ text: String) -> Int64 {
    guard let date = try? Date(text, strategy: .iso8601) else { return .min }
    return Int64(date.timeIntervalSince1970)
  }

  /// Returns the text of an instant.
  static func text(_ instant: Int64) -> String {
    Date(timeIntervalSince1970: Double(instant)).formatted(.iso8601)
  }

  /// Returns the time that clocks show according to a calendar: minute, hour, day, month, weekday
  /// (0 is Sunday), year.
  static func shown(_ instant: Int64, _ calendar: Calendar) -> [Int] {
    let parts = calendar.dateComponents(
      [.minute, .hour, .day, .month, .weekday, .year],
      from: Date(timeIntervalSince1970: Double(instant)))
    return [
      parts.minute ?? -1, parts.hour ?? -1, parts.day ?? -1, parts.month ?? -1,
      (parts.weekday ?? 0) - 1, parts.year ?? -1,
    ]
  }

  static func calendar(_ zone: String) -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    if let zone = TimeZone(identifier: zone) { calendar.timeZone = zone }
    return calendar
  }
}
