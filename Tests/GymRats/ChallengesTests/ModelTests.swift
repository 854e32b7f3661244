import Foundation
import TestSupport
import Testing

private let seeds =
  ProcessInfo.processInfo.environment["BATON_MODEL_SEEDS"].flatMap { Int($0) } ?? 4

/// Tests thousands of calls, closed and reopened weeks and notifications against the rules.
///
/// The default is a few seeds. `BATON_MODEL_SEEDS` sets another number. The first seed is
/// `BATON_TEST_SEED`, or a random seed that is printed.
@Suite(.serialized, .timeLimit(.minutes(8 + seeds / 5)))
struct ModelTests {
  private static let steps = 160

  /// The kinds of events that must have occurred, because an unused model would agree with
  /// everything.
  private static let things = [
    "accepted", "acceptedLate", "duplicate", "answered again", "rejected weekClosed", "close",
    "reopen", "rank_change", "week_ended", "share", "ignoredPrivacy", "deletion accepted",
    "leave", "rejoin", "deletion rejected weekClosed", "deletion answered again", "move", "expired",
    "rejected idempotencyConflict", "rejected otherGroup", "rejected tooOld",
    "rejected futureTimestamp",
  ]

  @Test func `the database does what the rules say`() async throws {
    let first = Randomness().seed
    var seen = try await run(first..<(first + UInt64(seeds)))
    // Rare events may be missing in twenty seeds, but not in a hundred seeds.
    var next = first + UInt64(seeds)
    while seeds >= 4, Self.things.contains(where: { seen[$0] == nil }), next < first + 100 {
      seen.merge(try await run(next..<next + 2), uniquingKeysWith: +)
      next += 2
    }
    let list = seen.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    print("answers of the model: \(list.joined(separator: ", "))")
    for thing in Self.things { #expect(seen[thing, default: 0] > 0 || seeds < 4, "\(thing)") }
  }

  /// Returns the number of occurrences of each kind of event, for all seeds up to the first
  /// difference.
  private func run(_ numbers: Range<UInt64>) async throws -> [String: Int] {
    var seen: [String: Int] = [:]
    // Each core runs one seed. The other seeds wait.
    try await withThrowingTaskGroup(of: ModelResult.self) { group in
      var waiting = numbers.makeIterator()
      let begin = { (seed: UInt64) in
        group.addTask { try await ModelRun.run(seed: seed, steps: Self.steps) }
      }
      for _ in 0..<2 { waiting.next().map(begin) }
      for try await result in group {
        seen.merge(result.seen, uniquingKeysWith: +)
        if let difference = result.difference {
          Issue.record("BATON_TEST_SEED=\(result.seed): \(difference)")
          break
        }
        waiting.next().map(begin)
      }
    }
    return seen
  }

  /// Members may be notified of intermediate ranks between two steps.
  ///
  /// Therefore, only the notifications of ended weeks are compared.
  @Test(.sampled())
  func `beside workers that are killed the database does what the rules say`() async throws {
    let first = Randomness().seed
    var kills = 0
    for seed in first..<first + UInt64(max(1, seeds / 100)) {
      let result = try await ModelRun.run(
        seed: seed, steps: seeds > 4 ? Self.steps : 60, isKilled: true)
      #expect(result.difference == nil, "BATON_TEST_SEED=\(seed)")
      kills += result.kills
    }
    print("\(kills) kills of workers at work beside the model")
    #expect(kills > 0)
  }
}
