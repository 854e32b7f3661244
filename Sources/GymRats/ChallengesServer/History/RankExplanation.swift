public import Challenges

/// Explains a member's place on a board.
///
/// The place is derived from the ledger and compared with the board's entry and its standings.
/// Instants are ISO 8601 in UTC, and dates have the form `YYYY-MM-DD`.
public struct RankExplanation: Sendable, Encodable {
  /// The group's id and name, and the date of the week's Monday.
  public let group, groupName, weekStart: String
  /// The quantity that the board counts.
  public let type: ChallengeType
  /// The board's state: `open`, `settling`, `closed` or `cancelled`.
  ///
  /// A board is settling if the board's week has ended but is not closed yet.
  public let state: String
  /// The id and the name of the user.
  public let user, name: String
  /// The value derived from the ledger, or 0 if no workout counts.
  public let value: Int
  /// The instant at which the value was reached.
  public let reachedAt: String?
  /// The rank and position derived from the ledger, or nil if the member is not on the board.
  public let rank, position: Int?
  /// The reason why the board does not show the member at all: `left` or `does not share`.
  public let hidden: String?
  /// The rule for the streak and its dates, oldest first, or nil if the board does not count
  /// streaks.
  public let streak: ShownStreak?
  /// The workouts of the week, counted or not, oldest first.
  public let workouts: [JudgedWorkout]
  /// The time ranges in the week in which the member did not share workouts.
  ///
  /// Workouts that were performed in these ranges are not stored.
  public let pauses: [Pause]
  /// At most ten members who are ranked higher, starting with the nearest.
  public let ahead: [Rival]
  /// The member who is ranked next after this member.
  public let behind: Rival?
  /// The member's published value and rank, or nil if nothing is published.
  public let publishedValue, publishedRank: Int?
  /// Whether the entries are newer than the published standings, because the board waits for its
  /// ranks.
  public let isWaiting: Bool
  /// The differences between the ledger and the board's entry or standing.
  public let differences: [String]

  /// The dates of a streak.
  public struct ShownStreak: Sendable, Encodable {
    /// The rule for the streak: `peak`, `lastRun`, `weekOnly`, or `reported`, which has no dates.
    public let policy: String
    /// The dates of the streak for which workouts were read from the ledger.
    public let dates: [String]
    /// The number of days of the streak before these dates.
    public let earlier: Int
  }

  /// A workout, and the reason if it does not count.
  public struct JudgedWorkout: Sendable, Encodable {
    /// The workout's id from the client.
    public let workout: String
    /// The instants at which the workout was performed and received.
    public let performedAt, receivedAt: String
    /// The local date of the workout.
    public let date: String
    /// The stored outcome of the workout.
    public let outcome: String
    /// The stored reason for the outcome.
    public let reason: String?
    /// The reason why the workout does not count, or nil if it counts.
    public let because: String?
  }

  /// Another member, and the rule that decided the order of the two members.
  public struct Rival: Sendable, Encodable {
    /// The id and the name of the user.
    public let user, name: String
    /// The other member's value, rank and position.
    public let value, rank, position: Int
    /// The instants at which the other member reached the value and joined.
    public let reachedAt, joinedAt: String
    /// The rule that decided the order.
    public let by: Decision
  }

  /// A time range in which the member did not share workouts.
  public struct Pause: Sendable, Encodable {
    /// The first instant of the range.
    public let from: String
    /// The first instant after the range, or nil if the range has not ended.
    public let until: String?
  }

  /// The rules that decide the order of two members, applied in this order.
  public enum Decision: String, Sendable, Encodable {
    /// The member with the greater value is ranked higher.
    case value
    /// Of members with equal values, the one who reached the value earlier is ranked higher.
    case reachedAt = "reached_at"
    /// Of members who are still tied, the one who joined earlier is ranked higher.
    case joinedAt = "joined_at"
    /// Of members who are still tied, the one whose id sorts first by bytes is ranked higher.
    case userID = "user_id"
  }
}

extension RankExplanation.Decision {
  /// Finds the rule that ranks one of two neighbors higher.
  init(between one: DerivedBoard.Place, and other: DerivedBoard.Place) {
    self =
      one.value != other.value
      ? .value
      : one.reachedAt != other.reachedAt
        ? .reachedAt : one.joinedAt != other.joinedAt ? .joinedAt : .userID
  }
}
