public import Challenges
public import Foundation
import ProductKit

/// An instant as a wall clock at the user's place shows it.
///
/// Weeks are the same for all users, in UTC; a phone uses this to show their ends in local time.
public struct LocalTime: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The date.
  public let year, month, day: Int
  /// 1 is Monday, 7 is Sunday.
  public let weekday: Int
  /// The time of day.
  public let hour, minute, second: Int
  /// How far the clock is before UTC, in seconds.
  public let utcOffset: Int

  /// What a clock in a time zone shows.
  public init(_ instant: Date, in zone: TimeZone) {
    self.init(instant, utcOffset: zone.secondsFromGMT(for: instant))
  }

  /// What a clock that is so many seconds before UTC shows.
  public init(_ instant: Date, utcOffset: Int) {
    let seconds = min(max(instant.timeIntervalSince1970.rounded(.down), -6e10), 2.5e11)
    let local = Int64(seconds) + Int64(utcOffset)
    let time = (local % 86_400 + 86_400) % 86_400
    let days = (local - time) / 86_400
    let date = CivilDate.date(ofDay: days)
    (year, month, day) = (Int(date.year), Int(date.month), Int(date.day))
    // 1970-01-01 was a Thursday.
    weekday = Int(((days + 3) % 7 + 7) % 7) + 1
    (hour, minute, second) = (Int(time / 3_600), Int(time / 60 % 60), Int(time % 60))
    self.utcOffset = utcOffset
  }

  /// `2026-01-19 01:00+01:00`, for logs and where no formatter is at hand.
  public var description: String {
    func two(_ number: Int) -> String { CivilDate.digits(Int64(number), 2) }
    let offset = abs(utcOffset) / 60
    return """
      \(CivilDate.digits(Int64(year), 4))-\(two(month))-\(two(day)) \(two(hour)):\(two(minute))\
      \(utcOffset < 0 ? "-" : "+")\(two(offset / 60)):\(two(offset % 60))
      """
  }
}

extension Challenge {
  /// When its week begins and when its last second is, as the clock in a time zone shows them.
  public func localWeek(in zone: TimeZone) -> (start: LocalTime, end: LocalTime) {
    (LocalTime(weekStartDate, in: zone), LocalTime(weekEndDate, in: zone))
  }

  /// How long workouts still count; 0 after the end.
  public func timeLeft(at instant: Date) -> Duration {
    .seconds(min(max(0, week.endDate.timeIntervalSince(instant)), 1e10))
  }
}
