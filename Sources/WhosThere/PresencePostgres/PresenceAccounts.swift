import BatonPostgres
public import Foundation
public import Presence
import PresenceSQL

/// Signs users and their devices in and out, for a server that has verified the caller.
///
/// Baton does not store passwords. The server verifies a provider's token. Of a device's secret and
/// of a session's token, only the SHA-256 is stored.
public struct PresenceAccounts: Sendable {
  let database: PresenceDatabase

  /// Returns the user of a provider's subject, and creates the user on the first call.
  ///
  /// - Parameter subject: The user's id at the provider. For `.anonymous`, the SHA-256 of the
  ///   device's secret in 64 hexadecimal digits.
  public func signIn(
    _ provider: AuthProvider, subject: String, displayName: String? = nil, photoURL: URL? = nil
  ) async throws(AppError) -> User {
    try await database.run(
      .row(
        SQL.Api.signIn, provider.rawValue, subject, displayName, photoURL?.absoluteString,
        decode: Self.user))
  }

  /// Links a provider's subject to an anonymous user.
  ///
  /// If the subject already has an account, the anonymous user is merged into that account.
  ///
  /// - Returns: The account, which may have another id.
  public func link(
    _ actor: String, to provider: AuthProvider, subject: String, displayName: String? = nil
  ) async throws(AppError) -> User {
    try await database.run(
      .row(
        SQL.Api.linkAccount, actor, provider.rawValue, subject, displayName, decode: Self.user))
  }

  /// Starts a session of a device.
  ///
  /// - Parameter device: The device's name, 1 to 100 characters.
  /// - Returns: The session's token, which is not returned again, and its time of expiry.
  public func beginSession(
    of actor: String, on device: String
  ) async throws(AppError) -> (token: String, expiresAt: Date) {
    try await database.run(
      .row(SQL.Api.beginSession, actor, device) { (row) throws(PostgresError) in
        let (token, expiresAt) = try row.decode(String.self, Timestamp.self)
        return (token: token, expiresAt: expiresAt.date)
      })
  }

  /// Returns the user of a session's token.
  ///
  /// - Throws: `sessionExpired` if the token is unknown, or if the session was ended or has
  ///   expired.
  public func user(ofSession token: String) async throws(AppError) -> String {
    let user: String? = try await database.run(
      .row(SQL.Api.userOfSession, token) { (row) throws(PostgresError) in
        try row.decode(String?.self)
      })
    guard let user else { throw .sessionExpired }
    return user
  }

  /// Ends a session, or does nothing if the session has already ended.
  public func endSession(_ token: String) async throws(AppError) {
    try await database.run(.run(SQL.Api.endSession, token))
  }

  /// Ends all sessions of a user.
  ///
  /// - Returns: The number of sessions that were ended.
  @discardableResult
  public func endSessions(of actor: String) async throws(AppError) -> Int {
    let ended: Int64 = try await database.run(
      .row(SQL.Api.endSessions, actor) { (row) throws(PostgresError) in
        try row.decode(Int64.self)
      })
    return Int(ended)
  }

  private static func user(_ row: Row) throws(PostgresError) -> User { try row.user() }
}
