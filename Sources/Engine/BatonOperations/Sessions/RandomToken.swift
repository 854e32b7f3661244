import BatonPostgres

/// What nobody can guess: 192 bits of the system's, in hexadecimal.
struct RandomToken: Sendable, Hashable {
  let text: String

  init() {
    var system = SystemRandomNumberGenerator()
    text = (0..<3).map { _ in
      let bits = String(system.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - bits.count) + bits
    }.joined()
  }

  /// Whether a client showed it; how long that takes says nothing of it.
  func isEqual(to shown: some StringProtocol) -> Bool {
    Secret(text).isEqual(to: shown)
  }
}
