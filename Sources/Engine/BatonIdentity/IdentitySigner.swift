public import BatonPostgres
public import Foundation

/// Signs claims: texts that say for which user one transaction speaks, for the setting `baton.claim`.
///
/// Whoever has its key speaks for any user, so it is printed nowhere. A claim counts in every session of the database
/// until it expires, or with `bindsToConnection` in one alone. docs/concepts/security.md has its form, and what it protects from.
public struct IdentitySigner: Sendable, CustomStringConvertible, CustomReflectable {
  /// The longest time for which the database takes a claim that is bound to no connection.
  public static let longestUnbound = Duration.seconds(30)

  /// The key's id in the table `claim_key`.
  public let keyID: Int
  private let code: HMACSHA256
  private let lifetime: Duration
  private let bindsToConnection: Bool

  /// A signer.
  ///
  /// - Parameters:
  ///   - keyID: what `rotate_claim_key()` answered.
  ///   - key: the other thing it answered, in hexadecimal: 32 bytes and more.
  ///   - lifetime: how long a claim counts, 1 s and more; unbound ones 30 s at most. Less than that leaves room for
  ///     clocks that differ.
  ///   - bindsToConnection: whether claims count on the server process alone that they are made for, where the
  ///     connection is direct.
  /// - Returns: nil for a key that is none, or too short.
  public init?(
    keyID: Int, key: String, lifetime: Duration = .seconds(20), bindsToConnection: Bool = false
  ) {
    guard let bytes = Self.bytes(key), bytes.count >= 32, keyID > 0 else { return nil }
    self.keyID = keyID
    code = HMACSHA256(key: bytes)
    self.lifetime = lifetime
    self.bindsToConnection = bindsToConnection
  }

  /// The claim of a user.
  ///
  /// - Parameters:
  ///   - backend: the server process of a direct connection; nil behind a pooler.
  ///   - now: when it begins to count.
  public func claim(
    for user: String, on backend: Connection.Backend? = nil, at now: Date = Date()
  ) -> String {
    let bound = bindsToConnection ? backend.flatMap(Self.place) : nil
    let counts = bound == nil ? min(lifetime, Self.longestUnbound) : lifetime
    let expires = Int64(now.timeIntervalSince1970) + counts.components.seconds
    // In hexadecimal no id, whatever is in it, can end where another field begins.
    let id = user.utf8.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
    let text = "1.\(keyID).\(expires).\(bound ?? ".").\(id)"
    return "\(text).\(code.hex(of: text.utf8))"
  }

  /// Says which key, not what it is.
  public var description: String { "IdentitySigner(key \(keyID))" }

  /// Shows what ``description`` says, also to `dump`.
  public var customMirror: Mirror { Mirror(self, children: ["keyID": keyID]) }

  /// Nil where this role may not see when the process began: then the claim would count nowhere.
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
