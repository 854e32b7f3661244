import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests effects that wait for events without a worker.
@Suite(.timeLimit(.minutes(5))) struct WaitForEventTests {
  @Test func `a waiting run uses up no attempt, and an event wakes it`() async throws {
    try await WaitQueue.with { queue in
      let id = try await queue.enqueue("a")
      try await queue.workOnce()
      #expect(try await queue.memo.runs() == ["a,running,f,t"])
      #expect(
        try await queue.test.sql(
          """
          select run_state(\(id), 'ship-order', 'a') ->> 'state', attempt, claim_number,
            round(extract(epoch from due - pg_catalog.now()) / 600) from run
          """) == ["sleeping,0,-1,6"])
      #expect(
        try await queue.test.sql("select error from failed_attempt")[0].contains(
          "the step paid waits for the event paid 'a' until 2"))
      try await queue.send("other")
      try await queue.dispatch()
      #expect(try await queue.isDue() == false)
      try await queue.send("a", cents: 42)
      try await queue.dispatch()
      #expect(try await queue.isDue())
      try await queue.workOnce()
      #expect(queue.till.keys == ["\(id)/ship"])
      #expect(try await queue.test.sql("select attempt, output from run_history") == ["1,[42]"])
      for table in ["run", "run_checkpoint", "run_step", "event_wait"] {
        #expect(try await queue.test.count(table) == 0, "\(table)")
      }
    }
  }

  @Test func `an event that was dispatched before the wait counts, unless the run is newer`()
    async throws
  {
    try await WaitQueue.with { queue in
      try await queue.send("a", cents: 1)
      try await queue.dispatch()
      try await queue.enqueue("a")
      try await queue.send("a", cents: 2)
      try await queue.send("a", cents: 3)
      try await queue.dispatch()
      try await queue.workOnce()
      #expect(try await queue.outputs() == ["[2]"])
    }
  }

  @Test func `two waits of a run use two events, in the order of the events`() async throws {
    try await WaitQueue.with { queue in
      try await queue.enqueue("twice-1")
      try await queue.send("twice-1", cents: 1)
      try await queue.dispatch()
      try await queue.workOnce()
      #expect(
        try await queue.test.sql("select name, event is not null from event_wait order by name")
          == ["paid,t", "paid-2,f"])
      #expect(try await queue.isDue() == false)
      try await queue.send("twice-1", cents: 2)
      try await queue.dispatch()
      try await queue.workOnce()
      let outputs = try await queue.outputs()
      // A value with a comma is in quotation marks.
      #expect(outputs == [#""[1, 2]""#])
    }
  }

  @Test func `of two concurrent waits, the earlier timeout makes the run due`() async throws {
    try await WaitQueue.with { queue in
      try await queue.enqueue("both-1")
      try await queue.workOnce()
      #expect(
        try await queue.test.sql(
          """
          select w.name, round(extract(epoch from w.expires_at - r.due) / 60)
          from event_wait w, run r order by w.name
          """) == ["one,59", "other,0"])
      #expect(try await queue.test.sql("select due = backoff_until from run") == ["t"])
      try await queue.send("both-1", cents: 1)
      try await queue.send("both-1", cents: 2)
      #expect(try await queue.test.drain() == 0)
      let outputs = try await queue.outputs()
      #expect([[#""[1, 2]""#], [#""[2, 1]""#]].contains(outputs))
    }
  }

  @Test(.sampled()) func `one event wakes all runs that wait for it`() async throws {
    try await WaitQueue.with { queue in
      for key in ["any-1", "any-2", "any-3"] { try await queue.enqueue(key) }
      for _ in 1...3 { try await queue.workOnce() }
      #expect(try await queue.test.count("event_wait") == 3)
      try await queue.test.sql("select 1 from send_event('paid', 'all')")
      #expect(try await queue.test.drain() == 0)
      #expect(try await queue.outputs() == ["[1]", "[1]", "[1]"])
    }
  }

  @Test func `the undispatched beginning of a wait is not an undispatched call`() async throws {
    try await WaitQueue.with { queue in
      let id = try await queue.enqueue("a")
      try await queue.workOnce()
      let found = try #require(try await queue.memo.queue.find(id))
      #expect(found.job == "ship-order" && found.state == "ready")
      let waiting = try await queue.memo.queue.waitForEnd(of: id, atMost: .zero)
      #expect(waiting?.state == "sleeping")
      #expect(try await queue.memo.queue.cancel(id) == .cancelled(id))
      let shown = try #require(try await queue.memo.queue.run(id, isOnOneLine: true))
      #expect(shown.contains(#""state": "cancelled""#), "\(shown)")
      #expect(
        try await queue.test.sql("select read_run_life(\(id), null, null) ->> 'state'")
          == ["cancelled"])
      #expect(try await queue.test.sql("select topic from unfolded_event") == ["wait/paid"])
    }
  }

  // MARK: Timeouts

  @Test(.sampled())
  func `after the timeout, the wait returns nil, and a later event changes nothing`()
    async throws
  {
    try await WaitQueue.with { queue in
      try await queue.enqueue("bad-1")
      try await queue.workOnce()
      try await queue.expire()
      try await queue.workOnce()
      #expect(
        try await queue.test.sql("select result ->> 'timedOut', result ->> 'key' from run_step")
          == ["true,bad-1"])
      try await queue.send("bad-1")
      try await queue.dispatch()
      queue.till.open()
      #expect(try await queue.test.drain() == 0)
      #expect(try await queue.outputs() == ["[0]"])
    }
  }

  @Test func `an event that was dispatched before the timeout was decided wins`() async throws {
    try await WaitQueue.with { queue in
      try await queue.enqueue("a")
      try await queue.workOnce()
      try await queue.send("a")
      try await queue.dispatch()
      try await queue.expire()
      try await queue.workOnce()
      #expect(try await queue.outputs() == ["[5]"])
    }
  }

  @Test func `a timeout of zero only searches for an event`() async throws {
    try await WaitQueue.with { queue in
      try await queue.enqueue("zero-1")
      try await queue.enqueue("zero-2")
      try await queue.send("zero-2")
      #expect(try await queue.test.drain() == 0)
      #expect(Set(try await queue.outputs()) == ["[0]", "[5]"])
    }
  }

  @Test(.sampled())
  func `a test drains until the run waits, and moves the clock to the timeout`() async throws {
    try await WaitQueue.with { queue in
      let test = queue.test
      try await test.setClock(to: "2026-03-01 12:00Z")
      try await test.sql("select enqueue('ship-order', 'a'), enqueue('ship-order', 'b')")
      #expect(try await test.drain() == 0)
      try await test.sql("select enqueue('ship-order', 'a')")
      // Neither the waiting run nor the next run of its key is executed.
      #expect(try await test.drain() == 0)
      #expect(
        try await queue.memo.runs() == ["a,ready,f,f", "a,running,f,t", "b,running,f,t"])
      try await queue.send("b")
      try await test.drain()
      #expect(try await queue.outputs() == ["[5]"])
      try await test.advance(to: "2026-03-01 12:59:59Z")
      #expect(try await queue.outputs() == ["[5]"])
      try await test.advance(to: "2026-03-01 13:30Z")
      #expect(try await queue.outputs() == ["[5]", "[0]"])
      // The next run of the key began at the timeout, and still waits.
      #expect(try await queue.memo.runs() == ["a,running,f,t"])
      try await test.advance(to: "2026-03-01 14:00Z")
      try await test.expectNothingLeft()
    }
  }

  // MARK: By hand

  @Test func `a cancelled run no longer waits, and purge-runs deletes its wait`() async throws {
    try await WaitQueue.with { queue in
      let id = try await queue.enqueue("a")
      try await queue.workOnce()
      #expect(try await queue.memo.queue.cancel(id) == .cancelled(id))
      try await queue.send("a")
      #expect(try await queue.test.drain() == 0)
      #expect(queue.till.keys == [])
      #expect(try await queue.test.count("event_wait") == 1)
      try await queue.memo.purge()
      #expect(try await queue.test.count("event_wait") == 0)
    }
  }

  @Test func `events older than the retention time are deleted, with or without a wait`()
    async throws
  {
    try await WaitQueue.with { queue in
      for key in ["a", "b", "c"] { try await queue.send(key) }
      try await queue.dispatch()
      try await queue.test.sql(
        """
        update sent_event set dispatched_at = pg_catalog.now() - interval '31 days' where key <> 'c'
        """)
      let purge = Call.row(
        SQL.Purge.purgeSentEvents, Int64(10), Int64?.none, as: Int64.self, Int64?.self)
      let (deleted, reached): (Int64, Int64?) = try await queue.memo.queue.session.atomically(purge)
      #expect(deleted == 2 && reached == 2)
      #expect(try await queue.test.sql("select key from sent_event") == ["c"])
    }
  }

  // MARK: Errors

  @Test(.sampled()) func `a step that waits for another event than before fails`() async throws {
    for isDecided in [false, true] {
      try await WaitQueue.with { queue in
        let id = try await queue.enqueue("bad-1")
        if isDecided {
          try await queue.send("bad-1")
          try await queue.dispatch()
        }
        try await queue.workOnce()
        try await queue.test.sql("update event_wait set topic = 'billed'")
        try await queue.test.sql(
          """
          update run_step set result = jsonb_set(result::jsonb, '{topic}', '"billed"')::json
          """)
        try await queue.makeDue()
        try await queue.workOnce()
        let error = try await queue.test.sql("select last_error from run")[0]
        #expect(
          error.contains(
            """
            the step paid has waited for the event billed 'bad-1', and now waits for paid 'bad-1' \
            (job ship-order, run \(id)): give the changed wait another step name
            """), "\(error)")
      }
    }
  }

  @Test func `the result of another step is no event`() async throws {
    try await WaitQueue.with { queue in
      try await queue.enqueue("bad-1")
      try await queue.send("bad-1")
      try await queue.dispatch()
      try await queue.workOnce()
      try await queue.test.sql("update run_step set result = '{}'")
      try await queue.makeDue()
      try await queue.workOnce()
      let error = try await queue.test.sql("select last_error from run")[0]
      #expect(error.contains("the stored result of the step paid cannot be read"), "\(error)")
    }
  }

  @Test(.sampled()) func `a topic that no event can have is refused`() async throws {
    try await WaitQueue.with { queue in
      try await queue.enqueue("bare-1")
      #expect(try await queue.test.drain() == 1)
      let error = try await queue.test.sql("select error from dead_run")[0]
      #expect(error.contains("no event can have the topic 'pa id'"), "\(error)")
    }
  }

  @Test(
    .sampled(),
    arguments: [
      ("null, 'a'", "ZB006"), ("'pa id', 'a'", "ZB006"), ("'paid', null", "ZB006"),
      ("'paid', ''", "ZB006"), ("'paid', repeat('a', 257)", "ZB006"),
      ("repeat('a', 101), 'a'", "ZB006"),
      ("'paid', 'a', to_jsonb(repeat('a', 65535))", "ZB007"),
    ])
  func `send_event refuses what no run can wait for`(arguments: String, code: String) async throws {
    try await WaitQueue.with { queue in
      do {
        try await queue.test.sql("select send_event(\(arguments))")
        Issue.record("the event is sent")
      } catch let error as PostgresError {
        #expect(error.sqlState.code == code)
      }
      #expect(try await queue.test.count("event") == 0)
    }
  }

  @Test func `a role needs only the right to execute send_event`() async throws {
    try await WaitQueue.with { queue in
      let (schema, role) = (queue.test.schema, "sender_\(UInt64.random(in: .min ... .max))")
      let caller = try await queue.test.connect()
      try await caller.script(
        Statement(
          "test/role",
          """
          set search_path to \(schema.name); create role \(role);
          grant usage on schema \(schema.name) to \(role);
          grant execute on function send_event to \(role); set role \(role)
          """))
      #expect(
        try await caller.sql("select 'sent' from send_event('paid', 'a')", in: schema) == ["sent"])
      await #expect(throws: PostgresError.self) {
        try await caller.sql("select * from sent_event", in: schema)
      }
      try await caller.script(
        Statement("test/drop_role", "reset role; drop owned by \(role); drop role \(role)"))
      await caller.close()
      #expect(try await queue.test.events() == ["wait/paid a"])
    }
  }

  @Test func `a transaction of a program sends an event with a payload`() async throws {
    try await WaitQueue.with { queue in
      try await queue.enqueue("a")
      try await queue.memo.queue.session.transaction { transaction in
        try await transaction.sendEvent("paid", key: "b")
        try await transaction.sendEvent("paid", key: "a", payload: WaitJob.Payment(cents: 7))
      }
      #expect(try await queue.test.drain() == 0)
      #expect(try await queue.outputs() == ["[7]"])
    }
  }

  // MARK: Size

  @Test(.sampled()) func `a hundred thousand waiting runs add no page to a poll`()
    async throws
  {
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      try await queue.define([WaitJob.registered(Till())])
      let few = 120
      func pages() async throws -> Int {
        try await test.pages(
          of: SQL.Queue.poll,
          "text[], integer[], timestamptz[], bigint[], timestamptz, text, integer, boolean",
          "null, null, null, null, null, 'test', 0, true", atMost: few)
      }
      #expect(try await pages() <= few)
      try await test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, has_checkpoint)
        select 'ship-order', n::text, 'running', pg_catalog.now() + interval '1 day',
          pg_catalog.now(), pg_catalog.now(), true
        from generate_series(1, 100000) n
        """)
      try await test.sql(
        """
        insert into event_wait (
          run_id, name, job, run_key, topic, event_key, expires_at, seen, attempt)
        select id, 'paid', 'ship-order', key, 'paid', key, due, 0, attempt from run
        """)
      try await test.sql("analyze run")
      #expect(try await pages() <= few)
      try await test.sql("select 1 from send_event('paid', '7')")
      try await queue.foldAfterOthers()
      #expect(try await test.sql("select key from run where due <= pg_catalog.now()") == ["7"])
      await connection.close()
    }
  }
}
