public import Challenges

/// The stored data of a group's week.
///
/// The data suffices to derive and explain the week's boards at any time.
///
/// Times are in microseconds since 1970-01-01 00:00 UTC. Settings and names are the current values,
/// even for a past week.
public struct KeptWeek: Sendable, Decodable {
  /// The group's id and name.
  public let group, groupName: String
  /// The date of the week's Monday, as `YYYY-MM-DD`.
  public let weekStart: String
  /// The time of the query, and the earliest time for which all data is still stored.
  ///
  /// Retention may have deleted data from before `keptFrom`.
  public let now, keptFrom: Int64
  /// The week's boards.
  ///
  /// The array is empty if no workout has been recorded or if the boards were deleted.
  public let boards: [Board]
  /// The current and former members of the group.
  public let members: [Member]

  /// The maximum number of check-ins that are counted for one local date, or 0 for no limit.
  let checkInsADay: Int
  let checkInsRank, streakRank: RankPolicy
  let streakPolicy: StreakPolicy
  let streakSource: String
  let reopenings: [Reopening]
  let workouts: [Workout]
  let entries: [Entry]
  let standings: [KeptPlace]

  /// The data of one board.
  public struct Board: Sendable, Decodable {
    /// The quantity that the board counts.
    public let type: ChallengeType
    /// The board's state: `open`, `closed` or `cancelled`.
    public let state: String
    /// The time when the board was created.
    public let createdAt: Int64
    /// The time when the board was closed, or nil if it is not closed.
    public let closedAt: Int64?
    /// Whether an event or a run for the board is pending.
    ///
    /// While an event or a run is pending, the standings are older than the entries.
    public let isWaiting: Bool
  }

  /// A half-open time range, which is unlimited if the end is nil.
  public struct Span: Sendable, Decodable {
    /// The first instant of the range.
    public let from: Int64
    /// The first instant after the range, or nil if the range has not ended.
    public let until: Int64?

    func contains(_ instant: Int64) -> Bool {
      from <= instant && (until.map { instant < $0 } ?? true)
    }
  }

  /// A current or former member of the group.
  public struct Member: Sendable, Decodable {
    /// The user's id and current name.
    public let user, name: String
    /// The time when the user joined for the first time.
    public let joinedAt: Int64
    /// The time ranges of membership, and the time ranges in which the user did not share workouts,
    /// oldest first.
    public let stays, pauses: [Span]
    let reported: [ReportedStreak]
    let carried: CarriedDay?
  }

  struct Reopening: Sendable, Decodable {
    let closedAt, reopenedAt: Int64
  }

  struct ReportedStreak: Sendable, Decodable {
    let days: Int
    let at: Int64
  }

  /// The date of the member's last workout before the workouts that `KeptWeek` contains.
  ///
  /// The member's streak may have begun before the first workout in `KeptWeek`.
  struct CarriedDay: Sendable, Decodable {
    let date: Int64
    let streak: Int
    let firstAt, lastAt: Int64
    let firstOffset, lastOffset: Int

    var day: Streak.Day {
      Streak.Day(
        day: date, first: Streak.Workout(instant: firstAt, utcOffset: firstOffset),
        last: Streak.Workout(instant: lastAt, utcOffset: lastOffset), run: streak)
    }
  }

  /// The state of a workout in the ledger during a time range.
  struct Workout: Sendable, Decodable {
    let user, workout: String
    let group: String?
    let performedAt: Int64
    let utcOffset: Int
    let isCounted: Bool
    let outcome: String
    let reason: String?
    let missedBoard, isDeleted: Bool
    let from: Int64
    let until: Int64?

    var streak: Streak.Workout { Streak.Workout(instant: performedAt, utcOffset: utcOffset) }
    var week: Week { Week(containing: performedAt.flooredSeconds) }

    func isSaid(at instant: Int64) -> Bool {
      Span(from: from, until: until).contains(instant)
    }
  }

  struct Entry: Sendable, Decodable {
    let type: ChallengeType
    let user: String
    let value: Int
    let reachedAt: Int64
    let isHidden: Bool
  }
}

extension KeptWeek {
  /// The week of the stored data, as a `Week`.
  public var week: Week {
    guard let week = Week(monday: weekStart) else {
      preconditionFailure("\(weekStart) is the Monday of a row whose CHECK says so")
    }
    return week
  }

  /// Returns the board of a type, or nil if the board is missing.
  public func board(_ type: ChallengeType) -> Board? { boards.first { $0.type == type } }

  /// Returns the rule for equal values on boards of a type.
  func policy(of type: ChallengeType) -> RankPolicy {
    type == .checkIns ? checkInsRank : streakRank
  }
}
