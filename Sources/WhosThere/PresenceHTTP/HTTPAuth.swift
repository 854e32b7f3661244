import Foundation
import Presence
import ProductHTTP

/// Signs a device in and out over HTTP, and stores the session token.
struct HTTPAuth: AuthRepository {
  let connection: ServerConnection
  let session: any SessionStore
  let device: String

  private var calls: HTTPCalls { HTTPCalls(connection: connection, actor: nil) }

  func currentUser() async throws(AppError) -> User? {
    guard try await token() != nil else { return nil }
    return try await calls.send(User.self, ClientCall("GET", ["me"]))
  }

  func signIn(_ credential: Credential) async throws(AppError) -> User {
    let body = try HTTPCalls.data(of: SignIn(credential, device))
    let signedIn = try await calls.send(
      SignedIn.self, ClientCall("POST", ["sign-in"], body: body, isOpen: true))
    try await store(signedIn.token)
    return signedIn.user
  }

  func link(_ credential: Credential) async throws(AppError) -> User {
    guard try await token() != nil else { throw .notAuthenticated }
    let body = try HTTPCalls.data(of: SignIn(credential, device))
    let linked = try await calls.send(
      SignedIn.self, ClientCall("POST", ["me", "link"], body: body))
    // If the anonymous user was merged into another account, a new session has begun.
    if let token = linked.token { try await store(token) }
    return linked.user
  }

  func signOut() async throws(AppError) {
    guard try await token() != nil else { return }
    do {
      _ = try await connection.send(ClientCall("DELETE", ["session"]))
    } catch {
      let error = AppError(http: error)
      guard error == .sessionExpired else { throw error }
    }
    try await store(nil)
  }

  func signOutEverywhere() async throws(AppError) {
    guard try await token() != nil else { throw .notAuthenticated }
    do {
      _ = try await connection.send(ClientCall("DELETE", ["me", "sessions"]))
    } catch {
      throw AppError(http: error)
    }
    try await store(nil)
  }

  private func token() async throws(AppError) -> String? {
    do { return try await session.token() } catch { throw .serverError(underlying: error) }
  }

  private func store(_ token: String?) async throws(AppError) {
    do {
      try await session.replace(with: token)
    } catch {
      throw .serverError(underlying: error)
    }
  }

  private struct SignIn: Encodable {
    let provider: AuthProvider
    let secret: String
    let nonce: String?
    let device: String

    init(_ credential: Credential, _ device: String) {
      (provider, secret, nonce) = (credential.provider, credential.secret, credential.nonce)
      self.device = device
    }
  }

  private struct SignedIn: Decodable {
    let user: User
    /// The token of a new session, or nil if no new session has begun.
    let token: String?
  }
}
