import Challenges
import Foundation
import ProductHTTP

/// Records and deletes the user's workouts over HTTP.
struct HTTPWorkouts: WorkoutRepository {
  let calls: HTTPCalls

  func recordWorkout(_ entry: WorkoutHistoryEntry) async throws -> WorkoutAnswer {
    try calls.signedIn()
    let workout = Workout(
      performedAt: entry.performedAt, utcOffsetSeconds: entry.utcOffsetSeconds,
      revision: entry.revision)
    return try await calls.read(WorkoutAnswer.self, "PUT", ["workouts", entry.id], sends: workout)
  }

  func deleteWorkout(_ workoutId: String, revision: Int) async throws -> WorkoutAnswer {
    try calls.signedIn()
    return try await calls.read(
      WorkoutAnswer.self, "DELETE", ["workouts", workoutId], query: ["revision": "\(revision)"])
  }

  private struct Workout: Encodable {
    let performedAt: Date?
    let utcOffsetSeconds: Int?
    let revision: Int
  }
}

/// Reads boards, adds check-ins and sets streaks over HTTP.
struct HTTPBoards: LeaderboardRepository {
  let calls: HTTPCalls

  func getCurrentWeekChallenges(groupId: String) async throws -> [Challenge] {
    try calls.signedIn()
    return try await calls.read([Challenge].self, "GET", ["groups", groupId, "challenges"])
  }

  func leaderboard(groupId: String, type: ChallengeType) async throws -> LeaderboardSnapshot {
    try calls.signedIn()
    return try await calls.read(LeaderboardSnapshot.self, "GET", Self.path(groupId, type))
  }

  func entries(of challengeId: String) async throws -> [LeaderboardEntry] {
    try calls.signedIn()
    return try await calls.read(
      [LeaderboardEntry].self, "GET", ["challenges", challengeId, "entries"])
  }

  func incrementCheckIn(
    challengeId: String, userId: String, key: String?
  ) async throws -> WorkoutAnswer {
    try calls.signedIn(as: userId)
    guard key.map(ServerConnection.isKey) ?? true else { throw DomainError.invalidInput }
    return try await calls.read(
      WorkoutAnswer.self, "POST", ["challenges", challengeId, "check-ins"], key: key)
  }

  func updateStreak(
    challengeId: String, userId: String, streakDays: Int
  ) async throws -> WorkoutAnswer {
    try calls.signedIn(as: userId)
    return try await calls.read(
      WorkoutAnswer.self, "PUT", ["challenges", challengeId, "streak"],
      sends: ["streakDays": streakDays])
  }

  func observeUpdates(
    groupId: String, type: ChallengeType
  ) -> AsyncStream<Result<LeaderboardSnapshot, DomainError>> {
    calls.follow(Self.path(groupId, type)) { try HTTPCalls.decoded(LeaderboardSnapshot.self, $0) }
  }

  private static func path(_ groupId: String, _ type: ChallengeType) -> [String] {
    ["groups", groupId, "boards", type.rawValue]
  }
}
