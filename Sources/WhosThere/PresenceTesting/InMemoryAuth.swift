import Foundation
public import Presence

/// Signing in on one device, at a server of memory that believes each token.
public actor InMemoryAuth: AuthRepository {
  private let server: InMemoryPresence
  private var session: UUID?

  /// A device on which no user is signed in.
  public init(server: InMemoryPresence) { self.server = server }

  /// The user as the server has them.
  public func currentUser() async throws(AppError) -> User? {
    guard let session else { return nil }
    return try await server.user(ofSession: session)
  }

  /// Signs in; the first time with a credential makes the account.
  public func signIn(_ credential: Credential) async throws(AppError) -> User {
    let (session, user) = try await server.signIn(credential)
    self.session = session
    return user
  }

  /// Makes an anonymous user an account; one that is there takes over what the user has.
  public func link(_ credential: Credential) async throws(AppError) -> User {
    guard let session else { throw .notAuthenticated }
    let (next, user) = try await server.link(session, credential)
    self.session = next
    return user
  }

  /// Ends this device's session.
  public func signOut() async throws(AppError) {
    guard let session else { return }
    try await server.endSession(session)
    self.session = nil
  }

  /// Ends the sessions of all of the user's devices.
  public func signOutEverywhere() async throws(AppError) {
    guard let session else { throw .notAuthenticated }
    try await server.endSessions(of: try await server.user(ofSession: session).id)
    self.session = nil
  }
}
