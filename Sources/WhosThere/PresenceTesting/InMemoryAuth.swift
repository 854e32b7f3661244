import Foundation
public import Presence

/// Signs a user in and out on one device, with an in-memory server that accepts every token.
public actor InMemoryAuth: AuthRepository {
  private let server: InMemoryPresence
  private var session: UUID?

  /// Creates a device on which no user is signed in.
  public init(server: InMemoryPresence) { self.server = server }

  /// Returns the signed-in user from the server.
  public func currentUser() async throws(AppError) -> User? {
    guard let session else { return nil }
    return try await server.user(ofSession: session)
  }

  /// Signs the user in, creating the account on the first sign-in with a credential.
  public func signIn(_ credential: Credential) async throws(AppError) -> User {
    let (session, user) = try await server.signIn(credential)
    self.session = session
    return user
  }

  /// Links a credential to an anonymous account.
  ///
  /// If the credential already belongs to an account, the anonymous user's data is merged into the
  /// existing account.
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

  /// Ends the user's sessions on all devices.
  public func signOutEverywhere() async throws(AppError) {
    guard let session else { throw .notAuthenticated }
    try await server.endSessions(of: try await server.user(ofSession: session).id)
    self.session = nil
  }
}
