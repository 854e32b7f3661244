import Foundation
import Synchronization

/// Random numbers that a test can be given again: `BATON_TEST_SEED` is the seed where it is set.
///
/// When processes run is not in its hands, so the same seed makes a failure likely, not certain.
package final class Randomness: Sendable, CustomStringConvertible {
  /// What the numbers follow from.
  package let seed: UInt64
  private let state: Mutex<UInt64>

  /// Numbers from the seed of the environment or a new one, which is printed.
  package init() {
    let given = ProcessInfo.processInfo.environment["BATON_TEST_SEED"].flatMap { UInt64($0) }
    seed = given ?? .random(in: 1...1_000_000)
    state = Mutex(seed)
    print("\(self)")
  }

  /// How to have the same numbers again.
  package var description: String { "BATON_TEST_SEED=\(seed)" }

  /// The seed's numbers from the first one on, for what takes a generator.
  package var generator: SeededGenerator { SeededGenerator(seed: seed) }

  /// The next number.
  package func number(in range: ClosedRange<Int>) -> Int {
    state.withLock { state in
      var generator = SeededGenerator(seed: state)
      defer { state = generator.state }
      return .random(in: range, using: &generator)
    }
  }

  /// Some of many cases, drawn by the seed of the process; at full size all of them.
  ///
  /// For a sweep whose cases each catch the same kind of fault.
  package static func sample<Case>(_ count: Int, of cases: [Case]) -> [Case] {
    guard !TestSize.isFull, count < cases.count else { return cases }
    var generator = shared.generator
    return cases.indices.shuffled(using: &generator).prefix(count).sorted().map { cases[$0] }
  }

  /// The seed of all samples of a process.
  private static let shared = Randomness()

  /// The next number.
  package func number(in range: Range<Int>) -> Int {
    number(in: range.lowerBound...range.upperBound - 1)
  }
}

/// SplitMix64, as in https://prng.di.unimi.it/splitmix64.c: a seed gives the same numbers for ever.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  fileprivate var state: UInt64

  /// The numbers of a seed.
  package init(seed: UInt64) { state = seed }

  /// The next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
