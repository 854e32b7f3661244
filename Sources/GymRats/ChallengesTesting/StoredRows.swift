import Challenges
import Foundation

// The types in this file are the rows that the in-memory server stores.

/// A half-open time range, which is unlimited if the end is nil.
struct Interval: Sendable {
  let start: Date
  var end: Date?

  func contains(_ instant: Date) -> Bool { instant >= start && end.map { instant < $0 } ?? true }
}

struct StoredUser: Sendable {
  var user: SocialUser
  /// The time ranges in which the user did not share workouts.
  var pauses: [Interval] = []
}

struct StoredMember: Sendable {
  var member: GroupMember
  /// The time ranges in which the user was in the group.
  ///
  /// If a user leaves and returns, the user has one membership with two time ranges.
  var stays: [Interval]
  /// Whether an admin removed the user from the group.
  var wasRemoved = false
}

struct StoredGroup: Sendable {
  var group: Group
  var members: [String: StoredMember] = [:]
  var deletedBy: String?
}

struct StoredInvite: Sendable {
  let invite: Invite
  let createdBy: String?
  let createdAt: Date
  var isRevoked = false
}

struct StoredWorkout: Sendable {
  let sent: WorkoutHistoryEntry
  let groupId: String?
  let instant: Date
  let utcOffset: Int
  let isCounted: Bool
  /// Whether the workout counts only for streaks, because the board for the workout's week was
  /// already closed.
  let hasMissedBoard: Bool
  let isDeleted: Bool
  let answer: WorkoutAnswer

  var week: Week { Week(containing: instant) }

  var answerAgain: WorkoutAnswer {
    WorkoutAnswer(outcome: answer.outcome, week: answer.week, isReplayed: true)
  }
}

struct RefusedEdit: Hashable, Sendable {
  let user: String
  let sent: WorkoutHistoryEntry
  let isDeletion: Bool
  let answer: WorkoutAnswer
}

struct StoredStreak: Sendable {
  let days: Int
  let reportedAt: Date
}

struct BoardPlace: Hashable, Sendable {
  let groupId: String
  let week: Week
  let type: ChallengeType

  var id: String {
    ChallengeID(groupId: groupId, week: week, type: type).description
  }
}

struct StoredBoard: Sendable {
  let createdAt: Date
  var version: Int64 = 0
  var entries: [LeaderboardEntry] = []
}
