import Challenges
import ChallengesSQL
import Foundation
import Postgres

/// Boards as a member reads them, in PostgreSQL.
struct PostgresBoards: LeaderboardRepository {
  let calls: ActorCalls
  let pollInterval: Duration

  func getCurrentWeekChallenges(groupId: String) async throws -> [Challenge] {
    try await calls.run(
      .rows(SQL.Api.currentWeekChallenges, try calls.signedIn(), groupId) {
        (row) throws(PostgresError) in
        let (id, type, monday, isActive, createdAt) = try row.decode(
          UUID.self, String.self, String.self, Bool.self, Timestamp.self)
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
    // A member's board is there: without entries it has one line.
    guard let first = lines.first else { throw DomainError.challengeNotFound }
    return LeaderboardSnapshot(
      challenge: first.challenge, entries: lines.compactMap(\.entry), viewer: actor,
      rankVersion: first.rankVersion, takenAt: first.takenAt)
  }

  func incrementCheckIn(
    challengeId: String, userId: String, key: String?
  ) async throws -> WorkoutAnswer {
    // What is no id is the id of no challenge, which the database says after it has looked at the actor.
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

/// A row of a board: the board, and an entry where there is one.
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
    guard let id else {
      entry = nil
      return
    }
    entry = LeaderboardEntry(
      id: id, displayName: try known(name, "an entry without name"), photoURL: photo?.asPhotoURL,
      value: Int(try known(value, "an entry without value")),
      rank: Int(try known(rank, "an entry without rank")),
      lastUpdated: try known(at, "an entry without time").date)
  }
}

// MARK: Streams

extension PostgresBoards {
  func observeUpdates(
    groupId: String, type: ChallengeType
  ) -> AsyncStream<Result<LeaderboardSnapshot, DomainError>> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task { await follow(groupId, type, continuation) }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Shows the board, then looks for its version again and again: the week may be another one too.
  ///
  /// A failure may take the place of a snapshot that nobody has read yet, so the board is shown again
  /// behind it.
  private func follow(
    _ groupId: String, _ type: ChallengeType,
    _ continuation: AsyncStream<Result<LeaderboardSnapshot, DomainError>>.Continuation
  ) async {
    defer { continuation.finish() }
    var shown: BoardVersion?
    var isLate = false
    while !Task.isCancelled {
      do {
        var isNew = shown == nil
        if let shown { isNew = try await version(groupId, type) != shown }
        if isNew {
          let snapshot = try await leaderboard(groupId: groupId, type: type)
          shown = BoardVersion(challenge: snapshot.id, rankVersion: snapshot.rankVersion)
          continuation.yield(.success(snapshot))
        }
        isLate = false
      } catch let error as DomainError where !error.isRetryable {
        continuation.yield(.failure(error))
        return
      } catch {
        // Also what no member can do anything about: it is the operator's, in the log of the server.
        guard !Task.isCancelled else { return }
        if !isLate { continuation.yield(.failure(.networkUnavailable)) }
        isLate = true
        shown = nil
      }
      do { try await Task.sleep(for: pollInterval) } catch { return }
    }
  }

  private func version(_ groupId: String, _ type: ChallengeType) async throws -> BoardVersion {
    try await calls.run(
      .row(SQL.Api.boardVersion, try calls.signedIn(), groupId, type.rawValue) {
        (row) throws(PostgresError) in
        let (id, version) = try row.decode(UUID.self, Int64.self)
        return BoardVersion(challenge: ChallengeID(id).description, rankVersion: version)
      })
  }
}

/// What is seen of a board changes with it.
private struct BoardVersion: Hashable {
  let challenge: String
  let rankVersion: Int64
}
