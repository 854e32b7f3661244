import BatonJobs
import BatonLive
import BatonPostgres
import Foundation
import JobTesting
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// Tests servers that wait for the ends of runs with the connection of a hub.
@Suite(.timeLimit(.minutes(5))) struct RunWatchTests {
  /// The options of a hub that polls only after a wake-up.
  private static var woken: LiveOptions {
    var options = LiveOptions()
    (options.poll, options.pollAlone) = (.seconds(3_600), .milliseconds(10))
    options.check = .seconds(4 * 3_600)
    return options
  }

  private static func with(
    _ options: LiveOptions, _ body: (SendQueue, RunWatch) async throws -> Void
  ) async throws {
    try await SendQueue.with { queue in
      let hub = LiveHub(queue.test.configuration, in: queue.test.schema, options: options)
      defer { hub.close() }
      try await body(queue, RunWatch(hub))
    }
  }

  private struct Receipt: Decodable {
    let number: Int64
  }

  @Test(.sampled()) func `a wake-up ends a wait, and only the job of the wait sends one`()
    async throws
  {
    try await Self.with(Self.woken) { queue, runs in
      let ids = try await queue.enqueueAll(["wait", "refuse", "cancel"])
      let waits = ["wait", "refuse", "cancel"].enumerated().map { number, key in
        Task {
          try await runs.wait(
            for: EnqueuedRun(job: "send", key: key, id: ids[number]), timeout: .seconds(60))
        }
      }
      try await eventually("the hub listens") { try await queue.locks() == 1 }
      try await queue.withWorker { _ in
        #expect(try await waits[1].value.state == .dead)
        try await queue.test.sql("select cancel_run(\(ids[2]), 'send', 'cancel')")
        #expect(try await waits[2].value.state == .cancelled)
        queue.sent.open()
        let status = try await waits[0].value
        #expect(status.state == .ended && status.id == ids[0] && status.attempt == 1)
        #expect(try status.output(as: Receipt.self)?.number == ids[0])
        #expect(try #require(status.endedAt).timeIntervalSinceNow < 60)
      }
      // The job no longer has observers, so no publisher sends a NOTIFY.
      try await eventually("the hub has left") { try await queue.locks() == 0 }
    }
  }

  @Test func `without wake-ups, the hub polls`() async throws {
    var options = LiveOptions()
    options.listens = false
    try await Self.with(options) { queue, runs in
      let id = try await queue.enqueueAll(["done"])[0]
      try await queue.withWorker { _ in
        let status = try await runs.wait(
          for: EnqueuedRun(job: "send", key: "done", id: id), timeout: .seconds(60))
        #expect(status.state == .ended)
      }
      #expect(try await queue.locks() == 0)
    }
  }

  @Test func `the states of a run arrive in order, and the stream ends after the run`()
    async throws
  {
    try await Self.with(LiveOptions()) { queue, runs in
      let id = try await queue.enqueueAll(["wait"])[0]
      let run = EnqueuedRun(job: "send", key: "wait", id: id)
      let seen = Mutex<[RunStatus.State?]>([])
      let reading = Task {
        for try await status in runs.states(of: run) { seen.withLock { $0.append(status?.state) } }
      }
      try await eventually("it waits") { seen.withLock { $0 } == [.waiting] }
      try await queue.withWorker { _ in
        try await eventually("it runs") { seen.withLock { $0.last } == .running }
        queue.sent.open()
        try await reading.value
      }
      #expect(seen.withLock { $0 } == [.waiting, .running, .ended])
    }
  }

  @Test func `two spellings of a key are the keys of two runs`() {
    let runs = ["\u{e9}", "e\u{301}"].map { EnqueuedRun(job: "send", key: $0, id: 1) }
    #expect(runs[0] != runs[1] && Set(runs).count == 2)
    #expect(runs[0] == EnqueuedRun(job: "send", key: "\u{e9}", id: 1))
  }

  @Test func `a wait ends with a timeout, an error or a cancelled task`() async throws {
    try await Self.with(LiveOptions()) { queue, runs in
      let id = try await queue.enqueueAll(["done"])[0]
      let run = EnqueuedRun(job: "send", key: "done", id: id)
      // On a busy machine, the hub may not have read the state of the run after 300 ms.
      var timeout: RunTimeout?
      for milliseconds in [300, 3_000, 30_000] where timeout?.status == nil {
        timeout = await #expect(throws: RunTimeout.self) {
          try await runs.wait(for: run, timeout: .milliseconds(milliseconds))
        }
      }
      #expect(timeout?.run == run && timeout?.status?.state == .waiting)
      let error = await #expect(throws: PostgresError.self) {
        try await runs.wait(for: EnqueuedRun(job: "missing", id: id), timeout: .seconds(60))
      }
      #expect(error?.sqlState == "ZB005")
      let wait = Task { try await runs.wait(for: run) }
      wait.cancel()
      await #expect(throws: CancellationError.self) { try await wait.value }
      // A run without a record has ended without history.
      let ended = try await runs.wait(
        for: EnqueuedRun(job: "send", key: "done", id: id + 1_000), timeout: .seconds(60))
      #expect(ended == RunStatus(id: id + 1_000, state: .ended))
    }
  }
}

extension SendQueue {
  /// Enqueues runs whose keys determine their behavior, and returns their ids.
  fileprivate func enqueueAll(_ keys: [String]) async throws -> [Int64] {
    try await test.sql(
      """
      select enqueue('send', k, jsonb_build_object('what', k),
        run_at => case when k = 'cancel' then '2999-01-01Z'::timestamptz end)
      from unnest('{\(keys.joined(separator: ","))}'::text[]) with ordinality u (k, n) order by n
      """
    ).compactMap { Int64($0) }
  }

  /// Returns the number of locks of hubs in this database.
  fileprivate func locks() async throws -> Int {
    try await count(
      """
      pg_locks where locktype = 'advisory' and mode = 'ShareLock' and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32 | objid::bigint) = (select observer_key('run/send'))
      """)
  }
}
