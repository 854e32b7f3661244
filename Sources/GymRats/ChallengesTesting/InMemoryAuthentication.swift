public import Challenges
import Foundation
import SHA256

/// Signing in on one phone, at a provider that knows who was registered here.
public actor InMemoryAuthentication: AuthenticationRepository {
  private let server: InMemoryChallenges
  private var accounts: [String: (password: String, userId: String)] = [:]
  private var userId: String?

  /// A phone on which this user is signed in; nil: no user is.
  public init(server: InMemoryChallenges, signedInAs userId: String? = nil) {
    self.server = server
    self.userId = userId
  }

  /// Registers an address and a password with which a user can sign in.
  public func register(_ email: String, password: String, userId: String) {
    accounts[email] = (password, userId)
  }

  /// The user as the server has them; an error where it is not reached.
  public func currentUser() async throws -> SocialUser? {
    guard let userId else { return nil }
    try await server.reach()
    return await server.account(userId)
  }

  /// Signs in, which makes the account.
  public func signInWithEmail(_ email: String, password: String) async throws -> SocialUser {
    try await server.reach()
    guard let account = accounts[email], account.password == password else {
      throw AuthError.invalidCredential
    }
    userId = account.userId
    if let user = await server.account(account.userId) { return user }
    // A hidden address brings no name.
    let number = SHA256Digest.bytes(of: account.userId.utf8).prefix(2).reduce(0) {
      $0 << 8 | Int($1)
    }
    return await server.addUser(
      account.userId, displayName: "User \(number)", asksForName: true, email: email)
  }

  /// Signs in a user, who has an account, without a password.
  public func signIn(as userId: String) { self.userId = userId }

  /// Forgets who is signed in.
  public func signOut() async throws { userId = nil }
}
