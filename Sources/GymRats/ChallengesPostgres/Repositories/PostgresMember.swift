import BatonPostgres
package import Challenges
import ChallengesSQL
package import Foundation
package import ProductPostgres

/// The calls that one user can make, and that the repositories of the client library do not
/// contain.
package struct PostgresMember: Sendable {
  private let calls: ActorCalls

  /// Creates a value for a user whose identity the caller has verified.
  package init(_ database: ChallengesDatabase, user: String) {
    calls = ActorCalls(database: database, actor: user)
  }

  /// Changes the user's name and photo.
  package func updateProfile(displayName: String, photoURL: String?) async throws {
    try await calls.run(
      .run(SQL.Api.updateProfile, try calls.signedIn(), displayName, photoURL))
  }

  /// Changes the time zone that applies to workouts without a UTC offset.
  package func setTimeZone(_ name: String) async throws {
    try await calls.run(.run(SQL.Api.setTimeZone, try calls.signedIn(), name))
  }

  /// Deletes the account.
  package func deleteAccount() async throws {
    try await calls.run(.run(SQL.Api.deleteAccount, try calls.signedIn()))
  }

  /// Reads one piece of the data that is stored about the user.
  ///
  /// - Parameter position: the position in the previous piece, or nil for the first piece.
  package func export(after position: String?) async throws -> ExportPiece {
    try await calls.run(
      .row(SQL.Api.exportMyData, try calls.signedIn(), position) { (row) throws(PostgresError) in
        let (part, rows, next) = try row.decode(String.self, String.self, String?.self)
        return ExportPiece(part: part, rows: rows, next: next)
      })
  }

  /// Returns a group that the user is in.
  package func group(_ groupId: String) async throws -> Group { try await calls.group(groupId) }

  /// Deletes a workout.
  ///
  /// - Parameter revision: a number higher than the recorded revision, or nil for the next number.
  package func deleteWorkout(_ id: String, revision: Int?) async throws -> WorkoutAnswer {
    try await calls.run(
      .row(
        SQL.Api.deleteWorkout, try calls.signedIn(), id, try revision?.asParameter
      ) { (row) throws(PostgresError) in try row.workoutAnswer() })
  }

  /// Turns notifications about rank changes in a group off or on.
  package func mute(_ groupId: String, isMuted: Bool) async throws {
    try await calls.run(.run(SQL.Api.muteGroup, try calls.signedIn(), groupId, isMuted))
  }

  /// Returns the valid invites into a group, newest first.
  package func invites(into groupId: String) async throws -> [ListedInvite] {
    try await calls.run(
      .rows(SQL.Api.listInvites, try calls.signedIn(), groupId) { (row) throws(PostgresError) in
        let (id, creator, createdAt, expiresAt) = try row.decode(
          UUID.self, String?.self, Timestamp.self, Timestamp.self)
        return ListedInvite(
          id: id.uuidString.lowercased(), createdBy: creator, createdAt: createdAt.date,
          expiresAt: expiresAt.date)
      })
  }

  /// Returns the published entries of a challenge, regardless of the challenge's week.
  ///
  /// An invalid id is sent as NULL, which matches no challenge.
  package func entries(of challengeId: String) async throws -> [LeaderboardEntry] {
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

  /// Returns at most `limit` notifications before a position, newest first.
  package func notifications(
    before: (time: Date, id: Int64)?, limit: Int
  ) async throws -> [GroupNotification] {
    var place: (time: Timestamp, id: Int64)?
    if let before { place = (try Timestamp(before.time), before.id) }
    return try await calls.notifications(before: place, limit: limit)
  }
}

/// An invite in the list of a group's invites, which does not contain the secret code.
package struct ListedInvite: Codable, Sendable {
  package let id: String
  /// The id of the user who created the invite, or nil if the account was deleted.
  package let createdBy: String?
  package let createdAt: Date
  package let expiresAt: Date
}
