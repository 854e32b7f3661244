/// An identity provider.
public enum AuthProvider: String, CaseIterable, Codable, Hashable, Sendable {
  /// An account that only the device can use, without an identity provider.
  case anonymous
  /// Sign in with Apple.
  case apple
  /// Google Sign-In.
  case google
  /// An email address that the provider has verified.
  case email
}

/// A user's secret for signing in.
///
/// The secret is not part of the printed description.
public struct Credential: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The provider that issued the credential.
  public let provider: AuthProvider
  /// The provider's signed token, or a secret that is stored only on this device.
  public let secret: String
  /// The secret string whose SHA-256 hash is the token's nonce, or nil if the token has none.
  public let nonce: String?

  /// Creates a credential with a provider's token.
  ///
  /// Only the server checks the token.
  public init(provider: AuthProvider, token: String, nonce: String? = nil) {
    self.provider = provider
    secret = token
    self.nonce = nonce
  }

  /// Returns a credential with this device's secret.
  ///
  /// The server stores only a hash of the secret.
  ///
  /// If the device loses the secret, the account is lost, unless another credential was linked to
  /// it.
  public static func anonymous(secret: String) -> Credential {
    Credential(provider: .anonymous, token: secret)
  }

  /// Returns a random secret that cannot be guessed: 256 bits as 64 hexadecimal digits.
  public static func newSecret() -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef")
    return String((0..<64).map { _ in digits[Int.random(in: 0..<16, using: &generator)] })
  }

  /// The provider's name, which does not reveal the secret.
  public var description: String { "Credential(\(provider))" }

  /// A mirror that contains only the provider, so that `dump` does not print the secret.
  public var customMirror: Mirror { Mirror(self, children: ["provider": provider]) }
}
