import BatonJobs
import BatonPostgres
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// Effects and cancellations while the dispatcher waits for a statement.
@Suite(.timeLimit(.minutes(5)))
struct LongFoldTests {
  @Test(.sampled())
  func `while a fold waits for 22 s, no lease ends, and a request cancels an effect`()
    async throws
  {
    try await TestSchema.with { test in
      let calls = Calls()
      let queue = Blocked(test: test, calls: calls)
      try await queue.define()
      try await queue.working {
        let id = try await queue.sql("select enqueue('call', 'wrong')")[0]
        try await queue.sql("select enqueue('call', n::text) from generate_series(1, 10) n")
        try await queue.sql("select enqueue('call', 'later', null, now() + interval '1 hour')")
        try await eventually("all have begun") { calls.begun == 11 }
        try await eventually("one waits") {
          try await queue.sql("select key from run where state = 'ready'") == ["later"]
        }
        try await test.holding("select from run where key = 'later' for update") { lock in
          try await queue.sql("select enqueue('call', 'later', null, now() + interval '1 hour')")
          try await lock.waitUntilItBlocks()
          try await Task.sleep(for: .seconds(22))
          #expect(try await lock.blockedCount() == 1)
          try await eventually("a heartbeat of the last 4 s") {
            try await queue.sql(
              "select extract(epoch from now() - heartbeat_at) < 4 from worker") == ["t"]
          }
          #expect(calls.cancelled == 0)
          try await queue.sql(
            "insert into cancellation (run_id, job, key) values (\(id), 'call', 'wrong')")
          try await expectTime(below: .seconds(2) * patience, "a request during a fold") {
            try await eventually("one is cancelled") { calls.cancelled == 1 }
          }
          #expect(try await lock.blockedCount() == 1)
        }
        calls.open()
        try await eventually("all are done") {
          try await queue.sql("select key from run") == ["later"]
        }
      }
      #expect(calls.begun == 11, "no effect began twice")
      #expect(calls.cancelled == 1)
      #expect(try await queue.sql("select count(*) from worker_death") == ["0"])
    }
  }

  @Test(.sampled())
  func `if only the dispatcher's connection may be opened, it sends the heartbeats`()
    async throws
  {
    try await TestSchema.with { test in
      let registration = Registration(
        of: WorkerContext([], logger: .quiet), on: test.configuration, in: test.schema)
      let session = try await registration.control.session()
      try await registration.stayEntered(on: session)
      let first = try await test.sql("select heartbeat_at from worker")
      try await Task.sleep(for: Heartbeat.pace + .milliseconds(50))
      try await registration.stayEntered(on: session)
      #expect(try await test.sql("select heartbeat_at from worker") != first)
      await registration.control.close()
    }
  }

  @Test(.sampled()) func `a dispatcher that waits for a statement is not stuck`()
    async throws
  {
    let watch = DispatcherWatch()
    #expect(!watch.isStuck(isWaiting: false), "there is no dispatcher yet")
    for _ in 1...10 {
      watch.mark()
      try await Task.sleep(for: .seconds(6))
      let waited = ContinuousClock.now
      #expect(!watch.isStuck(isWaiting: true))
      try await Task.sleep(for: .seconds(6))
      let isStuck = watch.isStuck(isWaiting: false)
      // A busy machine may have slept for more than 10 s.
      guard !isStuck || waited.duration(to: .now) < .seconds(10) else { continue }
      #expect(!isStuck, "12 s ago, but it waited 6 s ago")
      try await Task.sleep(for: .seconds(6))
      #expect(watch.isStuck(isWaiting: false))
      watch.mark()
      #expect(!watch.isStuck(isWaiting: false))
      return
    }
    Issue.record("the machine stood still each time")
  }
}

/// An effect that waits until the test lets it end.
private struct CallJob: EffectJob {
  static let definition = Definition<Self>("call", concurrency: 20, timeout: .seconds(120))

  static func perform(_ run: Run<Self>, in calls: Calls) async throws {
    calls.begin()
    do {
      while !calls.isOpen { try await Task.sleep(for: .milliseconds(20)) }
    } catch {
      calls.cancel()
      throw error
    }
  }
}

private final class Calls: Sendable {
  private let state = Mutex((begun: 0, cancelled: 0, isOpen: false))

  var begun: Int { state.withLock { $0.begun } }
  var cancelled: Int { state.withLock { $0.cancelled } }
  var isOpen: Bool { state.withLock { $0.isOpen } }

  func begin() { state.withLock { $0.begun += 1 } }
  func cancel() { state.withLock { $0.cancelled += 1 } }
  func open() { state.withLock { $0.isOpen = true } }
}

private struct Blocked: Sendable {
  let test: TestSchema
  let calls: Calls

  private var job: RegisteredJob { RegisteredJob(CallJob.self) { [calls] _ in calls } }

  @discardableResult
  func sql(_ text: String) async throws -> [String] { try await test.sql(text) }

  func define() async throws {
    let connection = try await test.connect()
    try await Queue(Session(connection, in: test.schema)).define([job])
    await connection.close()
  }

  /// Runs `body` together with a worker.
  func working(_ body: () async throws -> Void) async throws {
    let worker = Worker(
      [job], on: test.configuration, schema: test.schema,
      options: Worker.Options(grace: .milliseconds(200)), logger: .quiet)
    async let working: Void = worker.run()
    do {
      try await body()
    } catch {
      worker.stop()
      try await working
      throw error
    }
    worker.stop()
    try await working
  }
}
