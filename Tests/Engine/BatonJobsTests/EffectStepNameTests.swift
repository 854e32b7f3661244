import BatonJobs
import Synchronization
import Testing

/// Tests durable steps of runs that a test creates itself, without a queue.
@Suite struct EffectStepNameTests {
  private struct Charge: EffectJob {
    static let definition = Definition<Self>("charge")
    static func perform(_ run: Run<Self>, in context: Void) async throws {}
  }

  private let run = Run(Charge(), key: "a", header: RunHeader(id: 12, job: "charge"))

  @Test func `without a queue, a step is performed with its idempotency key`() async throws {
    let keys = Mutex<[String]>([])
    for _ in 1...2 {
      let number = try await run.step("charge-1.b_C") { key in
        keys.withLock { $0.append(key) }
        return 5
      }
      #expect(number == 5)
    }
    #expect(keys.withLock { $0 } == ["12/charge-1.b_C", "12/charge-1.b_C"])
  }

  @Test(arguments: ["", "a b", "a/b", "é", "a\n", String(repeating: "a", count: 101)])
  func `a name that cannot be a part of an idempotency key is refused`(name: String) async {
    let error = await #expect(throws: (any Error).self) {
      try await run.step(name) { _ in _ = Issue.record("the step is performed") }
    }
    #expect(
      error.map { "\($0)" }?.hasSuffix(
        """
        is invalid (job charge, run 12): use 1 to 100 letters, digits, hyphens, underscores and dots
        """) == true)
  }
}
