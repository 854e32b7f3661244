import BatonJobs
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
        #expect(await solitude.begin(for: "a", within: .seconds(30) * patience))
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
      #expect(await !solitude.begin(for: "a", within: .milliseconds(20)))
      // The other executors continue in the meantime.
      await solitude.enter()
      solitude.leave()
      solitude.leave()
      let isAlone = await solitude.begin(for: "a", within: .milliseconds(20))
      // The executors are asked again after 200 ms, which may have passed on a busy machine.
      guard !isAlone || asked.duration(to: .now) < .milliseconds(200) else { continue }
      #expect(!isAlone)
      try? await Task.sleep(for: .milliseconds(220))
      #expect(await solitude.begin(for: "a", within: .milliseconds(20)))
      return
    }
    Issue.record("the machine stood still each time")
  }

  @Test func `after a claim in vain, only other jobs ask to be alone`() async throws {
    let solitude = Solitude()
    #expect(await solitude.begin(for: "a"))
    solitude.pause("a", for: .seconds(3_600))
    solitude.end()
    #expect(await !solitude.begin(for: "a"))
    #expect(await solitude.begin(for: "b"))
    solitude.pause("b", for: .milliseconds(1))
    solitude.end()
    try await Task.sleep(for: .milliseconds(5))
    #expect(await solitude.begin(for: "b"))
    solitude.end()
  }

  @Test func `an executor that claims in vain does not ask again at once`() async throws {
    try await NoteQueue.with { queue in
      let registration = queue.registration()
      let (solitude, executor) = (registration.worker.solitude, registration.makeExecutor())
      let asked = ContinuousClock.now
      let hasWorked = try await executor.workAlone(queue.job)
      #expect(!hasWorked)
      let isAlone = await solitude.begin(for: queue.job.definition.name)
      // On a busy machine, the pause of one second may have passed.
      #expect(!isAlone || asked.duration(to: .now) >= .seconds(1))
      if isAlone { solitude.end() }
      await executor.close()
    }
  }
}

private final class Seen: Sendable {
  private let names = Mutex<[String]>([])
  var all: [String] { names.withLock { $0 } }
  func add(_ name: String) { names.withLock { $0.append(name) } }
}
