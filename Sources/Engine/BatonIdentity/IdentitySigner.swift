public import BatonPostgres
public import Foundation

/// A signer of identity tokens.
///
/// A token identifies the user on whose behalf a transaction runs.
///
/// A token is the value of the `baton.claim` setting. Until it expires, a token is valid in every
/// session of the database. If `bindsToConnection` is true, a token is valid in only one session.
/// Anyone with the key can act on behalf of any user, so the key is never printed. For the token's
/// format and the attacks that it prevents, see docs/concepts/security.md.
///
/// ```swift
/// let signer = IdentitySigner(keyID: 1, key: keyFromFile)
/// ```
/// A signer is immutable and can be used from any thread.
public struct IdentitySigner: Sendable, CustomStringConvertible, CustomReflectable {
  /// The maximum time that the database accepts a token that is not bound to a connection.
  public static let longestUnbound = Duration.seconds(30)

  /// The key's id in the `claim_key` table.
  public let keyID: Int
  private let code: HMACSHA256
  private let lifetime: Duration
  private let bindsToConnection: Bool

  /// Creates a signer with a key that the database stores.
  ///
  /// - Parameters:
  ///   - keyID: the key's id, as `rotate_claim_key()` returned it.
  ///   - key: the key that `rotate_claim_key()` returned, in hexadecimal, at least 32 bytes long.
  ///   - lifetime: how long a token is valid, at least 1 s. A token that is not bound to a
  ///     connection is valid for at most 30 s. The database rejects an unbound token that is valid
  ///     for more than 30 s according to the database's clock. If the signer's clock may be 10 s
  ///     fast, use a lifetime of at most 20 s.
  ///   - bindsToConnection: whether a token is valid only in the server process that the caller
  ///     passed to ``claim(for:on:at:)``.
  /// - Returns: nil if the key is malformed or too short, or its id is not positive.
  public init?(
    keyID: Int, key: String, lifetime: Duration = .seconds(20), bindsToConnection: Bool = false
  ) {
    guard let bytes = Self.bytes(key), bytes.count >= 32, keyID > 0 else { return nil }
    self.keyID = keyID
    code = HMACSHA256(key: bytes)
    self.lifetime = lifetime
    self.bindsToConnection = bindsToConnection
  }

  /// Returns a user's identity token.
  ///
  /// - Parameters:
  ///   - user: the user's id.
  ///   - backend: the server process of a direct connection, or nil for a connection through a
  ///     pooler.
  ///   - now: the time when the token's lifetime starts.
  public func claim(
    for user: String, on backend: Connection.Backend? = nil, at now: Date = Date()
  ) -> String {
    let bound = bindsToConnection ? backend.flatMap(Self.place) : nil
    let counts = bound == nil ? min(lifetime, Self.longestUnbound) : lifetime
    let expires =
      Int64(min(max(now.timeIntervalSince1970, -1e15), 1e15)) + counts.components.seconds
    // The id is written in hexadecimal, so that no part of the id can be parsed as another field.
    let id = user.utf8.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
    let text = "1.\(keyID).\(expires).\(bound ?? ".").\(id)"
    return "\(text).\(code.hex(of: text.utf8))"
  }

  /// A description with the key's id, but without the key.
  public var description: String { "IdentitySigner(key \(keyID))" }

  /// A mirror with only the key's id, so that `dump` does not print the key.
  public var customMirror: Mirror { Mirror(self, children: ["keyID": keyID]) }

  /// Returns the string that identifies a server process.
  ///
  /// The result is nil if the current role cannot see the process's start time.
  private static func place(of backend: Connection.Backend) -> String? {
    backend.start.map { "\(backend.pid).\($0.microseconds)" }
  }

  private static func bytes(_ hex: String) -> [UInt8]? {
    let digits = hex.utf8.map { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}
