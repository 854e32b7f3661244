import Foundation
import JobRunner
import Synchronization
package import Testing

/// Random numbers that a test can reproduce.
///
/// If `BATON_TEST_SEED` is set, the variable contains the seed.
///
/// The scheduling of processes does not depend on the seed, so the same seed reproduces a failure
/// only with a high probability.
package final class Randomness: Sendable, CustomStringConvertible {
  /// The seed of the random numbers.
  package let seed: UInt64
  private let state: Mutex<UInt64>

  /// Creates random numbers from the seed in the environment, or from a new seed, which is printed.
  package init() {
    let given = ProcessInfo.processInfo.environment["BATON_TEST_SEED"].flatMap { UInt64($0) }
    seed = given ?? .random(in: 1...1_000_000)
    state = Mutex(seed)
    print("\(self)")
  }

  /// The environment variable with which the same numbers are generated again.
  package var description: String { "BATON_TEST_SEED=\(seed)" }

  /// A generator of the same random numbers, starting with the first number.
  package var generator: SeededGenerator { SeededGenerator(seed: seed) }

  /// Returns the next random number.
  package func number(in range: ClosedRange<Int>) -> Int {
    state.withLock { state in
      var generator = SeededGenerator(seed: state)
      defer { state = generator.state }
      return .random(in: range, using: &generator)
    }
  }

  /// Returns a random sample of cases, which depends on the seed of the process.
  ///
  /// In full test runs, the result contains all cases.
  ///
  /// Samples are intended for cases that all detect the same kind of fault.
  package static func sample<Case>(_ count: Int, of cases: [Case]) -> [Case] {
    guard !TestSize.isFull, count < cases.count else { return cases }
    var generator = shared.generator
    return cases.indices.shuffled(using: &generator).prefix(count).sorted().map { cases[$0] }
  }

  /// Returns whether the sample of a seed contains a slow test.
  ///
  /// A sample contains a sixteenth of the tests.
  package static func includes(_ test: String, seed: UInt64) -> Bool {
    var generator = SeededGenerator(seed: seed ^ StableHash.number(of: test))
    return generator.next() % 16 == 0
  }

  /// Returns whether the process runs a slow test.
  fileprivate static func runs(_ test: String) -> Bool {
    !isSampling || includes(test, seed: shared.seed)
  }

  private static let isSampling =
    ProcessInfo.processInfo.environment["BATON_TEST_SAMPLE"] == "1" && !TestSize.isFull

  /// The random numbers for all samples of a process.
  private static let shared = Randomness()

  /// Returns the next random number.
  package func number(in range: Range<Int>) -> Int {
    number(in: range.lowerBound...range.upperBound - 1)
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs a slow test in a sixteenth of the runs of `make test`.
  ///
  /// The seed of the process determines which tests run. All tests run in full runs, and in runs
  /// with a filter, for example of `make test CHANGED=1`.
  package static func sampled(file: String = #fileID, line: Int = #line) -> Self {
    .enabled(if: Randomness.runs("\(file):\(line)"), "not in the sample of this run")
  }
}

/// The generator SplitMix64 (https://prng.di.unimi.it/splitmix64.c), which always generates the
/// same numbers for a seed.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  fileprivate var state: UInt64

  /// Creates a generator with a seed.
  package init(seed: UInt64) { state = seed }

  /// Returns the next random number.
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
