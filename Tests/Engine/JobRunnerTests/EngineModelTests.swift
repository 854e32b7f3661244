import Foundation
import Synchronization
import TestSupport
import Testing

private let seeds =
  ProcessInfo.processInfo.environment["BATON_ENGINE_SEEDS"].flatMap { Int($0) } ?? 2

/// Tests random jobs, calls, operators and kills against the engine's guarantees.
///
/// The default is a few seeds. `BATON_ENGINE_SEEDS` sets another number. The first seed is
/// `BATON_TEST_SEED`, or a random seed that is printed.
@Suite(.serialized, .timeLimit(.minutes(5 + seeds / 10)))
struct EngineModelTests {
  private static let width =
    ProcessInfo.processInfo.environment["BATON_ENGINE_WIDTH"].flatMap { Int($0) } ?? 4

  /// The events that must occur, each with the number of seeds from which they must occur.
  private static let things: [(things: [String], leastSeeds: Int)] = [
    (["calls", "done"], 1),
    (["dead", "killed", "limited", "returned"], 4),
    // Rare events may be missing if there are only a few seeds.
    (
      [
        "cancelled", "cancelled while running", "discarded", "edited", "held", "limits set",
        "manual", "merged", "of all payloads", "retried", "stopped", "transaction held",
      ], 100
    ),
  ]

  @Test func `whatever is called and killed, the engine does what it promises`() async throws {
    let first = Randomness().seed
    let seen = Seen()
    let failed = try await withThrowingTaskGroup(of: EngineScript?.self) { group in
      var waiting = (first..<first + UInt64(seeds)).makeIterator()
      let begin = { (seed: UInt64) in
        group.addTask {
          try await Self.failing(EngineScript(seed: seed)) { new in
            seen.add(new)
          }
        }
      }
      for _ in 0..<Self.width { waiting.next().map(begin) }
      var failed: EngineScript?
      for try await script in group {
        failed = failed ?? script
        if failed == nil { waiting.next().map(begin) }
      }
      return failed
    }
    let list = seen.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    print("the engine's random test: \(list.joined(separator: ", "))")
    guard let failed else {
      for (things, leastSeeds) in Self.things where seeds >= leastSeeds {
        for thing in things { #expect(seen.counts[thing, default: 0] > 0, "\(thing)") }
      }
      return
    }
    let smallest = await EngineShrinking(failed).smallest()
    Issue.record(
      "BATON_TEST_SEED=\(failed.seed) failed; the smallest script that failed too: \(smallest)")
  }

  /// Returns the script if it violates an invariant.
  private static func failing(
    _ script: EngineScript, see: @Sendable ([String: Int]) -> Void
  ) async throws -> EngineScript? {
    let violations = try await EngineStage.violations(of: script, see: see)
    guard !violations.isEmpty else { return nil }
    Issue.record("BATON_TEST_SEED=\(script.seed): \(violations.joined(separator: "\n"))")
    return script
  }
}

/// Counts the occurrences of each kind of event over all seeds.
private final class Seen: Sendable {
  private let sums = Mutex<[String: Int]>([:])

  var counts: [String: Int] { sums.withLock { $0 } }

  func add(_ new: [String: Int]) { sums.withLock { $0.merge(new, uniquingKeysWith: +) } }
}
