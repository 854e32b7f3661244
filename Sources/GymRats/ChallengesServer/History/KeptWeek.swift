public import Challenges

/// What is kept of a group's week: enough to say what its boards showed at any instant, and why.
///
/// Instants are microseconds since 1970-01-01 00:00 UTC. Settings and names are those of now.
public struct KeptWeek: Sendable, Decodable {
  /// The group's id and its name.
  public let group, groupName: String
  /// The Monday, `YYYY-MM-DD`.
  public let weekStart: String
  /// When it was read; what was before ``keptFrom`` retention has removed, or may at any time.
  public let now, keptFrom: Int64
  /// Its boards; empty if no workout was recorded yet, or if they were removed.
  public let boards: [Board]
  /// Members, and who was one.
  public let members: [Member]

  /// The most check-ins that count on one local date; 0: all.
  let checkInsADay: Int
  let checkInsRank, streakRank: RankPolicy
  let streakPolicy: StreakPolicy
  let streakSource: String
  let reopenings: [Reopening]
  let workouts: [Workout]
  let entries: [Entry]
  let standings: [KeptPlace]

  /// A board.
  public struct Board: Sendable, Decodable {
    /// What it counts.
    public let type: ChallengeType
    /// `open`, `closed` or `cancelled`.
    public let state: String
    /// When it was made.
    public let createdAt: Int64
    /// When it was closed; nil: it is not.
    public let closedAt: Int64?
    /// Whether an event or a run is about it, so that its standings are older than its entries.
    public let isWaiting: Bool
  }

  /// From an instant on, until just before another; nil: still.
  public struct Span: Sendable, Decodable {
    /// Its first instant.
    public let from: Int64
    /// The first instant after it.
    public let until: Int64?

    func contains(_ instant: Int64) -> Bool {
      from <= instant && (until.map { instant < $0 } ?? true)
    }
  }

  /// Who is or was a member, and when; `pauses` are the times in which they did not share workouts.
  public struct Member: Sendable, Decodable {
    /// The user's id, and the name of now.
    public let user, name: String
    /// The first time.
    public let joinedAt: Int64
    /// When they were a member, and when they did not share workouts, oldest first.
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

  /// The last date before the workouts that were read.
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

  /// What the ledger said of a workout from one instant until another.
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
  /// The week itself.
  public var week: Week {
    guard let week = Week(monday: weekStart) else {
      preconditionFailure("\(weekStart) is the Monday of a row whose CHECK says so")
    }
    return week
  }

  /// The board of a type.
  public func board(_ type: ChallengeType) -> Board? { boards.first { $0.type == type } }

  /// How a type is ranked.
  func policy(of type: ChallengeType) -> RankPolicy {
    type == .checkIns ? checkInsRank : streakRank
  }
}
