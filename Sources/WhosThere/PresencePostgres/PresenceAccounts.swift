import BatonPostgres
public import Foundation
public import Presence
import PresenceSQL

/// Users and their devices, for a server that has verified who calls.
///
/// Baton keeps no password: a provider's token is verified by the server, and of a device's secret and of a
/// session's token only the sha256 is kept.
public struct PresenceAccounts: Sendable {
  let database: PresenceDatabase

  /// The user of a provider's subject, made by the first call.
  ///
  /// - Parameter subject: what the provider calls them; of `.anonymous` the sha256 of the device's secret, in 64
  ///   hexadecimal digits.
  public func signIn(
    _ provider: AuthProvider, subject: String, displayName: String? = nil, photoURL: URL? = nil
  ) async throws(AppError) -> User {
    try await database.run(
      .row(
        SQL.Api.signIn, provider.rawValue, subject, displayName, photoURL?.absoluteString,
        decode: Self.user))
  }

  /// Makes an anonymous user the account of a provider's subject; where that is there, they are merged into it.
  ///
  /// - Returns: the account, which may have another id.
  public func link(
    _ actor: String, to provider: AuthProvider, subject: String, displayName: String? = nil
  ) async throws(AppError) -> User {
    try await database.run(
      .row(
        SQL.Api.linkAccount, actor, provider.rawValue, subject, displayName, decode: Self.user))
  }

  /// Signs a device in.
  ///
  /// - Parameter device: what it calls itself, 1 to 100 characters.
  /// - Returns: its token, which is shown nowhere again, and until when it counts.
  public func beginSession(
    of actor: String, on device: String
  ) async throws(AppError) -> (token: String, expiresAt: Date) {
    try await database.run(
      .row(SQL.Api.beginSession, actor, device) { (row) throws(PostgresError) in
        let (token, expiresAt) = try row.decode(String.self, Timestamp.self)
        return (token: token, expiresAt: expiresAt.date)
      })
  }

  /// Whose device has a token.
  ///
  /// - Throws: `sessionExpired` where it is none, was ended, or is over.
  public func user(ofSession token: String) async throws(AppError) -> String {
    let user: String? = try await database.run(
      .row(SQL.Api.userOfSession, token) { (row) throws(PostgresError) in
        try row.decode(String?.self)
      })
    guard let user else { throw .sessionExpired }
    return user
  }

  /// Signs a device out; nothing happens where it is out already.
  public func endSession(_ token: String) async throws(AppError) {
    try await database.run(.run(SQL.Api.endSession, token))
  }

  /// Signs a user out everywhere.
  ///
  /// - Returns: on how many devices they were in.
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
