public import Foundation
public import ProductKit

/// A user's stay at a group's place, with the data that achievements depend on.
public struct Visit: Hashable, Sendable {
  /// The id of the group.
  public let groupId: String
  /// The time when the user checked in.
  public let arrival: Date
  /// The time when the stay ended, or nil if it has not ended yet.
  public let departure: Date?
  /// The arrival date in the group's time zone.
  ///
  /// If the group's time zone is changed later, the arrival date stays the same.
  public let localDate: LocalDate
  /// Whether the user was the first member of the group to check in on the arrival date.
  public let isFirst: Bool

  /// Creates a stay.
  public init(
    groupId: String, arrival: Date, departure: Date?, localDate: LocalDate, isFirst: Bool = false
  ) {
    self.groupId = groupId
    self.arrival = arrival
    self.departure = departure
    self.localDate = localDate
    self.isFirst = isFirst
  }

  /// The duration of the stay in whole seconds, or 0 if it has not ended yet.
  public var stay: Int {
    guard let departure else { return 0 }
    return Int(min(max(0, departure.timeIntervalSince(arrival)), 1e10))
  }
}

/// Computes runs of consecutive dates with a visit.
///
/// Each date counts once, even if the user visited several groups.
public enum VisitStreak {
  /// Returns the length of the longest run of consecutive dates.
  public static func longest(_ dates: [LocalDate]) -> Int { runs(dates).map(\.count).max() ?? 0 }

  /// Returns the number of consecutive dates up to today or yesterday, or 0 if neither day is among
  /// the dates.
  ///
  /// A streak whose last date was yesterday still counts, because the user may check in today. The
  /// last date of a streak can also be later than the user's current date, because the next date
  /// may already have begun in a group's time zone.
  public static func current(_ dates: [LocalDate], today: LocalDate) -> Int {
    guard let last = runs(dates).last, last.end.day >= today.day - 1 else { return 0 }
    return last.count
  }

  /// Returns the length and the last date of each run of consecutive dates, oldest run first.
  private static func runs(_ dates: [LocalDate]) -> [(count: Int, end: LocalDate)] {
    var runs: [(count: Int, end: LocalDate)] = []
    for date in Set(dates).sorted() {
      if let last = runs.last, last.end.day + 1 == date.day {
        runs[runs.count - 1] = (last.count + 1, date)
      } else {
        runs.append((1, date))
      }
    }
    return runs
  }
}

extension UserStats {
  /// Computes a user's statistics from all of the user's stays, in any order.
  ///
  /// The server updates a user's statistics incrementally, and gets the same results as this
  /// initializer.
  ///
  /// - Parameter today: The current date in the user's time zone.
  public init(visits: [Visit], messagesSent: Int, today: LocalDate) {
    let dates = visits.map(\.localDate)
    self.init(
      checkIns: visits.count, firstArrivals: visits.filter(\.isFirst).count,
      groupsVisited: Set(visits.map(\.groupId.bytes)).count,
      currentStreak: VisitStreak.current(dates, today: today),
      longestStreak: VisitStreak.longest(dates), longestStay: visits.map(\.stay).max() ?? 0,
      messagesSent: messagesSent)
  }
}
