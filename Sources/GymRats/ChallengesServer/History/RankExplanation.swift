public import Challenges

/// Why a member has the place on a board that they have: derived from the ledger, and compared with what the
/// board's entry and its standings say.
///
/// Instants are ISO 8601 in UTC, dates `YYYY-MM-DD`.
public struct RankExplanation: Sendable, Encodable {
  /// The group's id and name, and the Monday.
  public let group, groupName, weekStart: String
  /// What the board counts.
  public let type: ChallengeType
  /// `open`, `settling` (over, not closed), `closed` or `cancelled`.
  public let state: String
  /// The user's id and name.
  public let user, name: String
  /// What follows from the ledger; 0: nothing counts.
  public let value: Int
  /// When it was reached.
  public let reachedAt: String?
  /// The place that follows from it; nil: not on the board.
  public let rank, position: Int?
  /// Why they are not shown, whatever their value: `left` or `does not share`.
  public let hidden: String?
  /// How the streak is counted and of which dates it is made, oldest first; nil: no board of streaks.
  public let streak: ShownStreak?
  /// The workouts of the week, those that count and those that do not, oldest first.
  public let workouts: [JudgedWorkout]
  /// When the member did not share workouts in the week: of what was performed then nothing is kept.
  public let pauses: [Pause]
  /// The members who are ranked higher, the nearest first, ten at most.
  public let ahead: [Rival]
  /// The member who is ranked next after this one.
  public let behind: Rival?
  /// What is published of the member; nil: nothing.
  public let publishedValue, publishedRank: Int?
  /// Whether entries are newer than what is published: the board waits to be ranked.
  public let isWaiting: Bool
  /// Where the entry or the standing is not what follows from the ledger.
  public let differences: [String]

  /// The dates of a streak.
  public struct ShownStreak: Sendable, Encodable {
    /// `peak`, `lastRun`, `weekOnly`, or `reported`, which has no dates.
    public let policy: String
    /// The dates that are in the ledger as far as it is looked at.
    public let dates: [String]
    /// How many days of it lie before these.
    public let earlier: Int
  }

  /// A workout, and why it does not count.
  public struct JudgedWorkout: Sendable, Encodable {
    /// The client's id of it.
    public let workout: String
    /// When it was performed and received.
    public let performedAt, receivedAt: String
    /// The local date that it counts on.
    public let date: String
    /// The outcome as it is stored.
    public let outcome: String
    /// Its reason as it is stored.
    public let reason: String?
    /// Nil: it counts.
    public let because: String?
  }

  /// Another member, and what decides between the two.
  public struct Rival: Sendable, Encodable {
    /// The user's id and name.
    public let user, name: String
    /// Their place.
    public let value, rank, position: Int
    /// When they reached the value, and when they joined.
    public let reachedAt, joinedAt: String
    /// What decides.
    public let by: Decision
  }

  /// A time in which the member did not share workouts.
  public struct Pause: Sendable, Encodable {
    /// Its first instant.
    public let from: String
    /// The first instant after it; nil: it goes on.
    public let until: String?
  }

  /// What decides between two members, in the order in which it is asked.
  public enum Decision: String, Sendable, Encodable {
    /// The greater value is ahead.
    case value
    /// Of equal values the one that was reached earlier.
    case reachedAt = "reached_at"
    /// Of those the one whose member joined earlier.
    case joinedAt = "joined_at"
    /// Of those the smaller id, by bytes.
    case userID = "user_id"
  }
}

extension RankExplanation.Decision {
  /// What lets one of two neighbours be ahead.
  init(between one: DerivedBoard.Place, and other: DerivedBoard.Place) {
    self =
      one.value != other.value
      ? .value
      : one.reachedAt != other.reachedAt
        ? .reachedAt : one.joinedAt != other.joinedAt ? .joinedAt : .userID
  }
}
