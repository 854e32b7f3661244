import BatonJobs
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import BatonPostgres
@testable import JobRunner

/// The limit of a drain for runs that never end.
@Suite(.timeLimit(.minutes(5))) struct DrainBoundTests {
  @Test(.sampled(), arguments: [("snooze", "not yet"), ("fail", "the service is away")])
  func `a drain stops at a run that never ends, and names the run`(
    key: String, reason: String
  ) async throws {
    try await TestSchema.run([StubbornJob.registered]) { test in
      try await test.sql("select enqueue('stubborn', 'ends')")
      let id = try await test.sql("select enqueue('stubborn', '\(key)')")[0]
      for most in [10, 5] {
        let error = await #expect(throws: (any Error).self) {
          try await test.drain(mostAttempts: most)
        }
        let text = error.map { "\($0)" } ?? ""
        let what = "The run \(id) of the job stubborn with the key '\(key)' has not ended after"
        #expect(text.contains("\(what) \(most) attempts in this drain."), "\(text)")
        #expect(text.contains("The last attempt: \(reason)."), "\(text)")
        #expect(text.contains("call drain(mostAttempts:)"), "\(text)")
        // The run waits, the other run has ended, and the drain has unregistered its worker.
        #expect(try await test.runs().map { "\($0.key) \($0.state)" } == ["\(key) ready"])
        #expect(try await test.sql("select count(*) from worker") == ["0"])
      }
      // Each failed attempt of both drains is stored, up to the limit of twenty.
      #expect(try await test.sql("select count(*) from failed_attempt") == ["15"])
    }
  }

  @Test func `a run that ends in its last permitted attempt does not stop the drain`() async throws
  {
    try await TestSchema.run([StubbornJob.registered]) { test in
      try await test.sql("select enqueue('stubborn', 'fourth')")
      #expect(try await test.drain(mostAttempts: 4) == 0)
      #expect(try await test.runs().isEmpty)
    }
  }

  /// Such a run gets the id of the newer run.
  @Test func `a run that is merged into a newer run of its key is still counted`() throws {
    func claim(_ id: Int64) -> Claim {
      let run = ClaimedRun(
        id: id, key: "k", payload: nil, attempt: 1, due: Timestamp(microseconds: 0),
        firstEventAt: Timestamp(microseconds: 0), place: RowPlace(block: 0, line: 1))
      return Claim(job: StubbornJob.registered, token: UUID(), runs: [run])
    }
    let undone = UndoneAttempts(most: 2)
    undone.note(claim(1), because: "first")
    // The next run of a key that has ended is counted separately.
    undone.forget(claim(1))
    undone.note(claim(2), because: "second")
    try undone.check()
    undone.note(claim(3), because: "third")
    let endless = EndlessRun(id: 3, job: "stubborn", key: "k", attempts: 2, reason: "third")
    #expect(throws: endless) { try undone.check() }
  }
}

/// A job that ends only some of its runs, depending on the key.
private struct StubbornJob: BatchJob {
  static let definition = Definition<Self>(
    "stubborn", batch: 1,
    retry: .attempts(1_000, exponentialFrom: .milliseconds(1), to: .milliseconds(2)))

  static let registered = RegisteredJob(StubbornJob.self) { _ in 0 }

  static func run(_ batch: [Run<Self>], in context: Int) async throws {
    for run in batch {
      switch run.key {
      case "snooze": throw Snooze(for: .seconds(3600), reason: "not yet")
      case "fail": throw TestFailure("the service is away")
      case "fourth" where run.attempt < 4: throw TestFailure("attempt \(run.attempt)")
      default: break
      }
    }
  }
}
