import BatonJobs
import BatonPostgres
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Cancellations that callers request with the SQL function `cancel_run`.
@Suite(.timeLimit(.minutes(5))) struct CancelRequestTests {
  @Test(.sampled()) func `a worker cancels waiting, sleeping, running and dead runs, and no other`()
    async throws
  {
    try await LongQueue.with { queue in
      let sleeping = try await queue.enqueue("long", "later", rest: "run_at => '2999-01-01Z'")
      let kept = try await queue.enqueue("long", "kept", rest: "run_at => '2999-01-01Z'")
      let dead = try await queue.enqueue("long", "bad")
      try await queue.withWorker { _ in
        try await eventually("one is dead") {
          try await queue.state(dead, "long", "bad") == "\(dead) dead"
        }
        let running = try await queue.enqueue("long", "hang")
        try await eventually("one runs") {
          try await queue.state(running, "long", "hang") == "\(running) running"
        }
        // Both statements are in one transaction, so the call is dispatched before the request is
        // executed.
        let late = try await queue.test.sql(
          """
          with late as materialized (select enqueue('long', 'late', run_at => '2999-01-01Z') as id)
          select id from late, cancel_run(id, 'long', 'late')
          """)
        for (id, key) in [(running, "hang"), (sleeping, "later"), (dead, "bad")] {
          try await queue.test.sql("select cancel_run(\(id), 'long', '\(key)')")
        }
        try await eventually("all are cancelled") {
          try await queue.cancelled() == ["bad@3", "hang@1", "late@0", "later@0"]
        }
        #expect(try await queue.state(Int64(late[0]) ?? 0, "long", "late").hasSuffix("cancelled"))
        #expect(try await queue.state(running, "long", "hang") == "\(running) cancelled")
        try await eventually("no request is left") {
          let requests = try await queue.test.count("cancel_request")
          return try await requests + queue.test.count("cancellation") == 0
        }
      }
      #expect(try await queue.state(kept, "long", "kept") == "\(kept) sleeping")
      // The audit log has no row, because no operator acted.
      #expect(try await queue.test.count("audit") == 0)
    }
  }

  /// A dry run holds this lock until its end, and the dispatcher executes requests.
  @Test func `a locked run delays only its own cancellation`() async throws {
    try await LongQueue.with { queue in
      let id = try await queue.enqueue("long", "a", rest: "run_at => '2999-01-01Z'")
      try await queue.queue.foldAfterOthers()
      try await queue.test.sql("select cancel_run(\(id), 'long', 'a')")
      let dryRun = try await queue.test.connect()
      try await dryRun.transaction(in: queue.test.schema) { transaction in
        try await transaction.run(.run(Statement("test/lock", "select from run for key share")))
        try await queue.queue.cancelRequested()
        #expect(try await queue.state(id, "long", "a") == "\(id) sleeping")
      }
      await dryRun.close()
      try await queue.queue.cancelRequested()
      #expect(try await queue.state(id, "long", "a") == "\(id) cancelled")
    }
  }

  @Test func `many locked runs delay the dispatcher only once`() async throws {
    try await LongQueue.with { queue in
      try await queue.make("long", (1...60).map { "k\($0)" })
      try await queue.test.sql("select cancel_run(id, job, key) from run")
      let dryRun = try await queue.test.connect()
      try await dryRun.transaction(in: queue.test.schema) { transaction in
        try await transaction.run(.run(Statement("test/lock", "select from run for key share")))
        try await expectTime(below: .milliseconds(1_500), "a pass over 60 locked runs") {
          try await queue.queue.cancelRequested()
        }
      }
      await dryRun.close()
      #expect(try await queue.test.count("run") == 60)
      try await queue.queue.cancelRequested()
      #expect(try await queue.test.count("run") == 0)
    }
  }

  @Test func `a hundred requests that must wait do not delay later requests`() async throws {
    try await LongQueue.with { queue in
      let id = try await queue.enqueue("long", "last", rest: "run_at => '2999-01-01Z'")
      try await queue.queue.foldAfterOthers()
      // The calls of these requests are not dispatched yet.
      try await queue.test.sql(
        """
        select cancel_run(enqueue('long', 'k' || n), 'long', 'k' || n) from generate_series(1, 100) n
        """)
      try await queue.test.sql("select cancel_run(\(id), 'long', 'last')")
      for _ in 1...2 { try await queue.queue.cancelRequested() }
      #expect(try await queue.state(id, "long", "last") == "\(id) cancelled")
      #expect(try await queue.test.count("cancel_request") == 100)
      // The next pass begins with the oldest request again.
      try await queue.queue.foldAfterOthers()
      try await queue.queue.cancelRequested()
      #expect(try await queue.test.count("cancel_request") == 0)
    }
  }

  /// In the other cluster, all transaction ids of the log count as dispatched.
  @Test func `a request waits for the dispatch of a restored log`() async throws {
    try await LongQueue.with { queue in
      let ids = try await queue.test.sql(
        "select enqueue('long', 'a', run_at => '2999-01-01Z')")
      let id = try #require(Int64(ids[0]))
      try await queue.test.sql(
        "update event_position set epoch = 1, snapshot = '9000000000:9000000000:'")
      try await queue.test.sql("select cancel_run(\(id), 'long', 'a')")
      try await queue.queue.cancelRequested()
      #expect(try await queue.test.count("cancel_request") == 1)
      try await queue.queue.foldAfterOthers()
      try await queue.queue.cancelRequested()
      #expect(try await queue.state(id, "long", "a") == "\(id) cancelled")
      #expect(try await queue.test.count("cancel_request") == 0)
    }
  }

  @Test func `a request of an open transaction delays no dispatch, and a rollback undoes it`()
    async throws
  {
    try await LongQueue.with { queue in
      let id = try await queue.enqueue("long", "a")
      try await queue.queue.foldAfterOthers()
      let caller = try await queue.test.connect()
      func run(_ text: String) async throws {
        try await caller.script(Statement("test/run", text))
      }
      try await run(
        """
        begin; set local search_path to \(queue.test.schema.name);
        select cancel_run(\(id), 'long', 'a')
        """)
      // The next call with the same key is merged into the run, and workers settle runs.
      let second = try await queue.enqueue("long", "a")
      let session = try await queue.test.connect()
      let other = Queue(Session(session, in: queue.test.schema))
      try await session.script(Statement("test/limit", "set lock_timeout = '1s'"))
      try await other.foldAfterOthers()
      #expect(try await queue.state(id, "long", "a") == queue.state(second, "long", "a"))
      try await session.atomically(in: queue.test.schema, .run(SQL.Queue.lockCancellations))
      try await other.cancelRequested()
      #expect(try await queue.test.count("run") == 1)
      try await run("rollback")
      try await other.cancelRequested()
      #expect(try await queue.test.count("run") == 1)
      await session.close()
      await caller.close()
    }
  }

  @Test func `a merged id cancels the whole run, and a request for an ended run has no effect`()
    async throws
  {
    try await LongQueue.with { queue in
      let first = try await queue.enqueue("long", "a")
      let second = try await queue.enqueue("long", "a")
      try await queue.test.sql("select cancel_run(\(first), 'long', 'a')")
      // The request waits until both calls are dispatched.
      try await queue.queue.cancelRequested()
      #expect(try await queue.test.count("cancel_request") == 1)
      try await queue.queue.foldAfterOthers()
      try await queue.queue.cancelRequested()
      #expect(try await queue.test.count("cancel_request") == 0)
      let run = try await queue.state(first, "long", "a")
      #expect(run.hasSuffix("cancelled"))
      #expect(try await queue.state(second, "long", "a") == run)
      let next = try await queue.enqueue("long", "a")
      try await queue.test.sql("select cancel_run(\(first), 'long', 'a')")
      try await queue.test.sql("select cancel_run(\(next + 1000), 'long', 'a')")
      try await queue.queue.foldAfterOthers()
      try await queue.queue.cancelRequested()
      #expect(try await queue.test.count("cancel_request") == 0)
      #expect(try await queue.state(next, "long", "a") == "\(next) waiting")
    }
  }

  @Test func `two dispatchers perform one request once, and a held lock only delays it`()
    async throws
  {
    try await LongQueue.with { queue in
      let id = try await queue.enqueue("long", "a")
      try await queue.queue.foldAfterOthers()
      let executor = try await queue.executor()
      let claim = try #require(try await executor.claim(queue.jobs[0]))
      try await queue.test.sql("select cancel_run(\(id), 'long', 'a') from generate_series(1, 2)")
      let settling = try await queue.test.connect()
      try await settling.script(
        Statement(
          "test/settle",
          """
          begin; set local search_path to \(queue.test.schema.name);
          lock table cancellation in row share mode
          """))
      try await queue.queue.cancelRequested()
      #expect(try await queue.test.count("cancel_request") == 2)
      try await settling.script(Statement("test/commit", "commit"))
      let connection = try await queue.test.connect()
      let other = Queue(Session(connection, in: queue.test.schema))
      async let one: Void = queue.queue.cancelRequested()
      async let two: Void = other.cancelRequested()
      _ = try await (one, two)
      try await queue.queue.cancelRequested()
      #expect(try await queue.test.count("cancel_request") == 0)
      #expect(try await queue.test.count("cancellation") == 1)
      _ = await executor.finish(claim)
      #expect(try await queue.test.count("run") == 0)
      await connection.close()
      await settling.close()
      await executor.close()
    }
  }
}
