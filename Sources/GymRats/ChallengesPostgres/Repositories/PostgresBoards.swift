import BatonLive
import BatonPostgres
import Challenges
import ChallengesSQL
import Foundation
import ProductPostgres

/// Reads boards from PostgreSQL for one member.
struct PostgresBoards: LeaderboardRepository {
  let calls: ActorCalls

  func getCurrentWeekChallenges(groupId: String) async throws -> [Challenge] {
    try await calls.run(
      .rows(SQL.Api.currentWeekChallenges, try calls.signedIn(), groupId) {
        (row) throws(PostgresError) in
        let (id, type, monday, _, _, isActive, createdAt) = try row.decode(
          UUID.self, String.self, String.self, Timestamp.self, Timestamp.self, Bool.self,
          Timestamp.self)
        return Challenge(
          id: ChallengeID(id).description, groupId: groupId,
          type: try known(ChallengeType(rawValue: type), "challenge of type \(type)"),
          week: try known(Week(monday: monday), "week \(monday)"), isActive: isActive,
          createdAt: createdAt.date)
      })
  }

  func leaderboard(groupId: String, type: ChallengeType) async throws -> LeaderboardSnapshot {
    let actor = try calls.signedIn()
    let lines = try await calls.run(
      .rows(SQL.Api.readBoard, actor, groupId, type.rawValue) { (row) throws(PostgresError) in
        try Line(row, groupId: groupId, type: type)
      })
    // The query returns at least one row for every existing board, even for an empty board.
    guard let first = lines.first else { throw DomainError.challengeNotFound }
    return LeaderboardSnapshot(
      challenge: first.challenge, entries: lines.compactMap(\.entry), viewer: actor,
      rankVersion: first.rankVersion, takenAt: first.takenAt)
  }

  func entries(of challengeId: String) async throws -> [LeaderboardEntry] {
    // An invalid id is sent as NULL, which matches no challenge.
    try await calls.run(
      .rows(
        SQL.Api.leaderboard, try calls.signedIn(), UUID(uuidString: challengeId)
      ) { (row) throws(PostgresError) in
        let (_, rank, id, name, photo, value, at, _, _) = try row.decode(
          Int32.self, Int32.self, String.self, String.self, String?.self, Int32.self,
          Timestamp.self, Bool.self, Int64.self)
        return LeaderboardEntry(
          id: id, displayName: name, photoURL: photo?.asPhotoURL, value: Int(value),
          rank: Int(rank), lastUpdated: at.date)
      })
  }

  func incrementCheckIn(
    challengeId: String, userId: String, key: String?
  ) async throws -> WorkoutAnswer {
    // An invalid id is sent as NULL, which matches no challenge. For a NULL id, the database checks
    // the actor and reports a missing challenge.
    try await calls.run(
      .row(
        SQL.Api.incrementCheckIn, try calls.signedIn(as: userId), UUID(uuidString: challengeId),
        key
      ) { (row) throws(PostgresError) in try row.workoutAnswer() })
  }

  func updateStreak(
    challengeId: String, userId: String, streakDays: Int
  ) async throws -> WorkoutAnswer {
    try await calls.run(
      .row(
        SQL.Api.updateStreak, try calls.signedIn(as: userId), UUID(uuidString: challengeId),
        try streakDays.asParameter
      ) { (row) throws(PostgresError) in try row.workoutAnswer() })
  }
}

/// A row of a board, which contains the board and one of its entries, or no entry if it is empty.
private struct Line {
  let challenge: Challenge
  let rankVersion: Int64
  let takenAt: Date
  let entry: LeaderboardEntry?

  init(_ row: Row, groupId: String, type: ChallengeType) throws(PostgresError) {
    let (board, monday, isActive, createdAt, takenAt, version, id, name, photo, value, rank, at) =
      try row.decode(
        UUID.self, String.self, Bool.self, Timestamp.self, Timestamp.self, Int64.self,
        String?.self, String?.self, String?.self, Int32?.self, Int32?.self, Timestamp?.self)
    challenge = Challenge(
      id: ChallengeID(board).description, groupId: groupId, type: type,
      week: try known(Week(monday: monday), "week \(monday)"), isActive: isActive,
      createdAt: createdAt.date)
    rankVersion = version
    self.takenAt = takenAt.date
    entry = try LeaderboardEntry(
      id: id, displayName: name, photo: photo, value: value, rank: rank, lastUpdated: at)
  }
}

// MARK: Streams

extension PostgresBoards {
  func observeUpdates(
    groupId: String, type: ChallengeType
  ) -> AsyncStream<Result<LeaderboardSnapshot, DomainError>> {
    do throws(DomainError) {
      let actor = try calls.signedIn()
      // PostgreSQL does not accept a string that contains a NUL byte. All observers share one
      // statement, so one NUL byte would make it fail for all of them.
      guard !actor.utf8.contains(0), !groupId.utf8.contains(0) else { throw .invalidInput }
      return calls.database.boards.observe(
        BoardFeed.Topic(group: ExactText(groupId), type: type), as: ExactText(actor))
    } catch {
      return AsyncStream { continuation in
        continuation.yield(.failure(error))
        continuation.finish()
      }
    }
  }
}
