import BatonPostgres

/// A token that cannot be guessed: 192 random bits from the operating system, in hexadecimal
/// digits.
struct RandomToken: Sendable, Hashable {
  let text: String

  init() {
    var system = SystemRandomNumberGenerator()
    text = (0..<3).map { _ in
      let bits = String(system.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - bits.count) + bits
    }.joined()
  }

  /// Returns whether a string is this token, in constant time.
  func isEqual(to shown: some StringProtocol) -> Bool {
    Secret(text).isEqual(to: shown)
  }
}
