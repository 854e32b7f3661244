import BatonJobs
import BatonPostgres
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests dead runs that an operator retries with another payload.
@Suite(.timeLimit(.minutes(5))) struct EditedRetryTests {
  @Test func `the run has a new id and the new payload, and each old id finds it`() async throws {
    try await NoticeBoard.with { test in
      try await test.sql(
        """
        insert into dead_run (id, job, key, attempt, error, payload, earlier_ids)
        values (901, 'notice', 'a', 3, 'wrong', '{"text": "old"}', '{801,802}')
        """)
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      let run = try await queue.retry(901, payload: #"{"text": "new"}"#)
      #expect(run.dead == 1 && run.id != 901)
      #expect(
        try await test.sql("select id, payload ->> 'text', attempt, earlier_ids[1:3] from run")
          == ["\(run.id),new,0,\"{801,802,901}\""])
      for id in [801, 901] {
        #expect(
          try await test.sql("select run_state(\(id), 'notice', 'a') ->> 'run'") == ["\(run.id)"])
      }
      #expect(
        try await test.sql(
          """
          select action, subject ->> 'run', before ->> 'state', after ->> 'payload',
            after ->> 'run' = '\(run.id)', position('new' in to_jsonb(a)::text) from audit a
          """) == ["\"runs retry\",901,dead,edited,t,0"])
      #expect(try await test.drain() == 0)
      #expect(try await test.sql("select text from noticed") == ["new"])
      await #expect(throws: NotDead(ids: [901])) { try await queue.retry(901, payload: "{}") }
      await connection.close()
    }
  }

  @Test func `the edit is the newest call of its key, also if another run waits`() async throws {
    try await NoticeBoard.with { test in
      let waiting = try await test.sql(
        "select enqueue('notice', 'a', '{\"text\": \"waiting\"}', run_at => '2020-01-01Z')")[0]
      try await test.foldAtOnce()
      try await test.sql(
        """
        insert into dead_run (id, job, key, attempt, error, payload, payload_event)
        values (901, 'notice', 'a', 3, 'wrong', '{"text": "old"}', 1)
        """)
      let connection = try await test.connect()
      let run = try await Queue(Session(connection, in: test.schema))
        .retry(901, payload: #"{"text": "new"}"#)
      for id in ["901", waiting] {
        #expect(
          try await test.sql("select run_state(\(id), 'notice', 'a') ->> 'run'") == ["\(run.id)"])
      }
      // A later call is newer than the edit.
      #expect(try await test.sql("select payload ->> 'text' from run") == ["new"])
      try await test.sql("select enqueue('notice', 'a', '{\"text\": \"later\"}')")
      #expect(try await test.drain() == 0)
      #expect(try await test.sql("select text from noticed") == ["later"])
      await connection.close()
    }
  }

  @Test func `of a job that reads all payloads, the edit replaces those of the dead run`()
    async throws
  {
    try await NoticeBoard.with { test in
      for text in ["good", "worst"] {
        try await test.sql("select enqueue('digest', 'a', '{\"text\": \"\(text)\"}')")
      }
      #expect(try await test.drain() == 1)
      let id = try await test.sql("select id from dead_run")[0]
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      _ = try await queue.retry(Int64(id) ?? 0, payload: #"{"text": "mended"}"#)
      #expect(try await test.drain() == 0)
      #expect(try await test.sql("select text from noticed order by id") == ["a:mended"])
      #expect(try await test.sql("select count(*) from run_payload") == ["0"])
      await connection.close()
    }
  }

  @Test func `the edited run starts with the first step, without the stored state of the dead run`()
    async throws
  {
    try await MemoQueue.with { memo in
      let id = try await memo.enqueue("dead-3", note: "old")
      try await memo.workOnce()
      #expect(try await memo.test.sql("select run_id, done from run_checkpoint") == ["\(id),1"])
      let run = try await memo.queue.retry(id, payload: #"{"note": "new"}"#)
      #expect(run.id != id)
      #expect(try await memo.runs() == ["dead-3,ready,f,f"])
      // The checkpoint still exists, but belongs to the id of the dead run.
      #expect(
        try await memo.test.sql(
          """
          select s ->> 'run', s -> 'progress_done' is null from run_state(\(id), 'memo', 'dead-3') s
          """) == ["\(run.id),t"])
      try await memo.letGo()
      #expect(try await memo.test.drain() == 0)
      #expect(
        try await memo.test.sql(
          "select concat_ws('/', position, replace(xact::text, ' ', '/')) from noted order by ctid")
          == ["1/\(id)/old", "0/", "1/\(run.id)/new", "2/\(run.id)/new", "3/\(run.id)/new"])
      try await memo.purge()
      #expect(try await memo.test.count("run_checkpoint") == 0)
    }
  }

  @Test func `a payload that cannot be stored changes nothing`() async throws {
    try await NoticeBoard.with { test in
      try await test.sql(
        """
        insert into dead_run (id, job, key, attempt, error, payload)
        values (901, 'notice', 'a', 3, 'wrong', '{"text": "old"}')
        """)
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      let long = "\"" + String(repeating: "é", count: 700_000) + "\""
      for (payload, state) in [(long, "ZB007"), ("{", "22P02"), (#""\u0000""#, "22P05")] {
        let error = await #expect(throws: PostgresError.self) {
          try await queue.retry(901, payload: payload)
        }
        #expect(error?.sqlState.code == state)
      }
      #expect(try await test.sql("select id, payload ->> 'text' from dead_run") == ["901,old"])
      #expect(try await test.sql("select count(*) from audit") == ["0"])
      #expect(try await test.sql("select count(*) from run") == ["0"])
      await connection.close()
    }
  }
}
