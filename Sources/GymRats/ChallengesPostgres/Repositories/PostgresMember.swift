import BatonPostgres
package import Challenges
import ChallengesSQL
package import Foundation
package import ProductPostgres

/// Additional calls on behalf of one user, which are not part of the client library's repositories.
package struct PostgresMember: Sendable {
  private let calls: ActorCalls

  /// Creates a value for a user whose identity the caller has verified.
  package init(_ database: ChallengesDatabase, user: String) {
    calls = ActorCalls(database: database, actor: user)
  }

  /// Changes the user's name and photo.
  package func updateProfile(displayName: String, photoURL: String?) async throws {
    try await calls.updateProfile(displayName: displayName, photoURL: photoURL)
  }

  /// Changes the time zone that applies to workouts without a UTC offset.
  package func setTimeZone(_ name: String) async throws {
    try await calls.run(.run(SQL.Api.setTimeZone, try calls.signedIn(), name))
  }

  /// Reads one piece of the data stored about the user.
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

  /// Returns up to `limit` notifications before a position, newest first.
  package func notifications(
    before: (time: Date, id: Int64)?, limit: Int
  ) async throws -> [GroupNotification] {
    var place: (time: Timestamp, id: Int64)?
    if let before { place = (try Timestamp(before.time), before.id) }
    return try await calls.notifications(before: place, limit: limit)
  }
}
