import BatonPostgres
public import Foundation
public import Presence
import PresenceSQL

/// Signs users and their devices in and out, for a server that has verified the caller.
///
/// Passwords are not stored. The calling server verifies an identity provider's token. The database
/// stores only the SHA-256 hashes of a device's secret and a session token.
public struct PresenceAccounts: Sendable {
  let database: PresenceDatabase

  /// Returns the user who has the given subject at an identity provider, creating the user on the
  /// first call.
  ///
  /// - Parameter subject: The user's id at the provider. For `.anonymous`, the subject is the
  ///   SHA-256 hash of the device's secret as 64 hexadecimal digits.
  public func signIn(
    _ provider: AuthProvider, subject: String, displayName: String? = nil, photoURL: URL? = nil
  ) async throws(AppError) -> User {
    try await database.run(
      .row(
        SQL.Api.signIn, provider.rawValue, subject, displayName, photoURL?.absoluteString,
        decode: Self.user))
  }

  /// Links a subject at an identity provider to an anonymous user.
  ///
  /// If the subject already belongs to an account, the anonymous user is merged into the existing
  /// account.
  ///
  /// - Returns: The resulting account. After a merge, the account's id differs from the anonymous
  ///   user's id.
  public func link(
    _ actor: String, to provider: AuthProvider, subject: String, displayName: String? = nil
  ) async throws(AppError) -> User {
    try await database.run(
      .row(
        SQL.Api.linkAccount, actor, provider.rawValue, subject, displayName, decode: Self.user))
  }

  /// Starts a session for a user's device.
  ///
  /// - Parameter device: The device's name, 1 to 100 characters long.
  /// - Returns: The session token and its expiry time. The token is returned only once.
  public func beginSession(
    of actor: String, on device: String
  ) async throws(AppError) -> (token: String, expiresAt: Date) {
    try await database.run(
      .row(SQL.Api.beginSession, actor, device) { (row) throws(PostgresError) in
        let (token, expiresAt) = try row.decode(String.self, Timestamp.self)
        return (token: token, expiresAt: expiresAt.date)
      })
  }

  /// Returns the id of the user to whom a session token belongs.
  ///
  /// - Throws: `sessionExpired` if the token is unknown, if the session was ended, or if the
  ///   session has expired.
  public func user(ofSession token: String) async throws(AppError) -> String {
    let user = try await database.run(Call<String?>.userOfSession(token))
    guard let user else { throw .sessionExpired }
    return user
  }

  /// Ends a session, or does nothing if it has already ended.
  public func endSession(_ token: String) async throws(AppError) {
    try await database.run(.run(SQL.Api.endSession, token))
  }

  /// Ends all of a user's sessions.
  ///
  /// - Returns: The number of sessions ended.
  @discardableResult
  public func endSessions(of actor: String) async throws(AppError) -> Int {
    let ended: Int64 = try await database.run(
      .row(SQL.Api.endSessions, actor) { (row) throws(PostgresError) in
        try row.decode(Int64.self)
      })
    return Int(ended)
  }

  /// Checks that the database login is allowed to find a session's user.
  ///
  /// - Throws: `PostgresError`.
  package func checkFindsUsers() async throws {
    _ = try await database.execute(Call<String?>.userOfSession("probe"), for: nil)
  }

  private static func user(_ row: Row) throws(PostgresError) -> User { try row.user() }
}

extension Call where Output == String? {
  fileprivate static func userOfSession(_ token: String) -> Call {
    .row(SQL.Api.userOfSession, token) { (row) throws(PostgresError) in
      try row.decode(String?.self)
    }
  }
}
