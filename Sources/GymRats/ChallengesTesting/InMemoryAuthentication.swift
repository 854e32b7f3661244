public import Challenges
import Foundation
import SHA256

/// Simulates the sign-in on one phone, with an identity provider that knows only the registered
/// email addresses.
public actor InMemoryAuthentication: AuthenticationRepository {
  private let server: InMemoryChallenges
  private var accounts: [String: (password: String, userId: String)] = [:]
  private var userId: String?

  /// Creates a phone on which the given user is signed in.
  ///
  /// If the id is nil, no user is signed in.
  public init(server: InMemoryChallenges, signedInAs userId: String? = nil) {
    self.server = server
    self.userId = userId
  }

  /// Registers an email address and a password for a user's sign-in.
  public func register(_ email: String, password: String, userId: String) {
    accounts[email] = (password, userId)
  }

  /// Returns the signed-in user's account from the server.
  ///
  /// - Throws: An error if the server cannot be reached.
  public func currentUser() async throws -> SocialUser? {
    guard let userId else { return nil }
    try await server.reach()
    return await server.account(userId)
  }

  /// Signs in and creates the account.
  public func signInWithEmail(_ email: String, password: String) async throws -> SocialUser {
    try await server.reach()
    guard let account = accounts[email], account.password == password else {
      throw AuthError.invalidCredential
    }
    userId = account.userId
    if let user = await server.account(account.userId) { return user }
    // The provider does not send a name, so the server generates one.
    let number = SHA256Digest.bytes(of: account.userId.utf8).prefix(2).reduce(0) {
      $0 << 8 | Int($1)
    }
    return await server.addUser(
      account.userId, displayName: "User \(number)", asksForName: true, email: email)
  }

  /// Signs in an existing user without a password.
  public func signIn(as userId: String) { self.userId = userId }

  /// Signs the user out.
  public func signOut() async throws { userId = nil }
}
