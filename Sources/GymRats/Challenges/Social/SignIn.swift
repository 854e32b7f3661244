import SHA256

/// Why signing in did not succeed.
public enum AuthError: Error, Hashable, Sendable {
  /// The address, the password or what the provider sent is not right.
  case invalidCredential
}

/// A number used once: it ties the provider's answer to the request.
///
/// The request carries `sha256`, the answer's token repeats it, and the server gets `text`. A stolen token is
/// useless without the text.
public struct SignInNonce: Hashable, Sendable {
  /// The secret half, 32 letters and digits.
  public let text: String

  /// The half that goes with the request: 64 hexadecimal digits.
  public var sha256: String { SHA256Digest.hex(of: text.utf8) }

  /// A random nonce that cannot be guessed.
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

/// The token with which an identity provider vouches for a user.
public struct IdentityToken: Hashable, Sendable {
  /// Which provider.
  public let provider: AuthProvider
  /// The signed token, which the server checks; the phone does not look into it.
  public let text: String
  /// The secret half of the request's nonce, if the request had one.
  public let nonce: String?

  /// A token.
  public init(provider: AuthProvider, text: String, nonce: String? = nil) {
    self.provider = provider
    self.text = text
    self.nonce = nonce
  }
}

/// The identity provider, which checks passwords; our server never sees them.
public protocol IdentityService: Sendable {
  /// Exchanges an address and a password for a token.
  ///
  /// - Throws: `AuthError.invalidCredential` if they are wrong.
  func token(email: String, password: String) async throws -> IdentityToken

  /// Removes all that the provider stores on this phone.
  func forget() async throws
}

/// The server's side of signing in: it checks a token, and makes or renews the account.
public protocol AccountService: Sendable {
  /// The account that a token belongs to; it is made if it is missing.
  ///
  /// - Throws: `AuthError.invalidCredential` if the server does not accept the token.
  func signIn(with token: IdentityToken) async throws -> SocialUser

  /// The account as it is now; nil if the session has ended.
  func signedInUser() async throws -> SocialUser?

  /// Ends the session.
  func signOut() async throws
}

/// Signs in with an identity provider and the server; passwords are not stored anywhere.
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
