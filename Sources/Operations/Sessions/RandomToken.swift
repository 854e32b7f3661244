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
    let (own, other) = (Array(text.utf8), Array(shown.utf8))
    guard own.count == other.count else { return false }
    return zip(own, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
