import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// Tests the executor that has its process to itself, and the executors that wait.
@Suite(.timeLimit(.minutes(5))) struct SolitudeTests {
  @Test func `whoever is alone waits for those inside, and nobody enters meanwhile`() async throws {
    let solitude = Solitude()
    let seen = Seen()
    await solitude.enter()
    await solitude.enter()
    try await withThrowingTaskGroup { group in
      group.addTask {
        #expect(await solitude.begin(within: .seconds(30) * patience))
        seen.add("alone")
        async let another: Void = {
          await solitude.enter()
          seen.add("another")
          solitude.leave()
        }()
        try await Task.sleep(for: .milliseconds(50))
        seen.add("no longer")
        solitude.end()
        await another
      }
      for _ in 1...2 {
        try await Task.sleep(for: .milliseconds(50))
        seen.add("left")
        solitude.leave()
      }
      try await group.waitForAll()
    }
    #expect(seen.all == ["left", "left", "alone", "no longer", "another"])
  }

  @Test func `long work in another executor is not waited for, and not asked again at once`() async
  {
    for _ in 1...100 {
      let solitude = Solitude()
      await solitude.enter()
      let asked = ContinuousClock.now
      #expect(await !solitude.begin(within: .milliseconds(20)))
      // The other executors continue in the meantime.
      await solitude.enter()
      solitude.leave()
      solitude.leave()
      let isAlone = await solitude.begin(within: .milliseconds(20))
      // The executors are asked again after 200 ms, which may have passed on a busy machine.
      guard !isAlone || asked.duration(to: .now) < .milliseconds(200) else { continue }
      #expect(!isAlone)
      try? await Task.sleep(for: .milliseconds(220))
      #expect(await solitude.begin(within: .milliseconds(20)))
      return
    }
    Issue.record("the machine stood still each time")
  }
}

private final class Seen: Sendable {
  private let names = Mutex<[String]>([])
  var all: [String] { names.withLock { $0 } }
  func add(_ name: String) { names.withLock { $0.append(name) } }
}
