import TestSupport
import Testing

/// Tests which slow tests a run of `make test` includes.
@Suite struct SampleTests {
  @Test func `each sample has about a sixteenth of the tests, and each test is in some sample`() {
    let tests = (1...400).map { "FaultTests/File.swift:\($0)" }
    var seen: Set<String> = []
    for seed in UInt64(1)...400 {
      let sample = tests.filter { Randomness.includes($0, seed: seed) }
      #expect((5...60).contains(sample.count), "seed \(seed)")
      seen.formUnion(sample)
    }
    #expect(seen.count == tests.count)
  }
}
