/// An identity provider.
public enum AuthProvider: String, CaseIterable, Codable, Hashable, Sendable {
  /// The device itself, without a provider.
  case anonymous
  /// Sign in with Apple.
  case apple
  /// Google Sign-In.
  case google
  /// An email address that the provider has verified.
  case email
}

/// A user's secret for signing in, which is never printed.
public struct Credential: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The provider that issued the credential.
  public let provider: AuthProvider
  /// The provider's signed token, or the secret that only this device stores.
  public let secret: String
  /// The secret part of the request's nonce, or nil if the request had no nonce.
  public let nonce: String?

  /// Creates a credential with a provider's token, which the server checks and the device does not
  /// parse.
  public init(provider: AuthProvider, token: String, nonce: String? = nil) {
    self.provider = provider
    secret = token
    self.nonce = nonce
  }

  /// Returns a credential with this device's own secret, of which the server stores only a hash.
  ///
  /// If the device loses the secret, the account is lost, unless another credential was linked.
  public static func anonymous(secret: String) -> Credential {
    Credential(provider: .anonymous, token: secret)
  }

  /// Returns a random secret that cannot be guessed: 256 bits as 64 hexadecimal digits.
  public static func newSecret() -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef")
    return String((0..<64).map { _ in digits[Int.random(in: 0..<16, using: &generator)] })
  }

  /// The provider without the secret.
  public var description: String { "Credential(\(provider))" }

  /// A mirror of the provider without the secret, for dumps.
  public var customMirror: Mirror { Mirror(self, children: ["provider": provider]) }
}
