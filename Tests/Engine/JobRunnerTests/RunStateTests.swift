import BatonJobs
import BatonLive
import BatonPostgres
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests the states that the SQL function `run_state` returns.
@Suite(.timeLimit(.minutes(5))) struct RunStateTests {
  @Test
  func `a run is waiting or sleeping before and after the dispatch, and null after a rollback`()
    async throws
  {
    try await LongQueue.with { queue in
      let now = try await queue.enqueue("long", "now")
      let later = try await queue.enqueue("long", "later", rest: "run_at => '2999-01-01Z'")
      let alone = try await queue.enqueue("long", nil)
      for _ in 1...2 {
        #expect(try await queue.state(now, "long", "now") == "\(now) waiting")
        #expect(try await queue.state(later, "long", "later") == "\(later) sleeping")
        #expect(
          try await queue.test.sql("select run_state(\(later), 'long', 'later') ->> 'due'")
            == ["2999-01-01T00:00:00.000Z"])
        #expect(try await queue.state(alone, "long", nil) == "\(alone) waiting")
        // The id alone is not sufficient, because the job and the key belong to the identity.
        #expect(try await queue.state(now, "long", "later") == "null")
        #expect(try await queue.state(now, "long-steps", "now") == "null")
        #expect(try await queue.state(now, "long", nil) == "null")
        try await queue.queue.foldAfterOthers()
      }
      #expect(try await queue.test.count("run") == 3)
      let ids = try await queue.test.sql(
        """
        select coalesce(s ->> 'run', 'null')
        from run_states(array[\(later), 1000000, \(now)], '{long,long,long}', '{later,x,now}') s
        """)
      #expect(ids == ["\(later)", "null", "\(now)"])
      let writer = try await queue.test.connect()
      try await writer.script(
        Statement(
          "test/roll_back",
          """
          begin; set local search_path to \(queue.test.schema.name);
          select enqueue('long', 'undone'); rollback
          """))
      let undone = try await queue.test.sql("select last_value from run_id_seq")[0]
      #expect(try await queue.state(Int64(undone) ?? 0, "long", "undone") == "null")
      await writer.close()
    }
  }

  @Test func `a run runs, fails, dies and ends, and no error and no payload is returned`()
    async throws
  {
    try await SendQueue.with { queue in
      let ids = try await queue.test.sql(
        """
        select enqueue('send', k, jsonb_build_object('what', k))
        from unnest('{wait,refuse,done}'::text[]) k
        """
      ).compactMap { Int64($0) }
      func state(_ number: Int, _ key: String) async throws -> String {
        try await queue.test.sql(
          "select run_state(\(ids[number]), 'send', '\(key)') ->> 'state'")[0]
      }
      try await queue.withWorker { _ in
        try await eventually("it runs") { try await state(0, "wait") == "running" }
        try await eventually("it dies") { try await state(1, "refuse") == "dead" }
        try await eventually("it ends") { try await state(2, "done") == "ended" }
        queue.sent.open()
        try await eventually("it ends too") { try await state(0, "wait") == "ended" }
      }
      #expect(
        try await queue.test.sql(
          "select run_state(\(ids[2]), 'send', 'done') -> 'output' ->> 'number'") == ["\(ids[2])"])
      #expect(
        try await queue.test.sql(
          """
          select distinct f from (
            select jsonb_object_keys(run_state(id, 'send', key)) f from dead_run
            union all
            select jsonb_object_keys(run_state(id, 'send', key)) from run_history) f
          order by 1
          """) == ["attempt", "ended_at", "output", "run", "state"])
      // An operator retries the run and then discards it.
      let connection = try await queue.test.connect()
      let operation = Queue(Session(connection, in: queue.test.schema))
      _ = try await operation.retry(ids: [ids[1]])
      #expect(["sleeping", "waiting"].contains(try await state(1, "refuse")))
      #expect(try await operation.cancel(ids[1]) == .cancelled(ids[1]))
      #expect(try await state(1, "refuse") == "cancelled")
      await connection.close()
    }
  }

  @Test func `the state of a merged id is the state of the run that it was merged into`()
    async throws
  {
    try await LongQueue.with { queue in
      let first = try await queue.enqueue("long-steps", "bad")
      let second = try await queue.enqueue("long-steps", "bad")
      try await queue.queue.foldAfterOthers()
      func states() async throws -> [String] {
        try await [
          queue.state(first, "long-steps", "bad"), queue.state(second, "long-steps", "bad"),
        ]
      }
      let run = try await queue.id("bad")
      #expect(try await states() == ["\(run) waiting", "\(run) waiting"])
      let executor = try await queue.executor()
      let claim = try #require(try await executor.claim(queue.jobs[1]))
      #expect(try await states() == ["\(run) running", "\(run) running"])
      // A third call waits for the end of the run. The run fails and is then merged with the call.
      let third = try await queue.enqueue("long-steps", "bad")
      try await queue.queue.foldAfterOthers()
      #expect(try await queue.state(third, "long-steps", "bad") == "\(third) waiting")
      _ = await executor.finish(claim)
      let merged = try await queue.id("bad")
      // When the backoff of the failed run has passed, the state changes.
      let found = try await states() + [queue.state(third, "long-steps", "bad")]
      #expect(Set(found).isSubset(of: ["\(merged) waiting", "\(merged) sleeping"]))
      try await queue.test.sql("update run set due = now() - interval '1 second'")
      let again = try #require(try await executor.claim(queue.jobs[1]))
      _ = await executor.finish(again)
      #expect(try await states() == ["\(merged) ended", "\(merged) ended"])
      #expect(try await queue.state(third, "long-steps", "bad") == "\(merged) ended")
      await executor.close()
    }
  }

  @Test func `a role reads the runs of the jobs that are granted to it, and of no other job`()
    async throws
  {
    try await LongQueue.with { queue in
      let id = try await queue.enqueue("long", "a")
      let role = "caller_\(UInt64.random(in: .min ... .max))"
      let caller = try await queue.test.connect()
      func tell(_ call: String) async throws -> String {
        do {
          return try await caller.sql(call, in: queue.test.schema)[0]
        } catch let error as PostgresError {
          return error.sqlState.code
        }
      }
      func run(_ text: String) async throws {
        try await caller.script(
          Statement("test/run", "set search_path to \(queue.test.schema.name); \(text)"))
      }
      try await run(
        """
        create role \(role);
        grant usage on schema \(queue.test.schema.name) to \(role);
        grant execute on function run_state, run_states, cancel_run to \(role);
        """)
      let read = "select run_state(\(id), 'long', 'a') ->> 'state'"
      try await run("set role \(role)")
      #expect(try await tell(read) == "42501")
      #expect(try await tell("select run_state(\(id), 'missing', 'a')") == "ZB005")
      #expect(try await tell("select run_state(\(id), null, 'a')") == "ZB005")
      let granted = try await queue.queue.grant("long", to: role, mayCancel: false)
      #expect(granted == JobGrant(job: "long", role: role, mayCancel: false))
      #expect(try await tell(read) == "waiting")
      #expect(try await tell("select run_state(\(id), 'long-steps', 'a')") == "42501")
      // One job without a grant makes the whole call fail.
      #expect(
        try await tell("select run_states(array[\(id), 1], '{long,long-steps}', '{a,a}')")
          == "42501")
      #expect(try await tell("select cancel_run(\(id), 'long', 'a')") == "42501")
      _ = try await queue.queue.grant("long", to: role, mayCancel: true)
      #expect(try await tell("select 'done' from cancel_run(\(id), 'long', 'a')") == "done")
      #expect(try await tell("select run_state(\(id), 'long', 'a') ->> 'cancelling'") == "true")
      #expect(try await tell("select cancel_run(\(id), 'long-steps', 'a')") == "42501")
      #expect(try await tell("select count(*) from run") == "42501")
      #expect(try await queue.queue.revoke("long", from: role))
      #expect(try await queue.queue.revoke("long", from: role) == false)
      #expect(try await tell(read) == "42501")
      await #expect(throws: MissingRole(role: "nobody \(role)")) {
        try await queue.queue.grant("long", to: "nobody \(role)", mayCancel: true)
      }
      #expect(try await queue.queue.grant("missing", to: role, mayCancel: true) == nil)
      #expect(
        try await queue.test.sql("select action from audit order by number")
          == ["\"jobs grant\"", "\"jobs grant\"", "\"jobs revoke\""])
      try await run("reset role; drop owned by \(role); drop role \(role)")
      await caller.close()
    }
  }

  // MARK: Progress

  /// Reads the state and the progress of a run, separated by slashes.
  private func progress(_ id: Int64, _ key: String, of job: String = "memo") -> String {
    """
    select concat_ws('/', s ->> 'state', s ->> 'progress_done', s ->> 'progress_total')
    from run_state(\(id), '\(job)', '\(key)') s
    """
  }

  @Test(.sampled()) func `the progress of a run is returned until the run ends`() async throws {
    try await MemoQueue.with { memo in
      let id = try await memo.enqueue("hang-3")
      let read = progress(id, "hang-3")
      #expect(try await memo.test.sql(read) == ["waiting"])
      // The worker commits the first step, and dies in the second step.
      try await memo.test.dieAfterOneStep(of: memo.job)
      #expect(try await memo.test.sql(read) == ["running/1/3"])
      // `runs wait --json` prints this JSON.
      let wait = try #require(try await memo.queue.waitForEnd(of: id, atMost: .zero))
      #expect(wait.json?.contains("\"progress_done\": 1, \"progress_total\": 3") == true)
      let hub = LiveHub(memo.test.configuration, in: memo.test.schema)
      defer { hub.close() }
      let runs = RunWatch(hub)
      var states = runs.states(of: EnqueuedRun(job: "memo", key: "hang-3", id: id))
        .makeAsyncIterator()
      let first = try await states.next()
      #expect(first??.state == .running)
      #expect(first??.progress == RunStatus.Progress(done: 1, total: 3))
      // A change of the progress is a new element of the stream.
      try await memo.test.sql("update run_checkpoint set done = 2")
      let second = try await states.next()
      #expect(second??.progress == RunStatus.Progress(done: 2, total: 3))
      try await eventually("its run is back") {
        _ = try await memo.queue.reclaim()
        return try await memo.runs() == ["hang-3,running,f,t"]
      }
      let back = try await memo.test.sql(read)[0]
      #expect(["waiting/2/3", "sleeping/2/3"].contains(back))
      try await memo.letGo()
      #expect(try await memo.test.drain() == 0)
      let ended = try await memo.test.sql(read)[0]
      #expect(!ended.contains("/"))
    }
  }

  @Test func `a role reads no progress of a job that is not granted to it`() async throws {
    try await MemoQueue.with { memo in
      let id = try await memo.enqueue("dead-3")
      let other = try await memo.enqueue("later-3", job: "metered-memo")
      try await memo.workOnce()
      try await memo.workOnce(MeteredMemoJob.registered)
      let otherRead = progress(other, "later-3", of: "metered-memo")
      #expect(try await memo.test.sql(otherRead) == ["sleeping"])
      // The `metered-memo` job itself reports no progress.
      try await memo.test.sql("update run_checkpoint set done = 1, total = 3")
      #expect(try await memo.test.sql(otherRead) == ["sleeping/1/3"])
      let role = "caller_\(UInt64.random(in: .min ... .max))"
      let caller = try await memo.test.connect()
      func run(_ text: String) async throws {
        try await caller.script(
          Statement("test/run", "set search_path to \(memo.test.schema.name); \(text)"))
      }
      try await run(
        """
        create role \(role);
        grant usage on schema \(memo.test.schema.name) to \(role);
        grant execute on function run_state, run_states to \(role);
        """)
      _ = try await memo.queue.grant("memo", to: role, mayCancel: false)
      try await run("set role \(role)")
      #expect(
        try await caller.sql(progress(id, "dead-3"), in: memo.test.schema) == ["dead/1/3"])
      // The job and the key belong to the identity, so the id of another job's run finds nothing.
      #expect(
        try await caller.sql(
          "select coalesce(run_state(\(other), 'memo', 'later-3')::text, 'null')",
          in: memo.test.schema) == ["null"])
      for refused in [otherRead, "select done from run_checkpoint"] {
        let error = await #expect(throws: PostgresError.self) {
          try await caller.sql(refused, in: memo.test.schema)
        }
        #expect(error?.sqlState == .insufficientPrivilege)
      }
      try await run("reset role; drop owned by \(role); drop role \(role)")
      await caller.close()
    }
  }

  @Test(.sampled()) func `the state of an ended run is found without reading the event log`()
    async throws
  {
    try await LongQueue.with { queue in
      try await queue.test.sql(
        """
        insert into failed_attempt (run_id, job, key, attempt, began_at, ended_at, error)
        values (77, 'long', 'k', 1, now(), now(), 'x')
        """)
      var pages: [Int] = []
      for events in [100, 50_000] {
        try await queue.test.sql(
          """
          insert into event_0 (topic, key)
          select 'none', n::text from generate_series(1, \(events)) n
          """)
        let connection = try await queue.test.connect()
        pages.append(
          try await connection.pages(
            ofCall: "run_state(77, 'long', 'k')", in: queue.test.schema, atMost: 0))
        await connection.close()
      }
      #expect(try await queue.state(77, "long", "k") == "77 ended")
      print("pages of run_state beside 100 and 50,100 undispatched events: \(pages)")
      #expect(pages[1] <= pages[0] * 2 + 30)
    }
  }
}

extension LongQueue {
  /// Enqueues a run, and returns its id.
  func enqueue(_ job: String, _ key: String?, rest: String = "replace => false") async throws
    -> Int64
  {
    let key = key.map { "'\($0)'" } ?? "null"
    let ids = try await test.sql("select enqueue('\(job)', \(key), \(rest))")
    return Int64(ids.first ?? "") ?? 0
  }

  /// Returns the id and the state that `run_state` returns, or `null`.
  func state(_ id: Int64, _ job: String, _ key: String?) async throws -> String {
    let key = key.map { "'\($0)'" } ?? "null"
    return try await test.sql(
      """
      select coalesce((s ->> 'run') || '_' || (s ->> 'state'), 'null')
      from run_state(\(id), '\(job)', \(key)) s
      """)[0].replacing("_", with: " ")
  }
}
