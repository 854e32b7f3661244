public import Challenges
import CivilTime
public import Foundation

/// A point in time as a date and time in the user's time zone.
///
/// Weeks start and end in UTC, at the same time for all users. A phone uses `LocalTime` to show the
/// end of a week in local time.
public struct LocalTime: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The year, the month and the day of the month.
  public let year, month, day: Int
  /// The day of the week, from 1 for Monday to 7 for Sunday.
  public let weekday: Int
  /// The time of day.
  public let hour, minute, second: Int
  /// The UTC offset of the local time, in seconds east of UTC.
  public let utcOffset: Int

  /// Creates the local time of an instant in a time zone.
  public init(_ instant: Date, in zone: TimeZone) {
    self.init(instant, utcOffset: zone.secondsFromGMT(for: instant))
  }

  /// Creates the local time of an instant at a UTC offset in seconds.
  public init(_ instant: Date, utcOffset: Int) {
    let seconds = min(max(instant.timeIntervalSince1970.rounded(.down), -6e10), 2.5e11)
    let local = Int64(seconds) + Int64(utcOffset)
    let days = floorDivide(local, 86_400)
    let time = local - days * 86_400
    let date = CivilDay(days)
    (year, month, day) = (Int(date.year), Int(date.month), Int(date.day))
    // 1970-01-01 was a Thursday.
    weekday = Int(days + 3 - floorDivide(days + 3, 7) * 7) + 1
    (hour, minute, second) = (Int(time / 3_600), Int(time / 60 % 60), Int(time % 60))
    self.utcOffset = utcOffset
  }

  /// The local time as text, such as `2026-01-19 01:00+01:00`, for logs and for code that has no
  /// formatter.
  public var description: String {
    func two(_ number: Int) -> String { Int64(number).digits(2) }
    let offset = abs(utcOffset) / 60
    return """
      \(Int64(year).digits(4))-\(two(month))-\(two(day)) \(two(hour)):\(two(minute))\
      \(utcOffset < 0 ? "-" : "+")\(two(offset / 60)):\(two(offset % 60))
      """
  }
}

extension Challenge {
  /// Returns the local times of the week's start and last second.
  public func localWeek(in zone: TimeZone) -> (start: LocalTime, end: LocalTime) {
    (LocalTime(weekStartDate, in: zone), LocalTime(weekEndDate, in: zone))
  }

  /// Returns the time until the week ends, or 0 if it has ended.
  public func timeLeft(at instant: Date) -> Duration {
    .seconds(min(max(0, week.endDate.timeIntervalSince(instant)), 1e10))
  }
}
