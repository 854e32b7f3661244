import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests the interleavings of a wait with the transaction and the dispatch of its event.
///
/// docs/internals/queue.md lists the interleavings.
@Suite(.timeLimit(.minutes(5))) struct WaitRaceTests {
  private static let event = AwaitedEvent(
    step: "paid", topic: "paid", key: "a", timeout: .seconds(3600))

  /// An attempt of a run, whose statements a test executes one by one.
  private struct OpenAttempt {
    let claim: Claim
    let registration: Registration

    /// Searches for the event, as `waitForEvent` does.
    func search() async throws -> AwaitedEvent.Outcome {
      let session = try await registration.control.session()
      let (_, outcome) = try await session.atomically(
        QueueCalls.lockClaimed(claim), QueueCalls.search(for: WaitRaceTests.event, of: claim))
      return outcome
    }

    /// Ends the attempt with a `Snooze`.
    func park() async {
      var failed = FailedAttempt(
        claim: claim, error: Snooze(for: WaitRaceTests.event.timeout),
        worker: registration.worker)
      failed.waits = [WaitRaceTests.event.step]
      _ = await failed.settle(on: registration.control)
    }

    /// Ends the attempt with a `Snooze` of the job, as if the attempt had not reached its wait.
    func snooze() async {
      let failed = FailedAttempt(
        claim: claim, error: Snooze(for: .seconds(7200)), worker: registration.worker)
      _ = await failed.settle(on: registration.control)
    }

    func leave() async throws {
      try await registration.leave(on: registration.control.session())
      await registration.control.close()
    }
  }

  /// Claims the only run.
  private func claim(in queue: WaitQueue) async throws -> OpenAttempt {
    let registration = Registration(
      of: WorkerContext([queue.job], logger: .quiet), on: queue.test.configuration,
      in: queue.test.schema)
    try await registration.enter(on: registration.control.session())
    let claim = try #require(
      try await registration.makeSharingExecutor().claimInTurn(queue.job))
    return OpenAttempt(claim: claim, registration: registration)
  }

  @Test func `an event that is dispatched between the search and the release wakes the run`()
    async throws
  {
    try await WaitQueue.with { queue in
      try await queue.enqueue("a")
      let attempt = try await claim(in: queue)
      guard case .waiting = try await attempt.search() else {
        throw TestFailure("the attempt has found an event")
      }
      try await queue.send("a")
      try await queue.dispatch()
      await attempt.park()
      try await attempt.leave()
      #expect(try await queue.isDue() == false)
      // The dispatch of the wait's beginning finds the event.
      #expect(try await queue.test.events() == ["wait/paid a"])
      try await queue.dispatch()
      #expect(try await queue.isDue())
      try await queue.workOnce()
      #expect(try await queue.outputs() == ["[5]"])
    }
  }

  @Test func `an event that is dispatched before the release commits wakes the run`() async throws {
    try await WaitQueue.with { queue in
      try await queue.enqueue("a")
      let attempt = try await claim(in: queue)
      _ = try await attempt.search()
      let claim = attempt.claim
      try await attempt.registration.control.session().transaction { transaction in
        _ = try await transaction.run(
          QueueCalls.release(
            claim, attemptsOff: 1, wait: WaitRaceTests.event.timeout, batchLimit: nil, error: nil),
          QueueCalls.parkWaits(["paid"], of: claim))
        // The dispatch does not see the release, and does not wait for it.
        try await queue.send("a")
        try await queue.dispatch()
      }
      try await attempt.leave()
      #expect(try await queue.isDue() == false)
      try await queue.dispatch()
      #expect(try await queue.isDue())
    }
  }

  @Test func `an event whose transaction was open during the wait wakes the run`() async throws {
    try await WaitQueue.with { queue in
      let sender = try await queue.test.connect()
      try await sender.script(
        Statement(
          "test/send",
          """
          begin; set local search_path to \(queue.test.schema.name), pg_temp;
          select send_event('paid', 'a', '{"cents": 9}')
          """))
      // The event has a lower number than the run's call, but commits later.
      try await queue.enqueue("a")
      try await queue.workOnce()
      try await queue.dispatch()
      #expect(try await queue.isDue() == false)
      try await sender.script(Statement("test/commit", "commit"))
      await sender.close()
      try await queue.dispatch()
      #expect(try await queue.isDue())
      try await queue.workOnce()
      #expect(try await queue.outputs() == ["[9]"])
    }
  }

  @Test func `an event that is dispatched together with the beginning of the wait wakes the run`()
    async throws
  {
    try await WaitQueue.with { queue in
      try await queue.enqueue("a")
      try await queue.workOnce()
      try await queue.send("a")
      #expect(try await queue.test.events() == ["wait/paid a", "wait/paid a"])
      try await queue.dispatch()
      #expect(try await queue.isDue())
    }
  }

  @Test func `a beginning that is dispatched again wakes no run`() async throws {
    try await WaitQueue.with { queue in
      try await queue.send("a")
      try await queue.dispatch()
      // The run is newer than the event, so the event does not count.
      try await queue.enqueue("a")
      for _ in 1...2 {
        try await queue.workOnce()
        try await queue.dispatch()
        #expect(try await queue.isDue() == false)
        try await queue.makeDue()
      }
    }
  }

  @Test(.sampled()) func `a run of a dead worker searches for the event again`() async throws {
    try await WaitQueue.with { queue in
      let id = try await queue.enqueue("a")
      let attempt = try await claim(in: queue)
      _ = try await attempt.search()
      try await queue.test.sql(
        "update worker set heartbeat_at = pg_catalog.now() - interval '1 minute'")
      #expect(try await queue.memo.queue.reclaim()?.released == 1)
      #expect(try await queue.memo.runs() == ["a,running,f,t"])
      try await queue.send("a")
      try await queue.dispatch()
      // The lost attempt can neither search for an event nor make the run wait.
      await #expect(throws: PostgresError.self) { try await attempt.search() }
      await attempt.park()
      await attempt.registration.control.close()
      #expect(try await queue.isDue())
      #expect(try await queue.test.drain() == 0)
      #expect(queue.till.keys == ["\(id)/ship"])
      #expect(try await queue.outputs() == ["[5]"])
    }
  }

  @Test(.sampled()) func `an event shortens neither the backoff nor the Snooze after a wait`()
    async throws
  {
    try await WaitQueue.with { queue in
      try await queue.enqueue("later-1")
      try await queue.workOnce()
      try await queue.send("later-1")
      try await queue.dispatch()
      // The wait is decided, and the job throws a Snooze of its own.
      try await queue.workOnce()
      #expect(try await queue.isDue() == false)
      try await queue.send("later-1")
      try await queue.dispatch()
      #expect(try await queue.isDue() == false)
      // In a backoff, the run has another attempt number than in its wait.
      try await queue.enqueue("b")
      try await queue.workOnce()
      try await queue.test.sql("update run set attempt = 1 where key = 'b'")
      try await queue.send("b")
      try await queue.dispatch()
      #expect(try await queue.test.count("run where due <= pg_catalog.now()") == 0)
    }
  }

  @Test(.sampled())
  func `an event does not shorten the Snooze of an attempt that did not reach its wait`()
    async throws
  {
    try await WaitQueue.with { queue in
      try await queue.enqueue("a")
      try await queue.workOnce()
      try await queue.makeDue()
      let attempt = try await claim(in: queue)
      await attempt.snooze()
      try await attempt.leave()
      // The run has the same attempt number as in its wait, because a Snooze costs no attempt.
      #expect(try await queue.test.sql("select attempt from run") == ["0"])
      try await queue.send("a")
      try await queue.dispatch()
      #expect(try await queue.isDue() == false)
      // The wait of a later attempt finds the event.
      try await queue.makeDue()
      try await queue.workOnce()
      #expect(try await queue.outputs() == ["[5]"])
    }
  }

  @Test func `a worker with --until-idle waits for a woken run, but not for a waiting run`()
    async throws
  {
    try await WaitQueue.with { queue in
      try await queue.enqueue("a")
      try await queue.workOnce()
      try await queue.dispatch()
      #expect(try await queue.memo.queue.pendingWork(of: ["ship-order"]).isIdle)
      try await queue.send("a")
      try await queue.dispatch()
      #expect(try await queue.memo.queue.pendingWork(of: ["ship-order"]).hasRuns)
    }
  }

  @Test func `a dispatch without sent events does not read its events again`() async throws {
    try await WaitQueue.with { queue in
      try await queue.test.sql("select enqueue('ship-order', 'b')")
      #expect(try await readsEventsAgain(queue) == false)
      try await queue.send("b")
      #expect(try await readsEventsAgain(queue))
    }
  }

  /// Whether the next dispatch, which is rolled back, reads its events again to find sent events.
  private func readsEventsAgain(_ queue: WaitQueue) async throws -> Bool {
    let connection = try await queue.test.connect()
    let lines: [String] = try await connection.rolledBack(in: queue.test.schema) {
      try await connection.script(
        Statement(
          "test/prepare",
          """
          set local baton.has_cursor = 'yes';
          prepare planned (boolean) as \(SQL.Queue.fold.text)
          """))
      _ = try await connection.run(QueueCalls.advance(inPieces: false))
      let explain = Statement(
        "test/explain", "explain (analyze, costs off, timing off) execute planned (false)")
      let lines: [String] = try await connection.run(
        .rows(explain) { (row) throws(PostgresError) in try row.decode(String.self) })
      return lines
    }
    await connection.close()
    let plan = lines.drop { !$0.contains("CTE awaited") }
    let scan = try #require(plan.first { $0.contains("CTE Scan on fresh") })
    return !scan.contains("never executed")
  }

  @Test func `a dispatch waits for no worker, and an attempt sees the event itself`() async throws {
    try await WaitQueue.with { queue in
      try await queue.enqueue("a")
      try await queue.workOnce()
      try await queue.makeDue()
      // The timeout has made the run due, and a worker performs it.
      let attempt = try await claim(in: queue)
      try await queue.send("a")
      try await queue.dispatch()
      let outcome = try await attempt.search()
      guard case .decided(let result) = outcome else { throw TestFailure("\(outcome)") }
      #expect(result.contains(#""payload" : {"cents": 5}"#), "\(result)")
      // The response to COMMIT may be lost, and the attempt searches again.
      #expect(try await attempt.search() == outcome)
      try await attempt.leave()
    }
  }
}
