public import Challenges

/// Explains a member's place on a board.
///
/// The place is derived from the ledger and compared with the member's entry and standing on the
/// board. Times are UTC strings in ISO 8601 format, and dates have the form `YYYY-MM-DD`.
public struct RankExplanation: Sendable, Encodable {
  /// The group's id, the group's name, and the date of the week's Monday.
  public let group, groupName, weekStart: String
  /// The quantity that the board counts.
  public let type: ChallengeType
  /// The board's state: `open`, `settling`, `closed` or `cancelled`.
  ///
  /// A board is settling if its week has ended but it has not been closed.
  public let state: String
  /// The user's id and name.
  public let user, name: String
  /// The value derived from the ledger, or 0 if no workout counts.
  public let value: Int
  /// The time when the value was reached.
  public let reachedAt: String?
  /// The rank and position derived from the ledger, or nil if the member is not on the board.
  public let rank, position: Int?
  /// The reason why the board does not show the member.
  ///
  /// The value `left` means that the user had left the group. The value `does not share` means that
  /// the member did not share workouts.
  ///
  /// The value is nil if the board can show the member.
  public let hidden: String?
  /// The streak's rule and dates, oldest first, or nil if the board does not count streaks.
  public let streak: ShownStreak?
  /// All workouts of the week, including those that do not count, oldest first.
  public let workouts: [JudgedWorkout]
  /// The time ranges in the week in which the member did not share workouts.
  ///
  /// Workouts that the member performed while not sharing are not stored.
  public let pauses: [Pause]
  /// Up to ten members who are ranked directly above this member, lowest-ranked first.
  public let ahead: [Rival]
  /// The member at the next position after this one.
  public let behind: Rival?
  /// The member's published value and rank, or nil if the board has no standing for the member.
  public let publishedValue, publishedRank: Int?
  /// Whether the ranks of the board are pending, which means that the entries are newer than the
  /// published standings.
  public let isWaiting: Bool
  /// The differences between the ledger and the board's entry or standing.
  public let differences: [String]

  /// The rule and the dates of a streak.
  public struct ShownStreak: Sendable, Encodable {
    /// The rule for the streak: `peak`, `lastRun`, `weekOnly` or `reported`.
    ///
    /// With the `reported` rule, clients report the length of a streak, so ``dates`` is empty.
    public let policy: String
    /// The streak's dates.
    ///
    /// The list omits dates before the first workout that was read from the ledger.
    public let dates: [String]
    /// The number of the streak's days before the first date in ``dates``.
    public let earlier: Int
  }

  /// A workout in the week, with a reason if it does not count.
  public struct JudgedWorkout: Sendable, Encodable {
    /// The id that the client chose for the workout.
    public let workout: String
    /// The time when the workout was performed, and the time when the server received it.
    public let performedAt, receivedAt: String
    /// The workout's local date.
    public let date: String
    /// The workout's stored outcome.
    public let outcome: String
    /// The stored reason for the outcome.
    public let reason: String?
    /// The reason why the workout does not count, or nil if it counts.
    public let because: String?
  }

  /// Another member, and the rule that determines the order of the two members.
  public struct Rival: Sendable, Encodable {
    /// The user's id and name.
    public let user, name: String
    /// The other member's value, rank and position.
    public let value, rank, position: Int
    /// The times when the other member reached this value and joined the group.
    public let reachedAt, joinedAt: String
    /// The rule that determines the order of the two members.
    public let by: Decision
  }

  /// A time range in which the member did not share workouts.
  public struct Pause: Sendable, Encodable {
    /// The first instant of the range.
    public let from: String
    /// The first instant after the range, or nil if the range has not ended.
    public let until: String?
  }

  /// The rules that determine the order of two members.
  ///
  /// The rules are applied in the listed order.
  public enum Decision: String, Sendable, Encodable {
    /// The member with the greater value is ranked higher.
    case value
    /// Of two members with equal values, the one who reached the value earlier is ranked higher.
    case reachedAt = "reached_at"
    /// Of two members who reached equal values at the same time, the one who joined earlier is
    /// ranked higher.
    case joinedAt = "joined_at"
    /// Of two members with equal values and equal times, the one whose id is first in byte order is
    /// ranked higher.
    case userID = "user_id"
  }
}

extension RankExplanation.Decision {
  /// Finds the rule that determines the order of two members.
  init(between one: DerivedBoard.Place, and other: DerivedBoard.Place) {
    self =
      one.value != other.value
      ? .value
      : one.reachedAt != other.reachedAt
        ? .reachedAt : one.joinedAt != other.joinedAt ? .joinedAt : .userID
  }
}
