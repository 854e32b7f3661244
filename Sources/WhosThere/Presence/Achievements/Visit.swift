public import Foundation
public import ProductKit

/// One stay at a group's place, as far as achievements go.
public struct Visit: Hashable, Sendable {
  /// Which group's place.
  public let groupId: String
  /// When the user checked in.
  public let arrival: Date
  /// When they checked out, or were; nil: they are there.
  public let departure: Date?
  /// The group's date of the arrival, which no later change of its time zone moves.
  public let localDate: LocalDate
  /// Whether the user was the first of the group on that date.
  public let isFirst: Bool

  /// A stay.
  public init(
    groupId: String, arrival: Date, departure: Date?, localDate: LocalDate, isFirst: Bool = false
  ) {
    self.groupId = groupId
    self.arrival = arrival
    self.departure = departure
    self.localDate = localDate
    self.isFirst = isFirst
  }

  /// How long it was, in whole seconds; 0 while it lasts.
  public var stay: Int {
    guard let departure else { return 0 }
    return Int(min(max(0, departure.timeIntervalSince(arrival)), 1e10))
  }
}

/// Dates in a row, each counted once, whatever group it is of.
public enum VisitStreak {
  /// The most dates in a row.
  public static func longest(_ dates: [LocalDate]) -> Int { runs(dates).map(\.count).max() ?? 0 }

  /// The dates in a row that end today or yesterday; else 0: today may still come.
  ///
  /// A run may end with tomorrow, if the clock at a group's place is later than the user's.
  public static func current(_ dates: [LocalDate], today: LocalDate) -> Int {
    guard let last = runs(dates).last, last.end.day >= today.day - 1 else { return 0 }
    return last.count
  }

  /// How many dates each run has, and its last one; oldest first.
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
  /// The statistics that follow from a user's stays, in any order.
  ///
  /// The server counts incrementally and must reach the same numbers.
  ///
  /// - Parameter today: the user's own date.
  public init(visits: [Visit], messagesSent: Int, today: LocalDate) {
    let dates = visits.map(\.localDate)
    self.init(
      checkIns: visits.count, firstArrivals: visits.filter(\.isFirst).count,
      groupsVisited: Set(visits.map(\.groupId)).count,
      currentStreak: VisitStreak.current(dates, today: today),
      longestStreak: VisitStreak.longest(dates), longestStay: visits.map(\.stay).max() ?? 0,
      messagesSent: messagesSent)
  }
}
