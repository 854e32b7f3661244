public import Challenges
import Foundation
public import ProductHTTP

/// Repositories that call the GymRats HTTP API.
///
/// ```swift
/// let gymRats = ChallengesHTTP(
///   ServerConnection(to: address) { refused in try await provider.token(replacing: refused) })
/// let user = try await gymRats.signIn(nonce: nil)
/// let ana = gymRats.repositories(for: user.id)
/// let group = try await ana.groups.createGroup(name: "Gym", ownerId: user.id)
/// ```
///
/// A rejected call throws a `DomainError`. If no response arrives, or if the server is too busy,
/// the call throws `DomainError.networkUnavailable`. If the server sends an unexpected response,
/// the call throws `UnexpectedResponse`. A cancelled call throws `CancellationError`.
public struct ChallengesHTTP: Sendable {
  private let connection: ServerConnection

  /// Creates a client that uses the given connection.
  public init(_ connection: ServerConnection) { self.connection = connection }

  /// Returns the account of the user identified by the connection's token, creating it at the first
  /// sign-in.
  ///
  /// - Parameters:
  ///   - nonce: the text of the token's nonce, or nil if the token has no nonce.
  ///   - displayName: the name of a new account, or nil for the name in the token.
  public func signIn(
    nonce: String?, displayName: String? = nil, photoURL: String? = nil
  ) async throws -> SocialUser {
    let body = SignIn(nonce: nonce, displayName: displayName, photoURL: photoURL)
    return try await HTTPCalls(connection, actor: nil).read(
      SocialUser.self, "POST", ["sign-in"], sends: body)
  }

  /// Returns the repositories of one user, whose token the connection sends.
  ///
  /// If the id is nil, the method returns the repositories for a phone on which no user is signed
  /// in. If the id is nil, all calls throw `notAuthenticated` without sending a request.
  public func repositories(for userId: String?) -> ActorRepositories {
    let calls = HTTPCalls(connection, actor: userId)
    return ActorRepositories(
      users: HTTPUsers(calls: calls), groups: HTTPGroups(calls: calls),
      invites: HTTPInvites(calls: calls), workouts: HTTPWorkouts(calls: calls),
      leaderboards: HTTPBoards(calls: calls), notifications: HTTPInbox(calls: calls),
      analytics: HTTPAnalytics(calls: calls), safety: HTTPSafety(calls: calls))
  }

  /// Returns a stream of the user's unread notification count, beginning with the current count.
  ///
  /// Errors are reported in the same way as by `LeaderboardRepository.observeUpdates`.
  public func observeBadge(for userId: String) -> AsyncStream<Result<Int, DomainError>> {
    HTTPInbox(calls: HTTPCalls(connection, actor: userId)).observeBadge()
  }

  private struct SignIn: Encodable {
    let nonce: String?
    let displayName: String?
    let photoURL: String?
  }
}
