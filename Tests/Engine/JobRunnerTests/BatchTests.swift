import BatonJobs
import BatonPostgres
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// The life of batches: members, ends, nested batches, retries and cancellations.
@Suite(.timeLimit(.minutes(5))) struct BatchTests {
  @Test func `a batch wakes its job once, with the counts of its members`() async throws {
    try await BatchQueue.with { queue in
      try await queue.enqueue("export-7", ["a", "b", "bad"])
      #expect(try await queue.states() == ["export-7 sealed 3 0 0 0"])
      #expect(try await queue.test.drain() == 1)
      #expect(try await queue.ends() == ["export-7/1: 2 done, 1 dead, 0 cancelled"])
      #expect(try await queue.states() == ["export-7 ended 0 2 1 0"])
      #expect(try await queue.test.drain() == 1)
      #expect(try await queue.ends().count == 1)
    }
  }

  @Test(.sampled()) func `an empty batch ends at once, and an open batch does not end`()
    async throws
  {
    try await BatchQueue.with { queue in
      try await queue.enqueue("empty", [])
      try await queue.test.sql("select open_batch('open', 'archive')")
      try await queue.test.drain()
      #expect(try await queue.ends() == ["empty/1: 0 done, 0 dead, 0 cancelled"])
      #expect(try await queue.states() == ["empty ended 0 0 0 0", "open open 0 0 0 0"])
      let connection = try await queue.test.connect()
      try await Session(connection, in: queue.test.schema).transaction { transaction in
        let ids = try await transaction.enqueue(
          [RunRequest(job: "render", key: "a"), RunRequest(job: "render")], batch: "open")
        #expect(ids.count == 2)
        try await transaction.sealBatch("open")
        try await transaction.openBatch("without a job")
        try await transaction.sealBatch("without a job")
      }
      await connection.close()
      try await queue.test.drain()
      #expect(try await queue.ends().last == "open/1: 2 done, 0 dead, 0 cancelled")
      #expect(try await queue.states().last == "without a job ended 0 0 0 0")
    }
  }

  @Test func `a merged run serves several batches, also if it no longer knows their calls`()
    async throws
  {
    try await BatchQueue.with { queue in
      try await queue.enqueue("one", ["a"])
      try await queue.enqueue("two", ["a", "b"])
      try await queue.advance()
      // A run keeps its newest thousand ids.
      try await queue.test.sql(
        """
        update run set id = 900000, earlier_ids = array(select generate_series(900001, 901000)::bigint)
        where key = 'a'
        """)
      #expect(try await queue.advance() == 0)
      #expect(try await queue.states() == ["one sealed 1 0 0 0", "two sealed 2 0 0 0"])
      // A younger run with as many ids does not contain the calls.
      try await queue.test.sql(
        """
        update run set first_event_at = now() + interval '1 s', last_event_at = now() + interval '1 s'
        where key = 'a'
        """)
      try await queue.advance()
      #expect(try await queue.states() == ["one ended 0 1 0 0", "two sealed 1 1 0 0"])
      try await queue.test.drain()
      #expect(try await queue.ends().count == 2)
    }
  }

  @Test func `a dead run with a thousand ids does not contain a call from after its death`()
    async throws
  {
    try await BatchQueue.with { queue in
      try await queue.enqueue("old", ["a"])
      try await queue.advance()
      try await queue.killRuns()
      try await queue.test.sql(
        """
        update dead_run
        set id = 900000, earlier_ids = array(select generate_series(900001, 901000)::bigint)
        """)
      try await queue.advance()
      try await queue.enqueue("new", ["a"])
      try await queue.advance()
      try await queue.test.sql("delete from run where job = 'render'")
      try await queue.advance()
      #expect(try await queue.states() == ["old ended 0 0 1 0", "new ended 0 1 0 0"])
    }
  }

  @Test(.sampled(), arguments: ["{}", nil])
  func `a dead run with a thousand ids and a call with replace is retried with its member`(
    payload: String?
  ) async throws {
    try await BatchQueue.with { queue in
      try await queue.enqueue("export-7", ["a"])
      try await queue.advance()
      try await queue.killRuns()
      // The call with `replace` has replaced the time of the first event.
      try await queue.test.sql(
        """
        update dead_run
        set id = 900000, earlier_ids = array(select generate_series(900001, 901000)::bigint),
          first_event_at = died_at, replaced_by = 1
        """)
      try await queue.advance()
      #expect(try await queue.states() == ["export-7 ended 0 0 1 0"])
      if let payload {
        _ = try await queue.queue.retry(900_000, payload: payload)
      } else {
        #expect(try await queue.queue.retryBatch("export-7") == 1)
        try await queue.queue.advanceBatches(takesAll: true)
      }
      #expect(try await queue.states() == ["export-7 sealed 1 0 0 0"])
    }
  }

  @Test func `a retry of a dead run begins the next generation of each of its batches`()
    async throws
  {
    try await BatchQueue.with { queue in
      try await queue.enqueue("one", ["bad", "a"])
      try await queue.enqueue("two", ["bad"])
      try await queue.test.drain()
      try await queue.test.sql("insert into noted (key) values ('fixed')")
      let dead = try await queue.test.sql("select id from dead_run")
      let id = try #require(dead.first.flatMap { Int64($0) })
      _ = try await queue.queue.retry(id, payload: "{}")
      #expect(try await queue.states() == ["one sealed 1 1 0 0", "two sealed 1 0 0 0"])
      try await queue.test.drain()
      #expect(
        try await queue.ends() == [
          "one/1: 1 done, 1 dead, 0 cancelled", "one/2: 2 done, 0 dead, 0 cancelled",
          "two/1: 0 done, 1 dead, 0 cancelled", "two/2: 1 done, 0 dead, 0 cancelled",
        ])
    }
  }

  @Test(.sampled())
  func `all dead runs of a batch are retried in pieces, and the batch ends once more`()
    async throws
  {
    try await BatchQueue.with { queue in
      try await queue.enqueue("export-7", (0..<600).map { "a-\($0)" })
      try await queue.advance()
      try await queue.killRuns()
      try await queue.advance()
      #expect(try await queue.states() == ["export-7 ended 0 0 600 0"])
      try await queue.test.sql("delete from dead_run where key = 'a-3'")
      // A second request before the retry changes nothing.
      for _ in 0..<2 { #expect(try await queue.queue.retryBatch("export-7") == 600) }
      #expect(try await queue.states() == ["export-7 retrying 0 0 600 0"])
      try await queue.advance()
      #expect(try await queue.states() == ["export-7 sealed 599 0 1 0"])
      try await queue.test.sql("delete from run where job = 'render'")
      try await queue.advance()
      #expect(try await queue.states() == ["export-7 ended 0 599 1 0"])
      // The run of the first generation was still waiting, so both ends became one run.
      try await queue.test.drain()
      #expect(try await queue.ends() == ["export-7/2: 599 done, 1 dead, 0 cancelled"])
      #expect(
        try await queue.test.sql("select action, subject ->> 'batch' from audit order by number")
          == Array(repeating: "\"batches retry\",export-7", count: 2))
    }
  }

  @Test func `a drain ends the next generation of a batch whose dead runs were discarded`()
    async throws
  {
    try await BatchQueue.with { queue in
      try await queue.enqueue("export-7", ["bad"])
      try await queue.test.drain()
      try await queue.test.sql("delete from dead_run")
      #expect(try await queue.queue.retryBatch("export-7") == 1)
      try await queue.test.drain()
      #expect(
        try await queue.ends() == [
          "export-7/1: 0 done, 1 dead, 0 cancelled", "export-7/2: 0 done, 1 dead, 0 cancelled",
        ])
    }
  }

  @Test(.sampled()) func `a batch waits for its nested batches and their runs`() async throws {
    try await BatchQueue.with { queue in
      try await queue.enqueue("outer", ["a"])
      try await queue.enqueue("inner", ["bad"], in: "outer")
      try await queue.advance()
      try await queue.test.sql("delete from run where key = 'a'")
      try await queue.advance()
      #expect(try await queue.states() == ["outer sealed 0 1 0 0", "inner sealed 1 0 0 0"])
      try await queue.test.drain()
      #expect(
        try await queue.ends() == [
          "inner/1: 0 done, 1 dead, 0 cancelled", "outer/1: 2 done, 0 dead, 0 cancelled",
        ])
      try await queue.test.sql("insert into noted (key) values ('fixed')")
      #expect(try await queue.queue.retryBatch("inner") == 1)
      #expect(try await queue.states() == ["outer sealed 0 2 0 0", "inner retrying 0 0 1 0"])
      try await queue.test.drain()
      #expect(
        try await queue.ends().suffix(2) == [
          "outer/1: 2 done, 0 dead, 0 cancelled", "outer/2: 3 done, 0 dead, 0 cancelled",
        ])
    }
  }

  @Test(.sampled()) func `a batch is cancelled as a whole, with its nested batches`() async throws {
    try await BatchQueue.with { queue in
      try await queue.test.sql("select open_batch('outer', 'archive')")
      try await queue.test.sql(
        """
        select enqueue_batch('outer', 'render', '[{"key": "later", "run_at": "2999-01-01"}, {"key": "bad"}]')
        """)
      try await queue.test.sql(
        """
        select enqueue_batch('inner', 'render', '[{"key": "later", "run_at": "2999-01-01"},
          {"run_at": "2999-01-01"}]', 'archive', 'outer')
        """)
      try await queue.test.sql("select enqueue('render', 'kept', run_at => '2999-01-01Z')")
      let isOpen = try await queue.queue.cancelBatch("outer")
      #expect(isOpen)
      // The calls are dispatched between two passes.
      try await queue.queue.advanceBatches(takesAll: true)
      #expect(try await queue.states().allSatisfy { $0.contains(" cancelling 2 ") })
      for _ in 0..<6 { try await queue.advance() }
      // The run that the nested batch has woken is a member of the outer batch, and is cancelled too.
      #expect(try await queue.states() == ["outer ended 0 0 0 3", "inner ended 0 0 0 2"])
      #expect(try await queue.test.sql("select key from run where job = 'render'") == ["kept"])
      try await queue.test.drain()
      #expect(try await queue.ends() == ["outer/1: 0 done, 0 dead, 3 cancelled"])
      let isStillOpen = try await queue.queue.cancelBatch("inner")
      #expect(!isStillOpen)
      #expect(
        try await queue.test.sql("select action, subject ->> 'batch' from audit")
          == ["\"batches cancel\",outer"])
    }
  }

  @Test func `a batch with more members than a piece is cancelled`() async throws {
    try await BatchQueue.with { queue in
      try await queue.enqueue("export-7", (0..<600).map { "a-\($0)" })
      try await queue.advance()
      #expect(try await queue.queue.cancelBatch("export-7"))
      // The first pass cancels the runs, and the second pass counts the members.
      for _ in 0..<2 { try await queue.advance() }
      #expect(try await queue.states() == ["export-7 ended 0 0 0 600"])
      #expect(try await queue.test.count("run_history where outcome = 'cancelled'") == 600)
    }
  }

  @Test func `a dead run that is discarded before it is counted does not count as done`()
    async throws
  {
    try await BatchQueue.with { queue in
      try await queue.enqueue("export-7", ["a", "b"])
      try await queue.advance()
      try await queue.killRuns()
      let ids = try await queue.test.sql("select id from dead_run where key = 'a'")
      let discarded = try await queue.queue.discard(ids: ids.compactMap { Int64($0) })
      #expect(discarded.count == 1)
      try await queue.advance()
      #expect(try await queue.states() == ["export-7 ended 0 0 1 1"])
    }
  }

  @Test func `a dead run that no longer knows its calls is discarded with its members`()
    async throws
  {
    try await BatchQueue.with { queue in
      try await queue.enqueue("one", ["a"])
      try await queue.advance()
      try await queue.test.sql(
        """
        update run
        set id = 900000, earlier_ids = array(select generate_series(900001, 901000)::bigint)
        """)
      try await queue.killRuns()
      #expect(try await queue.queue.discard(ids: [900_000]).count == 1)
      try await queue.advance()
      #expect(try await queue.states() == ["one ended 0 0 0 1"])
    }
  }

  @Test func `a cancelled batch whose job is retired ends without a run, and its parent ends too`()
    async throws
  {
    try await BatchQueue.with { queue in
      try await queue.test.sql("select open_batch('outer')")
      try await queue.enqueue("inner", ["a"], in: "outer")
      try await queue.test.sql("select seal_batch('outer')")
      try await queue.test.sql("update job set retired_at = now() where name = 'archive'")
      try await queue.test.drain()
      #expect(try await queue.states() == ["outer sealed 0 0 0 0", "inner blocked 0 1 0 0"])
      #expect(try await queue.queue.cancelBatch("inner"))
      for _ in 0..<3 { try await queue.advance() }
      #expect(try await queue.states() == ["outer ended 0 0 0 0", "inner ended 0 1 0 0"])
      try await queue.test.drain()
      #expect(try await queue.ends().isEmpty)
    }
  }

  @Test func `a batch whose job is retired waits for the job`() async throws {
    try await BatchQueue.with { queue in
      try await queue.enqueue("export-7", [])
      try await queue.test.sql("update job set retired_at = now() where name = 'archive'")
      try await queue.test.drain()
      #expect(try await queue.states() == ["export-7 blocked 0 0 0 0"])
      try await queue.test.sql("update job set retired_at = null where name = 'archive'")
      try await queue.test.drain()
      #expect(try await queue.ends().count == 1)
    }
  }

  @Test func `expired batches are purged, and other batches are kept`() async throws {
    try await BatchQueue.with { queue in
      for name in ["old", "new", "open"] { try await queue.enqueue(name, ["bad-\(name)"]) }
      try await queue.test.drain()
      try await queue.test.sql(
        "update batch set ended_at = now() - interval '31 days' where name = 'old'")
      try await queue.test.sql("update batch set ended_at = null where name = 'open'")
      let connection = try await queue.test.connect()
      var deleted: [Int] = []
      for _ in 0..<3 {
        deleted.append(
          try await Session(connection, in: queue.test.schema).transaction {
            try await EndedRuns($0).purgeBatches(limit: 10)
          })
      }
      await connection.close()
      // The dead member, and then its batch.
      #expect(deleted == [1, 1, 0])
      #expect(try await queue.states().map { $0.prefix(4) } == ["new ", "open"])
      #expect(try await queue.test.count("batch_member") == 2)
    }
  }

  @Test(
    .sampled(),
    arguments: [
      ("select enqueue_batch('no', 'render', '[]')", "ZB019"),
      ("select enqueue_batch('sealed', 'render', '[]')", "ZB019"),
      ("select enqueue_batch('sealed', 'render', '[]', 'archive')", "ZB019"),
      ("select enqueue_batch('open', 'render', '[]', parent => 'sealed')", "ZB019"),
      ("select enqueue_batch('open', 'unknown', '[]')", "ZB005"),
      ("select enqueue_batch('open', 'render', '{}')", "ZB009"),
      ("select enqueue_batch('new', 'render', '[]', 'unknown')", "ZB005"),
      ("select open_batch('')", "ZB019"), ("select open_batch(null)", "ZB019"),
      ("select open_batch('open')", "ZB019"), ("select open_batch('new', 'unknown')", "ZB005"),
      ("select open_batch('new', parent => 'no')", "ZB019"), ("select seal_batch('no')", "ZB019"),
      ("select cancel_batch('no')", "ZB019"), ("select retry_batch('no')", "ZB019"),
      ("select retry_batch('open')", "ZB019"),
    ])
  func `a bad call is refused, and nothing changes`(sql: String, state: String) async throws {
    try await BatchQueue.with { queue in
      try await queue.test.sql("select open_batch('open')")
      try await queue.enqueue("sealed", ["a"])
      let before = try await queue.states()
      let error = await #expect(throws: PostgresError.self) { try await queue.test.sql(sql) }
      #expect(error?.sqlState == SQLState(stringLiteral: state))
      #expect(error?.hint?.isEmpty == false)
      #expect(try await queue.states() == before)
      #expect(try await queue.test.count("event") == 1)
    }
  }
}
