import SHA256

/// The reason why a sign-in failed.
public enum AuthError: Error, Hashable, Sendable {
  /// The email address, the password or the provider's token is not valid.
  case invalidCredential
}

/// A single-use value that binds the identity provider's response to a sign-in request.
///
/// Both the sign-in request and the provider's token contain `sha256`. The server receives `text`
/// together with the token, so a stolen token cannot be used without `text`.
public struct SignInNonce: Hashable, Sendable {
  /// The secret part of the nonce: 32 letters and digits.
  public let text: String

  /// The SHA-256 hash of the secret part, as 64 hexadecimal digits for the sign-in request.
  public var sha256: String { SHA256Digest.hex(of: text.utf8) }

  /// Creates a random nonce that cannot be guessed.
  public init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  /// Creates a nonce from the given random number generator, for tests.
  public init(using generator: inout some RandomNumberGenerator) {
    let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    let bytes = (0..<32).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] }
    text = String(decoding: bytes, as: UTF8.self)
  }
}

/// A token in which an identity provider confirms a user's identity.
public struct IdentityToken: Hashable, Sendable {
  /// The provider that issued the token.
  public let provider: AuthProvider
  /// The signed token.
  ///
  /// Only the server parses and checks the token.
  public let text: String
  /// The secret part of the sign-in request's nonce, or nil if the request had none.
  public let nonce: String?

  /// Creates a token.
  public init(provider: AuthProvider, text: String, nonce: String? = nil) {
    self.provider = provider
    self.text = text
    self.nonce = nonce
  }
}

/// An identity provider's service, which checks passwords.
///
/// Passwords are never sent to the app's server.
public protocol IdentityService: Sendable {
  /// Exchanges an email address and a password for a token.
  ///
  /// - Throws: `AuthError.invalidCredential` if the address or the password is wrong.
  func token(email: String, password: String) async throws -> IdentityToken

  /// Deletes all data that the provider stores on this phone.
  func forget() async throws
}

/// The server side of a sign-in, which checks a token and creates or updates the account.
public protocol AccountService: Sendable {
  /// Returns the account of the user identified by a token, creating it on the first sign-in.
  ///
  /// - Throws: `AuthError.invalidCredential` if the server does not accept the token.
  func signIn(with token: IdentityToken) async throws -> SocialUser

  /// Returns the current account, or nil if the session has ended.
  func signedInUser() async throws -> SocialUser?

  /// Ends the session.
  func signOut() async throws
}

/// Signs users in with an identity provider and the server.
///
/// Passwords are not stored anywhere.
public actor TokenAuthentication: AuthenticationRepository {
  private let identities: any IdentityService
  private let accounts: any AccountService

  /// Creates a repository that signs in with a provider and a server.
  public init(identities: any IdentityService, accounts: any AccountService) {
    self.identities = identities
    self.accounts = accounts
  }

  /// Returns the signed-in user's account from the server.
  public func currentUser() async throws -> SocialUser? { try await accounts.signedInUser() }

  /// Signs in with an email address and a password.
  public func signInWithEmail(_ email: String, password: String) async throws -> SocialUser {
    guard !email.isEmpty, !password.isEmpty else { throw AuthError.invalidCredential }
    return try await signIn(with: try await identities.token(email: email, password: password))
  }

  /// Signs in with the token that Apple's or Google's dialog returned.
  public func signIn(with token: IdentityToken) async throws -> SocialUser {
    let user = try await accounts.signIn(with: token)
    guard user.authProvider == token.provider else { throw AuthError.invalidCredential }
    return user
  }

  /// Ends the session, then deletes the data that the provider stores.
  public func signOut() async throws {
    try await accounts.signOut()
    try await identities.forget()
  }
}
