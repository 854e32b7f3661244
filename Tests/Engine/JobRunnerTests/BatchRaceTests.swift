import BatonJobs
import BatonPostgres
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Interleavings of passes over batches with callers, retries, kills and other passes, and the cost of
/// passes.
@Suite(.timeLimit(.minutes(5))) struct BatchRaceTests {
  @Test(.sampled(), arguments: ["commit", "rollback"])
  func `a batch does not end before the calls of open transactions`(end: String) async throws {
    try await BatchQueue.with { queue in
      try await queue.test.sql("select open_batch('late', 'archive')")
      let caller = try await queue.begin(
        "select enqueue_batch('late', 'render', '[{\"key\": \"a\"}]')")
      // Sealing does not wait for the caller.
      try await queue.test.sql("select seal_batch('late')")
      try await queue.advance()
      #expect(try await queue.states() == ["late sealed 0 0 0 0"])
      let error = await #expect(throws: PostgresError.self) {
        try await queue.test.sql("select enqueue_batch('late', 'render', '[]')")
      }
      #expect(error?.sqlState == "ZB019")
      try await caller.script(Statement("test/end", end))
      await caller.close()
      try await queue.test.drain()
      let done = end == "commit" ? 1 : 0
      #expect(try await queue.ends() == ["late/1: \(done) done, 0 dead, 0 cancelled"])
    }
  }

  @Test func `a parent does not end before a nested batch of an open transaction`() async throws {
    try await BatchQueue.with { queue in
      try await queue.enqueue("outer", [])
      let caller = try await queue.begin("select open_batch('inner', 'archive', 'outer')")
      try await queue.advance()
      #expect(try await queue.states() == ["outer sealed 0 0 0 0"])
      try await caller.script(Statement("test/end", "commit"))
      await caller.close()
      try await queue.advance()
      try await queue.test.sql("select seal_batch('inner')")
      try await queue.test.drain()
      #expect(
        try await queue.ends() == [
          "inner/1: 0 done, 0 dead, 0 cancelled", "outer/1: 1 done, 0 dead, 0 cancelled",
        ])
    }
  }

  @Test(.sampled(), arguments: ["commit", "rollback"])
  func `two dispatchers end a batch once, also if one of them is killed`(end: String) async throws {
    try await BatchQueue.with { queue in
      try await queue.enqueue("export-7", ["a"])
      try await queue.advance()
      try await queue.test.sql("delete from run")
      let other = try await queue.begin("select * from advance_batches(100, true)")
      // The second dispatcher does not wait.
      #expect(try await queue.advance() == 0)
      try await other.script(Statement("test/end", end))
      await other.close()
      try await queue.test.drain()
      #expect(try await queue.ends() == ["export-7/1: 1 done, 0 dead, 0 cancelled"])
    }
  }

  @Test func `a dead run that is being retried stays open`() async throws {
    try await BatchQueue.with { queue in
      try await queue.enqueue("export-7", ["a"])
      try await queue.advance()
      try await queue.killRuns()
      let operation = try await queue.begin("select id from dead_run for update")
      #expect(try await queue.advance() == 0)
      #expect(try await queue.states() == ["export-7 sealed 1 0 0 0"])
      // After a close alone, the server releases the lock later.
      try await operation.script(Statement("test/end", "rollback"))
      await operation.close()
      try await queue.advance()
      #expect(try await queue.states() == ["export-7 ended 0 0 1 0"])
    }
  }

  @Test(.sampled())
  func `a retry waits for a pass that counts the dead run, and reopens the member`()
    async throws
  {
    try await BatchQueue.with { queue in
      try await queue.enqueue("export-7", ["a"])
      try await queue.advance()
      try await queue.killRuns()
      let dead = try await queue.test.sql("select id from dead_run")
      let id = try #require(dead.first.flatMap { Int64($0) })
      let pass = try await queue.begin("select * from advance_batches(100, true)")
      let retry = Task { try await queue.queue.retry(ids: [id]) }
      try await eventually("the retry waits") {
        try await queue.test.sql(
          """
          select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%dead_run%'
          """
        ).isEmpty == false
      }
      try await pass.script(Statement("test/end", "commit"))
      await pass.close()
      #expect(try await retry.value == [RetriedRun(id: id, dead: 1)])
      #expect(try await queue.states() == ["export-7 sealed 1 0 0 0"])
      try await queue.test.drain()
      #expect(
        try await queue.ends() == [
          "export-7/1: 0 done, 1 dead, 0 cancelled", "export-7/2: 1 done, 0 dead, 0 cancelled",
        ])
    }
  }

  @Test(.sampled(), arguments: ["ids", "selection", "payload"])
  func `a retry that waits for a batch does not stop the dispatch`(kind: String) async throws {
    try await BatchQueue.with { queue in
      try await queue.enqueue("export-7", ["a"])
      try await queue.advance()
      try await queue.killRuns()
      try await queue.advance()
      let dead = try await queue.test.sql("select id from dead_run")
      let id = try #require(dead.first.flatMap { Int64($0) })
      let caller = try await queue.begin("select seal_batch('export-7')")
      let connection = try await queue.test.connect()
      let operation = Queue(Session(connection, in: queue.test.schema))
      let retry = Task {
        switch kind {
        case "ids": _ = try await operation.retry(ids: [id])
        case "selection": _ = try await operation.retry(DeadSelection())
        default: _ = try await operation.retry(id, payload: "{}")
        }
      }
      try await eventually("the retry waits for the batch") {
        try await queue.test.sql(
          """
          select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%batch%'
          """
        ).isEmpty == false
      }
      try await queue.test.sql("select enqueue('render', 'a')")
      try await queue.queue.session.connection.script(
        Statement("test/limit", "set statement_timeout = '5s'"))
      let dispatch = await Task { try await queue.queue.foldAfterOthers() }.result
      try await caller.script(Statement("test/end", "rollback"))
      await caller.close()
      try await retry.value
      await connection.close()
      #expect(throws: Never.self) { try dispatch.get() }
      #expect(
        try await queue.test.sql("select key, state from run where job = 'render'") == ["a,ready"])
      #expect(try await queue.states() == ["export-7 sealed 1 0 0 0"])
    }
  }

  @Test func `a pass over many locked batches ends after its time limit`() async throws {
    try await BatchQueue.with { queue in
      for number in 0..<10 { try await queue.enqueue("batch-\(number)", ["a-\(number)"]) }
      try await queue.advance()
      try await queue.killRuns()
      try await queue.advance()
      for number in 0..<10 { _ = try await queue.queue.retryBatch("batch-\(number)") }
      let operation = try await queue.begin("select id from dead_run for update")
      let start = ContinuousClock.now
      try await queue.queue.advanceBatches()
      // The retry of each batch waits 200 ms for the locked run.
      #expect(start.duration(to: .now) < .milliseconds(1_500))
      try await operation.script(Statement("test/end", "rollback"))
      await operation.close()
      try await eventually("all members are retried") {
        try await queue.queue.advanceBatches()
        return try await queue.states().allSatisfy { $0.hasSuffix(" sealed 1 0 0 0") }
      }
    }
  }

  @Test func `a deadlock with a cancellation costs only another pass`() async throws {
    try await BatchQueue.with { queue in
      try await queue.enqueue("export-7", ["a", "b"])
      try await queue.advance()
      #expect(try await queue.queue.cancelBatch("export-7"))
      // The server detects the deadlock before the lock timeout of 200 ms.
      try await queue.queue.session.connection.script(
        Statement("test/deadlock", "set deadlock_timeout = '100ms'"))
      let other = try await queue.begin("select from run where key = 'b' for update")
      let pass = Task { try await queue.advance() }
      try await eventually("the pass waits for the second run") {
        try await queue.test.sql(
          """
          select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%Locks waiting runs%'
          """
        ).isEmpty == false
      }
      try await other.script(Statement("test/lock", "select from run where key = 'a' for update"))
      #expect(try await pass.value == 0)
      try await other.script(Statement("test/end", "rollback"))
      await other.close()
      for _ in 0..<2 { try await queue.advance() }
      #expect(try await queue.states() == ["export-7 ended 0 0 0 2"])
    }
  }

  @Test func `nothing is decided while the event log comes from another cluster`() async throws {
    try await BatchQueue.with { queue in
      try await queue.enqueue("export-7", ["a"])
      // The transaction ids of another cluster may be higher than all ids of this cluster.
      try await queue.test.sql("update batch_member set xact = '4611686018427387904'")
      try await queue.test.sql("update event_position set epoch = epoch")
      #expect(try await queue.queue.advanceBatches(takesAll: true) == 0)
      try await queue.advance()
      #expect(try await queue.states() == ["export-7 sealed 1 0 0 0"])
      try await queue.test.drain()
      #expect(try await queue.ends() == ["export-7/1: 1 done, 0 dead, 0 cancelled"])
    }
  }

  @Test func `a server's clock that was set back delays no batch`() async throws {
    try await BatchQueue.with { queue in
      for name in ["later", "soon", "locked"] { try await queue.enqueue(name, []) }
      try await queue.test.sql(
        """
        update batch set changed_at = now() + interval '3 years',
          due = now() + case name when 'soon' then interval '4 s' else interval '3 years' end
        """)
      // The dispatcher must not wait for a transaction of a caller.
      let caller = try await queue.begin("select 1 from batch where name = 'locked' for update")
      try await queue.queue.advanceBatches()
      #expect(
        try await queue.states() == [
          "later ended 0 0 0 0", "soon sealed 0 0 0 0", "locked sealed 0 0 0 0",
        ])
      await caller.close()
    }
  }

  @Test(.sampled()) func `a worker does not leave overdue batches for 30 s`() async throws {
    try await BatchQueue.with { queue in
      try await queue.test.sql(
        """
        insert into batch (name, sealed_at, due, changed_at)
        select 'b' || n, now(), now() - interval '10 minutes', now() from generate_series(1, 10000) n
        """)
      let registration = Registration(
        of: WorkerContext(queue.jobs, logger: .quiet), on: queue.test.configuration,
        in: queue.test.schema,
        pace: Registration.Pace(
          activity: .seconds(3600), rotation: .seconds(3600), batches: .milliseconds(10)))
      let session = try await registration.control.session()
      try await registration.enter(on: session)
      // A pass ends after 200 ms. Without a backlog, such batches are searched for every 30 s.
      let end = ContinuousClock.now + .seconds(20) * patience
      let open = "select count(*) from batch where ended_at is null"
      while .now < end, try await queue.test.sql(open) != ["0"] {
        try await registration.keep(on: session)
        try await Task.sleep(for: .milliseconds(50))
      }
      #expect(try await queue.test.sql(open) == ["0"])
      try await registration.leave(on: session)
      await registration.control.close()
    }
  }

  @Test(.sampled()) func `a worker ends a batch soon after its last run`() async throws {
    try await BatchQueue.with { queue in
      let worker = queue.test.worker(queue.jobs)
      async let working: Void = worker.run()
      try await queue.enqueue("export-7", ["a", "b", "c"])
      try await eventually("the job runs") { try await !queue.ends().isEmpty }
      worker.stopAtOnce()
      try await working
      #expect(try await queue.ends() == ["export-7/1: 3 done, 0 dead, 0 cancelled"])
    }
  }

  @Test(.sampled()) func `many members are counted in bounded pieces`() async throws {
    try await BatchQueue.with { queue in
      let count = TestSize.isFull ? 1_000_000 : 100_000
      try await queue.enqueue("export-7", [])
      try await queue.test.sql(
        """
        insert into batch_member (batch, id, job, key, xact)
        select b.id, n, 'render', '#' || n, '3' from batch b, generate_series(1, \(count)) n
        """)
      #expect(
        try await queue.test.sql("select progress, has_more from advance_batches(100, true)")
          == ["100,t"])
      // A batch with many open members does not delay another batch.
      try await queue.enqueue("small", [])
      #expect(
        try await queue.test.sql("select progress from advance_batches(100, true)") == ["101"])
      while try await queue.queue.advanceBatches(takesAll: true) > 0 {}
      #expect(
        try await queue.states() == ["export-7 ended 0 \(count) 0 0", "small ended 0 0 0 0"])
    }
  }

  @Test func `runs without a batch never read the members`() async throws {
    try await BatchQueue.with { queue in
      try await queue.test.sql(
        "select enqueue_many('render', '[\(BatchQueue.runs((0..<20).map { "a-\($0)" }))]')")
      try await queue.test.drain()
      // The server adds the counts of a session after the session has ended.
      try await eventually("the counts") {
        try await queue.test.sql(
          """
          select 1 from pg_stat_user_tables
          where relid = 'run'::regclass and n_tup_ins >= 20 and n_tup_del >= 20
          """
        ).count == 1
      }
      #expect(
        try await queue.test.sql(
          """
          select seq_scan + idx_scan, n_tup_ins from pg_stat_user_tables
          where relid = 'batch_member'::regclass
          """) == ["0,0"])
    }
  }
}
