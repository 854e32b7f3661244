public import Foundation
public import ProductKit

/// The data about one stay at a group's place that achievements depend on.
public struct Visit: Hashable, Sendable {
  /// The id of the group.
  public let groupId: String
  /// The instant at which the user checked in.
  public let arrival: Date
  /// The instant at which the user or the server ended the stay, or nil during the stay.
  public let departure: Date?
  /// The date of the arrival in the group's time zone.
  ///
  /// A later change of the time zone does not change this date.
  public let localDate: LocalDate
  /// Whether the user was the first member of the group to check in on that date.
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

  /// The length of the stay in whole seconds, or 0 during the stay.
  public var stay: Int {
    guard let departure else { return 0 }
    return Int(min(max(0, departure.timeIntervalSince(arrival)), 1e10))
  }
}

/// Computes runs of consecutive dates, in which each date counts once for all groups together.
public enum VisitStreak {
  /// Returns the length of the longest run.
  public static func longest(_ dates: [LocalDate]) -> Int { runs(dates).map(\.count).max() ?? 0 }

  /// Returns the length of the run that ends today or yesterday, or 0 without such a run.
  ///
  /// A run that ended yesterday still counts, because the user may check in today. A run may also
  /// end tomorrow, if the group's time zone is already on the next date.
  public static func current(_ dates: [LocalDate], today: LocalDate) -> Int {
    guard let last = runs(dates).last, last.end.day >= today.day - 1 else { return 0 }
    return last.count
  }

  /// Returns the length and the last date of each run, oldest first.
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
  /// Computes a user's statistics from all stays, which may be in any order.
  ///
  /// The server updates its statistics incrementally and must compute the same numbers.
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
