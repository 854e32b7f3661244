import SHA256

/// Why signing in did not succeed.
public enum AuthError: Error, Hashable, Sendable {
  /// The address, the password or what the provider sent is not right.
  case invalidCredential
}

/// A number used once: it ties the provider's answer to the request that asked for it.
///
/// The request carries `sha256`, the answer's token repeats that, and the server is shown `text`. So
/// whoever steals a token without the text has nothing.
public struct SignInNonce: Hashable, Sendable {
  /// The secret half, 32 letters and digits.
  public let text: String

  /// The half that goes with the request: 64 hexadecimal digits.
  public var sha256: String { SHA256Digest.hex(of: text.utf8) }

  /// A nonce that nobody can guess.
  public init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  /// A nonce from a source of numbers, for tests.
  public init(using generator: inout some RandomNumberGenerator) {
    let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    let bytes = (0..<32).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] }
    text = String(decoding: bytes, as: UTF8.self)
  }
}

/// What a provider of identities vouches for somebody with.
public struct IdentityToken: Hashable, Sendable {
  /// Which provider.
  public let provider: AuthProvider
  /// The signed token, which the server checks; the phone does not look into it.
  public let text: String
  /// The secret half of the request's nonce, where it had one.
  public let nonce: String?

  /// A token.
  public init(provider: AuthProvider, text: String, nonce: String? = nil) {
    self.provider = provider
    self.text = text
    self.nonce = nonce
  }
}

/// Who knows passwords: the provider, never our server.
public protocol IdentityService: Sendable {
  /// Exchanges an address and a password for a token.
  ///
  /// - Throws: `AuthError.invalidCredential` where they do not fit.
  func token(email: String, password: String) async throws -> IdentityToken

  /// Forgets whatever the provider keeps on this phone.
  func forget() async throws
}

/// The server's side of signing in: it checks a token, and makes or renews the account.
public protocol AccountService: Sendable {
  /// The account that a token belongs to, made where there is none.
  ///
  /// - Throws: `AuthError.invalidCredential` where the server does not take the token.
  func signIn(with token: IdentityToken) async throws -> SocialUser

  /// The account as it is now; nil where the session has ended.
  func signedInUser() async throws -> SocialUser?

  /// Ends the session.
  func signOut() async throws
}

/// Signing in over a provider of identities and the server; no password is kept anywhere.
public actor TokenAuthentication: AuthenticationRepository {
  private let identities: any IdentityService
  private let accounts: any AccountService

  /// Signs in at a provider and a server.
  public init(identities: any IdentityService, accounts: any AccountService) {
    self.identities = identities
    self.accounts = accounts
  }

  /// The account as the server has it.
  public func currentUser() async throws -> SocialUser? { try await accounts.signedInUser() }

  /// Signs in with an address and a password.
  public func signInWithEmail(_ email: String, password: String) async throws -> SocialUser {
    guard !email.isEmpty, !password.isEmpty else { throw AuthError.invalidCredential }
    return try await signIn(with: try await identities.token(email: email, password: password))
  }

  /// Signs in with what Apple's or Google's own dialogue has returned.
  public func signIn(with token: IdentityToken) async throws -> SocialUser {
    let user = try await accounts.signIn(with: token)
    guard user.authProvider == token.provider else { throw AuthError.invalidCredential }
    return user
  }

  /// Ends the session, then forgets what the provider keeps.
  public func signOut() async throws {
    try await accounts.signOut()
    try await identities.forget()
  }
}
