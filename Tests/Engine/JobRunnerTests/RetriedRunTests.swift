import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import JobRunner

/// Tests the identity and the history of a run after deaths, retries and merges.
@Suite(.timeLimit(.minutes(5)), .bothWaysAtFullSize) struct RetriedRunTests {
  @Test(.sampled()) func `a run keeps its id and every error that counted, however often it dies`()
    async throws
  {
    try await NoteQueue.with { queue in
      // The run was first in a batch. A failure of other runs does not count as its attempt.
      try await queue.write("bad", "good")
      _ = try await queue.queue.foldAtOnce()
      let ids = try await queue.test.sql("select id from run where key = 'bad'")
      let id = try #require(ids.first.flatMap { Int64($0) })
      try await queue.drain()
      let dead = """
        select d.id, array_agg(a.attempt order by a.id)::text from dead_run d
        join failed_attempt a on a.run_id = d.id group by 1
        """
      #expect(try await queue.test.sql(dead) == ["\(id),\"{1,2,3}\""])
      #expect(
        try await queue.queue.retry(ids: [id]) == [RetriedRun(id: id, dead: 1)])
      #expect(
        try await queue.test.sql(
          "select id, attempt, state, due <= now() + interval '100 ms' from run")
          == ["\(id),0,ready,t"])
      try await queue.drain()
      #expect(try await queue.test.sql(dead) == ["\(id),\"{1,2,3,1,2,3}\""])

      let shown = try await shown(id, in: queue)
      #expect(shown["state"] as? String == "dead" && shown["key"] as? String == "bad")
      let errors = try #require(shown["attempts"] as? [[String: Any]])
      #expect(errors.count == 6)
      #expect(errors.allSatisfy { $0["error"] as? String == "bad always fails" })
      for instant in ["made_at", "died_at"].map({ shown[$0] as? String }) + [
        errors[0]["ended_at"] as? String
      ] {
        let date = try Date(
          try #require(instant), strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        )
        #expect(abs(date.timeIntervalSinceNow) < 60)
      }
    }
  }

  @Test(.sampled()) func `at most twenty failed attempts of a run are kept, the newest`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.write("bad")
      _ = try await queue.queue.foldAtOnce()
      // The attempts of a job that is retried without an end.
      for attempt in 1...25 {
        try await queue.test.sql("update run set attempt = \(attempt - 1), due = now()")
        let executor = try await queue.executor()
        #expect(try await executor.workOnce(queue.job))
        await executor.close()
        if attempt >= 3 {
          _ = try await queue.queue.retry(DeadSelection(RunSelection(job: "note")))
        }
      }
      #expect(
        try await queue.test.sql("select count(*), min(attempt), max(attempt) from failed_attempt")
          == ["20,6,25"])
    }
  }

  @Test func `dead runs of one key go on in one, and each id finds it`() async throws {
    try await NoteQueue.with { queue in
      try await queue.test.sql(
        """
        insert into dead_run (id, job, key, attempt, error, payload, earlier_ids)
        values (901, 'note', 'a', 3, 'first', '1', '{801,802}'),
          (902, 'note', 'a', 3, 'second', null, '{803}'), (903, 'note', 'b', 3, 'third', null, '{804}'),
          (904, 'other', 'a', 3, 'fourth', null, null)
        """)
      try await queue.test.sql(
        """
        insert into run (id, job, key, state, due, first_event_at, last_event_at, payload)
        values (905, 'note', 'b', 'ready', now() + interval '1 hour', now(), now(), '{"n": null}')
        """)
      let retried = try await queue.queue.retry(DeadSelection(RunSelection(job: "note")))
      #expect(retried.ready == [RetriedRun(id: 902, dead: 2), RetriedRun(id: 905, dead: 1)])
      let runs = try await queue.test.sql(
        "select id, key, earlier_ids::text, due > now() + interval '1 s' from run order by id")
      // The waiting run continues to wait, because a caller chose its time.
      #expect(runs == ["902,a,\"{801,802,901,803}\",f", "905,b,\"{804,903}\",t"])
      #expect(try await queue.test.sql("select id from dead_run") == ["904"])
      for (id, now) in [
        (801, 902), (802, 902), (803, 902), (901, 902), (902, 902), (804, 905), (903, 905),
        (905, 905),
      ] {
        #expect(try await shown(Int64(id), in: queue)["id"] as? Int == now)
      }
      // A payload is displayed unchanged, including its null values.
      let payload = try await shown(905, in: queue)["payload"] as? [String: Any]
      #expect(payload?["n"] is NSNull)
      await #expect(throws: NotDead(ids: [4711])) {
        try await queue.queue.retry(ids: [4711, 904])
      }
      #expect(try await queue.test.sql("select id from dead_run") == ["904"])
    }
  }

  /// An open transaction made its call before the call of the run that became dead.
  @Test func `an older call with replace does not change a retried run`() async throws {
    try await NoteQueue.with { queue in
      let connection = try await queue.test.connect()
      try await connection.transaction(in: queue.test.schema) { transaction in
        let early = """
          select enqueue('note', 'bad', '{"n": 1}', replace => true, run_at => now() + interval '1 day')
          """
        try await transaction.run(.run(Statement("test/early", early)))
        try await queue.test.sql("select enqueue('note', 'bad')")
        try await queue.drain()
        #expect(try await queue.test.sql("select count(*) from dead_run") == ["1"])
        _ = try await queue.queue.retry(DeadSelection(RunSelection(job: "note")))
      }
      await connection.close()
      _ = try await queue.queue.fold()
      #expect(
        try await queue.test.sql(
          "select due < now() + interval '1 hour', cardinality(earlier_ids) from run")
          == ["t,1"])
    }
  }

  @Test func `a retried run does not wait for the time of a later call`() async throws {
    try await NoteQueue.with { queue in
      try await queue.test.sql(
        """
        insert into dead_run (id, job, key, attempt, error)
        values (901, 'note', 'a', 3, 'first'), (902, 'note', 'b', 3, 'second'),
          (903, 'note', 'c', 3, 'third')
        """)
      try await queue.test.sql(
        """
        select enqueue('note', k, run_at => now() + interval '1 day', replace => k = 'c')
        from unnest('{a,b,c}'::text[]) k
        """)
      _ = try await queue.queue.fold()
      _ = try await queue.queue.retry(ids: [901, 903])
      _ = try await queue.queue.retry(902, payload: "{}")
      // A call with `replace` sets the time also for the retried run.
      #expect(
        try await queue.test.sql(
          "select key, due <= now() + interval '1 minute' from run order by key")
          == ["a,t", "b,t", "c,f"])
    }
  }

  @Test func `a run that is merged into one that waits is found under its id`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      let old = try await queue.test.sql("select id from run").first ?? ""
      // The run is claimed with a worker id that is not registered.
      try await queue.test.sql(
        "update run set state = 'running', attempt = 1, token = '\(UUID())', worker = '\(UUID())'")
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      #expect(try await queue.queue.reclaim()?.released == 1)
      let left = try await queue.test.sql(
        """
        select id <> \(old), earlier_ids::text,
          (select error from failed_attempt where run_id = \(old)) from run
        """)
      #expect(left == ["t,{\(old)},\"the worker died while it worked this run\""])
    }
  }

  private func shown(_ id: Int64, in queue: NoteQueue) async throws -> [String: Any] {
    let text = try #require(try await queue.queue.run(id))
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(object as? [String: Any])
  }
}
