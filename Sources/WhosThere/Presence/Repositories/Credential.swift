/// What vouches for a user.
public enum AuthProvider: String, CaseIterable, Codable, Hashable, Sendable {
  /// Only the device itself, without a provider.
  case anonymous
  /// Sign in with Apple.
  case apple
  /// Google Sign-In.
  case google
  /// An address that the provider has checked.
  case email
}

/// A user's secret for signing in; it is never printed.
public struct Credential: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// Which provider.
  public let provider: AuthProvider
  /// The provider's signed token, or the secret that only this device has.
  public let secret: String
  /// The secret half of the request's nonce, if the request had one.
  public let nonce: String?

  /// A provider's token, which the server checks; the device does not look into it.
  public init(provider: AuthProvider, token: String, nonce: String? = nil) {
    self.provider = provider
    secret = token
    self.nonce = nonce
  }

  /// A secret of this device's own, of which the server stores only the hash.
  ///
  /// If the device loses it, the account is lost, unless another credential was linked.
  public static func anonymous(secret: String) -> Credential {
    Credential(provider: .anonymous, token: secret)
  }

  /// A random secret that cannot be guessed: 256 bits as 64 hexadecimal digits.
  public static func newSecret() -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef")
    return String((0..<64).map { _ in digits[Int.random(in: 0..<16, using: &generator)] })
  }

  /// The provider alone.
  public var description: String { "Credential(\(provider))" }

  /// The provider alone, for dumps.
  public var customMirror: Mirror { Mirror(self, children: ["provider": provider]) }
}
