import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// An effect that can block its thread until 1.5 s after it was cancelled.
private struct StubbornJob: EffectJob {
  static let definition = Definition<Self>("stubborn", concurrency: 1, keepsHistory: true)

  var blocks: Bool?

  static func perform(_ run: Run<Self>, in begun: Begun) async throws {
    begun.keys.withLock { $0.append(run.key) }
    if run.payload.blocks == true { block() }
  }

  /// Blocks the thread, like a library that does not support tasks.
  private static func block() {
    while !Task.isCancelled { Thread.sleep(forTimeInterval: 0.01) }
    Thread.sleep(forTimeInterval: 1.5)
  }

  /// The keys of the runs whose effects have begun.
  final class Begun: Sendable {
    let keys = Mutex([String]())

    var all: [String] { keys.withLock { $0 } }
  }

  static func registered(_ begun: Begun) -> RegisteredJob {
    RegisteredJob(StubbornJob.self) { _ in begun }
  }
}

/// Tests effects that end or begin after they were cancelled.
@Suite(.timeLimit(.minutes(3))) struct WaitingEffectTests {
  @Test func `an effect that ends late after a requested cancellation does not stop the worker`()
    async throws
  {
    let begun = StubbornJob.Begun()
    let job = StubbornJob.registered(begun)
    try await TestSchema.run([job]) { test in
      let worker = Worker([job], on: test.configuration, schema: test.schema, logger: .quiet)
      try await running(worker) {
        try await test.sql("select enqueue('stubborn', 'a', '{\"blocks\": true}')")
        try await eventually("the effect") { begun.all == ["a"] }
        try await test.sql("select cancel_run(id, job, key) from run")
        try await eventually("the cancelled run") {
          try await test.sql("select outcome from run_history") == ["cancelled"]
        }
        try await test.sql("select enqueue('stubborn', 'b')")
        try await eventually("the next effect") {
          try await test.sql("select outcome from run_history where key = 'b'") == ["done"]
        }
      }
    }
  }

  @Test func `an effect that was cancelled while it waited for a thread does not begin`()
    async throws
  {
    let begun = StubbornJob.Begun()
    let job = StubbornJob.registered(begun)
    try await TestSchema.run([job]) { test in
      let session = ReconnectingSession(test.configuration, in: test.schema, logger: .quiet)
      let worker = WorkerContext([job], logger: .quiet)
      let token = UUID()
      let runs = try await session.session().insertRunning(
        ["a", "b"], of: job, token: token, payload: #"{"blocks": true}"#)
      worker.identity.claims.begin(token)
      let sessions = SessionPool(of: session)
      let crew = EffectCrew(
        of: job.definition, count: 2, worker: worker, sessions: sessions,
        threads: ThreadPool(1, name: "test effect"))
      await worker.solitude.enter()
      crew.start(Claim(job: job, token: token, runs: runs))
      try await eventually("the first effect") { begun.all.count == 1 }
      let other = try #require(
        crew.permits.inHand.first { $0.claim.keys != begun.all })
      other.cancelAsRequested()
      try await eventually("the abandonment") { crew.permits.inHand.count == 1 }
      for attempt in crew.permits.inHand { attempt.cancelAsRequested() }
      try await eventually("free permits") { !crew.permits.areInUse }
      #expect(begun.all.count == 1)
      worker.solitude.leave()
      await sessions.close()
      await session.close()
    }
  }
}
