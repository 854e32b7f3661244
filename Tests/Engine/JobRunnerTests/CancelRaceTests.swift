import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests requests to cancel a run during all other changes of the run.
@Suite(.timeLimit(.minutes(5))) struct CancelRaceTests {
  @Test(.sampled(), arguments: ["hang", "bad"], [false, true])
  func `one that fails or stops meanwhile is cancelled, not tried again, not dead, not merged`(
    key: String, isLast: Bool
  ) async throws {
    try await LongQueue.with { queue in
      try await queue.test.sql(
        "update job set topics = topics || '{run.died}' where name = 'long-steps'")
      try await queue.make("long", [key])
      let id = try await queue.id(key)
      if isLast { try await queue.test.sql("update run set attempt = 2") }
      let executor = try await queue.executor()
      let claim = try #require(try await executor.claim(queue.jobs[0]))
      // A newer run with the same key is waiting. Nothing of the older run is merged into it.
      try await queue.make("long", [key])
      #expect(try await queue.queue.cancel(id) == .cancelling(id))
      #expect(try await queue.queue.cancel(id) == .cancelling(id))
      #expect(try await queue.test.count("cancellation") == 1)
      let working = Task { await executor.finish(claim) }
      try await eventually("it is worked") { queue.began.keys == [key] }
      // No poll runs here, so the worker does not learn of the request. The run fails or is
      // stopped.
      if key == "hang" { working.cancel() }
      guard case .cancelled = await working.value else { throw TestFailure("it was not cancelled") }
      #expect(try await queue.cancelled() == ["\(key)@\(isLast ? 3 : 1)"])
      #expect(
        try await queue.test.sql(
          """
          select state, attempt, \(id) <> all (coalesce(earlier_ids, '{}')), last_error is null from run
          """)
          == ["ready,0,t,t"])
      #expect(try await queue.test.count("event where topic = 'run.died'") == 0)
      #expect(try await queue.test.count("dead_run") == 0)
      // If an attempt failed by itself, the failure is recorded.
      #expect(try await queue.test.count("failed_attempt") == (key == "bad" ? 1 : 0))
      await executor.close()
    }
  }

  @Test func `whoever settles a run waits for a request in progress, and obeys it`() async throws {
    try await LongQueue.with { queue in
      try await queue.make("long", ["bad"])
      let executor = try await queue.executor()
      let claim = try #require(try await executor.claim(queue.jobs[0]))
      let asking = try await queue.test.connect()
      try await asking.script(
        Statement(
          "test/ask",
          """
          begin; set local search_path to \(queue.test.schema.name);
          lock table cancellation in exclusive mode;
          insert into cancellation select id, job, key from run
          """))
      let working = Task { await executor.finish(claim) }
      try await eventually("it waits") {
        try await queue.test.count(
          "pg_locks where not granted and relation = 'cancellation'::regclass")
          == 1
      }
      try await asking.script(Statement("test/commit", "commit"))
      guard case .cancelled = await working.value else { throw TestFailure("it was not cancelled") }
      #expect(try await queue.cancelled() == ["bad@1"])
      #expect(try await queue.left().isEmpty)
      await asking.close()
      await executor.close()
    }
  }

  @Test func `a request waits for who settles the run, and takes out what is ready then`()
    async throws
  {
    try await LongQueue.with { queue in
      try await queue.make("long", ["a"])
      let id = try await queue.id("a")
      let executor = try await queue.executor()
      _ = try await executor.claim(queue.jobs[0])
      let settling = try await queue.test.connect()
      try await settling.script(
        Statement(
          "test/settle",
          """
          begin; set local search_path to \(queue.test.schema.name);
          lock table cancellation in row share mode;
          update run set state = 'ready', token = null, worker = null
          """))
      async let cancelled = queue.queue.cancel(id)
      try await eventually("it waits") {
        try await queue.test.count(
          "pg_locks where not granted and relation = 'cancellation'::regclass")
          == 1
      }
      try await settling.script(Statement("test/commit", "commit"))
      #expect(try await cancelled == .cancelled(id))
      #expect(try await queue.cancelled() == ["a@1"])
      #expect(try await queue.left().isEmpty)
      await settling.close()
      await executor.close()
    }
  }

  @Test func `a claim that is in progress is waited for, and what it took is asked for`()
    async throws
  {
    try await LongQueue.with { queue in
      try await queue.make("long", ["a"])
      let id = try await queue.id("a")
      let claiming = try await queue.test.connect()
      try await claiming.script(
        Statement(
          "test/claim",
          """
          begin; set local search_path to \(queue.test.schema.name);
          update run set state = 'running', token = '\(UUID())', worker = '\(UUID())'
          """))
      async let cancelled = queue.queue.cancel(id)
      try await eventually("it waits") {
        try await queue.test.count("pg_stat_activity where wait_event = 'transactionid'") >= 1
      }
      try await claiming.script(Statement("test/commit", "commit"))
      #expect(try await cancelled == .cancelling(id))
      // No worker has the run: it was claimed with a worker id that does not exist.
      _ = try await queue.queue.reclaim()
      #expect(try await queue.cancelled() == ["a@0"])
      #expect(try await queue.left().isEmpty)
      await claiming.close()
    }
  }

  @Test func `what is done before stays done, and its request is removed`() async throws {
    try await LongQueue.with { queue in
      try await queue.make("long-steps", ["short"])
      let id = try await queue.id("short")
      let executor = try await queue.executor()
      let claim = try #require(try await executor.claim(queue.jobs[1]))
      #expect(try await queue.queue.cancel(id) == .cancelling(id))
      // No poll runs here.
      #expect(await executor.finish(claim).error == nil)
      #expect(try await queue.left() == ["long-steps/short/request"])
      #expect(try await queue.queue.cancel(id) == .ended(id, "done"))
      try await queue.withWorker { _ in
        try await eventually("the request is gone", within: .seconds(5)) {
          try await queue.left().isEmpty
        }
      }
      #expect(try await queue.cancelled().isEmpty)
      #expect(try await queue.test.noted() == ["short@1"])
      await executor.close()
    }
  }

  @Test func `a run whose worker dies before it reads the request is cancelled, others go on`()
    async throws
  {
    try await LongQueue.with { queue in
      try await queue.make("long", ["a", "b"])
      let (a, b) = (try await queue.id("a"), try await queue.id("b"))
      let dying = try await queue.executor()
      _ = try await dying.claim(queue.jobs[0])
      #expect(try await queue.queue.cancel(a) == .cancelling(a))
      await dying.close()
      try await queue.withWorker { _ in
        try await eventually("the other is done") { try await queue.test.noted() == ["b@1"] }
        try await eventually("it is cancelled") { try await queue.cancelled() == ["a@1"] }
      }
      #expect(try await queue.left().isEmpty)
      #expect(queue.began.keys == ["b"])
      // The run was not alone, so the death does not count as an attempt of this run.
      #expect(try await queue.test.count("failed_attempt where run_id = \(b)") == 0)
    }
  }

  @Test func `a run that its worker does not know of is cancelled`() async throws {
    try await LongQueue.with { queue in
      try await queue.make("long", ["a", "b"])
      let a = try await queue.id("a")
      let identity = WorkerIdentity()
      let executor = try await queue.executor(identity)
      let claim = try #require(try await executor.claim(queue.jobs[0]))
      identity.claims.abandon(claim.token)
      #expect(try await queue.queue.cancel(a) == .cancelling(a))
      try await queue.queue.releaseUnknown(to: identity)
      #expect(try await queue.cancelled() == ["a@1"])
      #expect(try await queue.left() == ["long/b/ready"])
      await executor.close()
    }
  }

  @Test(.sampled())
  func `of many that are cancelled beside workers each is done or cancelled, never both`()
    async throws
  {
    try await LongQueue.with { queue in
      let keys = (1...200).map { ["slow-\($0)", "bad-\($0)", "k\($0)"][$0 % 3] }
      try await queue.make("long", keys)
      let runs = try await queue.test.sql("select id from run").compactMap { Int64($0) }
      let others = queue.test.worker(queue.jobs, concurrency: 2)
      var order = Randomness().generator
      try await queue.withWorker { _ in
        async let working: Void = others.run()
        var promised = Set<Int64>()
        for id in runs.shuffled(using: &order) where id.isMultiple(of: 2) {
          switch try await queue.queue.cancel(id, patience: .seconds(30)) {
          case .cancelled(let run): promised.insert(run)
          case .cancelling: throw TestFailure("\(id) does not end")
          case .ended, .missing: break
          }
        }
        try await eventually("all ends") {
          try await queue.test.count("run") + queue.test.count("cancellation") == 0
        }
        others.stop()
        try await working
        let cancelled = try await queue.test.sql(
          "select id from run_history where outcome = 'cancelled'"
        ).compactMap { Int64($0) }
        #expect(Set(cancelled) == promised && cancelled.count == promised.count)
      }
      // Every key is in exactly one place: recorded by its job, cancelled, or dead.
      let ends = try await queue.test.sql(
        """
        select count(*), count(distinct key) from (
          select key from noted union all select key from run_history union all select key from dead_run
        ) e
        """)
      #expect(ends == ["200,200"])
    }
  }

  @Test(.sampled()) func `what a broken connection has left in the server is ended by the next`()
    async throws
  {
    try await LoopbackLogin.make()
    let proxy = try FaultProxy(before: TestServer.loopbackPort)
    defer { proxy.close() }
    try await LongQueue.with { queue in
      try await queue.make("long", ["stuck"])
      let worker = Worker(
        queue.jobs, on: queue.test.configuration.through(proxy.address), schema: queue.test.schema,
        options: .init(concurrency: 1), logger: .quiet)
      async let working: Void = worker.run()
      try await eventually("it is worked") { queue.began.keys == ["stuck"] }
      // A statement that is cancelled over TLS ends the same way: the server does not notice, and
      // the run stays locked.
      proxy.cutAll()
      try await eventually("it is worked again", within: .seconds(5)) {
        queue.began.keys == ["stuck", "stuck"]
      }
      worker.stopAtOnce()
      try await working
      #expect(try await queue.test.sql("select state, attempt from run") == ["ready,0"])
    }
  }
}
