import Foundation

/// Random numbers that a test can repeat.
///
/// The seed is `BATON_TEST_SEED` if that variable is set.
///
/// For tests of client code, which run without a server.
package struct Dice: RandomNumberGenerator, CustomStringConvertible {
  /// The seed of all numbers.
  package let seed: UInt64
  private var state: UInt64

  /// Creates a generator and prints its seed.
  package init() {
    let given = ProcessInfo.processInfo.environment["BATON_TEST_SEED"].flatMap { UInt64($0) }
    seed = given ?? .random(in: 1...1_000_000)
    state = seed
    print(self)
  }

  /// The setting that repeats the numbers.
  package var description: String { "BATON_TEST_SEED=\(seed)" }

  /// Returns the next number, with the algorithm SplitMix64.
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns the bytes with a few random changes: some are replaced, removed, inserted, repeated or
  /// cut off.
  package mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
      let index = Int.random(in: bytes.indices, using: &self)
      switch Int.random(in: 0..<6, using: &self) {
      case 0: bytes[index] = .random(in: 0...255, using: &self)
      case 1: bytes.remove(at: index)
      case 2: bytes.insert(.random(in: 0...255, using: &self), at: index)
      case 3: bytes.removeSubrange(index...)
      case 4: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
      default: bytes.insert(contentsOf: bytes[index...].prefix(16), at: index)
      }
    }
    return bytes
  }
}
