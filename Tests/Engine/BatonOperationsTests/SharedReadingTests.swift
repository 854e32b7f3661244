import BatonPostgres
import Synchronization
import TestSupport
import Testing

@testable import BatonOperations

/// Tests that many callers share one reading.
@Suite(.timeLimit(.minutes(5))) struct SharedReadingTests {
  @Test(
    arguments: [
      ("55P03", .late), ("57014", .late), ("08006", .unreachable), ("28P01", .refused),
      ("25006", .readOnly), ("53300", .refused),
    ] as [(String, Reading.Check)])
  func `a failed read has the word of its cause`(code: String, word: Reading.Check) {
    #expect(Reader.check(of: PostgresError(SQLState(code), "no")) == word)
  }

  /// Counts how often it is read, and ends a reading when it is told to.
  private final class Source: Sendable {
    private let state = Mutex((reads: 0, isOpen: false))
    var reads: Int { state.withLock { $0.reads } }
    func open() { state.withLock { $0.isOpen = true } }
    func read() async -> Int {
      let number = state.withLock { state in
        state.reads += 1
        return state.reads
      }
      while !state.withLock({ $0.isOpen }) { try? await Task.sleep(for: .milliseconds(2)) }
      return number
    }
  }

  @Test func `a hundred who ask at once share one reading`() async throws {
    let source = Source()
    let shared = SharedReading(atMostEvery: .seconds(100)) { await source.read() }
    let values = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<100 { group.addTask { await shared.value() } }
      try await eventually("the reading") { source.reads > 0 }
      source.open()
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(values == [1])
    // A caller that asks soon after the others gets the same value.
    #expect(await shared.value() == 1)
    #expect(source.reads == 1)
  }

  @Test func `a reading that is too old is read again`() async throws {
    let source = Source()
    source.open()
    let shared = SharedReading(atMostEvery: .milliseconds(1)) { await source.read() }
    try await eventually("another reading") { await shared.value() > 2 }
  }

  @Test func `nobody waits longer than they want for what does not end`() async throws {
    let source = Source()
    let task = Task { await source.read() }
    #expect(await task.value(within: .milliseconds(5)) == nil)
    source.open()
    #expect(await task.value(within: .seconds(30)) == 1)
  }
}
