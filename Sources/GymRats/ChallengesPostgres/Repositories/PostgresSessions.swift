import BatonPostgres
import ChallengesSQL
package import Foundation

/// Starts, refreshes and ends the sessions of devices, for a server that connects as the API role.
package struct PostgresSessions: Sendable {
  /// A session with its current refresh token.
  package struct Session: Sendable {
    package let id: UUID
    /// The id of the user.
    package let user: String
    /// The refresh token, of which the database stores only a hash.
    package let token: String
    /// The time when the session ends if it is not refreshed again.
    package let expiresAt: Date
  }

  private let database: ChallengesDatabase

  /// Uses the given database, whose login must be allowed to act for all users.
  package init(_ database: ChallengesDatabase) { self.database = database }

  /// Starts a session for a user's device.
  ///
  /// - Parameter device: the device's name, 1 to 100 characters long.
  package func begin(of user: String, on device: String) async throws -> Session {
    try await database.run(
      .row(SQL.Api.beginSession, user, device) { (row) throws(PostgresError) in
        let (id, token, expiresAt) = try row.decode(UUID.self, String.self, Timestamp.self)
        return Session(id: id, user: user, token: token, expiresAt: expiresAt.date)
      }, for: nil)
  }

  /// Replaces a session's refresh token, or returns nil if the session has ended.
  ///
  /// If the token was replaced more than a minute ago, the call ends the session. Within a minute
  /// after the replacement, a call with the old token returns the current token.
  package func refresh(_ token: String) async throws -> Session? {
    let found: [Session] = try await database.run(
      .rows(SQL.Api.refreshSession, token) { (row) throws(PostgresError) in
        let (id, user, next, expiresAt) = try row.decode(
          UUID.self, String.self, String.self, Timestamp.self)
        return Session(id: id, user: user, token: next, expiresAt: expiresAt.date)
      }, for: nil)
    return found.first
  }

  /// Ends a user's session, or does nothing if it has already ended.
  package func end(_ session: UUID, of user: String) async throws {
    try await database.run(.run(SQL.Api.endSession, user, session), for: nil)
  }

  /// Ends all of a user's sessions and returns the number of sessions ended.
  package func endAll(of user: String) async throws -> Int {
    let ended: Int64 = try await database.run(
      .row(SQL.Api.endSessions, user) { (row) throws(PostgresError) in
        try row.decode(Int64.self)
      }, for: nil)
    return Int(ended)
  }
}
