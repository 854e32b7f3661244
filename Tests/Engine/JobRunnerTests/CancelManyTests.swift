import BatonPostgres
import Foundation
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests the cancellation, retry and removal of many runs, selected by job and key.
@Suite(.timeLimit(.minutes(5))) struct CancelManyTests {
  /// Inserts 2,500 ready runs for each of two jobs, 40 dead runs for each job, and two running runs
  /// of `note`.
  private func insert(_ queue: NoteQueue) async throws {
    try await queue.test.sql(
      """
      insert into run (job, key, state, due, first_event_at, last_event_at)
      select job, case when n % 2 = 0 then 'even-' else 'odd-' end || n, 'ready',
        now() + interval '1 hour', now(), now()
      from unnest('{note,other}'::text[]) job, generate_series(1, 2500) n
      """)
    try await queue.test.sql(
      """
      insert into dead_run (id, job, key, attempt, error)
      select 100000 + 1000 * ordinality + n, job, 'even-' || n, 3, 'broken'
      from unnest('{note,other}'::text[]) with ordinality t (job), generate_series(1, 40) n
      """)
    try await queue.test.sql(
      """
      insert into run (job, key, state, due, first_event_at, last_event_at, attempt, worker, token)
      select 'note', key, 'running', now(), now(), now(), 1, gen_random_uuid(), gen_random_uuid()
      from unnest('{even-2,odd-1}'::text[]) key
      """)
  }

  @Test func `runs of a job and a beginning of the key are cancelled in each state, no others`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await insert(queue)
      // An event that has not been dispatched yet also counts.
      try await queue.test.sql(
        "select enqueue('note', 'even-new', null, now() + interval '1 hour')")
      let selection = RunSelection(job: "note", keyPrefix: "even-")
      var previewed = 0
      try await queue.queue.previewCancel(selection) { previewed += $0.count }
      #expect(previewed == 1_250 + 1 + 40)
      var (pieces, running) = ([Int](), [String]())
      try await queue.queue.cancel(selection) { runs, areRunning in
        if areRunning { running += runs.map(\.key) } else { pieces.append(runs.count) }
      }
      #expect(pieces == [1_000, 251, 40])
      #expect(running == ["even-2"])
      #expect(try await queue.test.sql("select key from cancellation") == ["even-2"])
      #expect(
        try await queue.test.sql(
          "select job, state, left(key, 3), count(*) from run group by 1, 2, 3 order by 1, 2, 3")
          == [
            "note,ready,odd,1250", "note,running,eve,1", "note,running,odd,1",
            "other,ready,eve,1250", "other,ready,odd,1250",
          ])
      #expect(
        try await queue.test.sql("select job, count(*) from dead_run group by 1") == ["other,40"])
      #expect(
        try await queue.test.sql("select outcome, count(*) from run_history group by 1") == [
          "cancelled,1291"
        ])
      // Each piece adds one row, which contains the selection but no keys.
      #expect(
        try await queue.test.sql(
          """
          select concat_ws('/', count, filter ->> 'job', filter ->> 'key_prefix', filter ->> 'state')
          from audit where action = 'runs cancel' order by number
          """) == [
            "1000/note/even-/ready", "251/note/even-/ready", "1/note/even-/running",
            "40/note/even-/dead",
          ])
      // The second call has nothing to do, and adds nothing to the audit log.
      try await queue.queue.cancel(selection) { _, _ in Issue.record("a run was cancelled twice") }
    }
  }

  @Test func `a running run that is due at infinity is listed with its requested time`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.test.sql(
        """
        insert into run (job, key, state, due, run_at, first_event_at, last_event_at, attempt, worker, token)
        select 'note', 'a', 'running', 'infinity', '2999-01-01Z', now(), now(), 1, id, id from gen_random_uuid() id
        """)
      var times: [String] = []
      try await queue.queue.previewCancel(RunSelection(job: "note")) { times += $0.map(\.at) }
      #expect(times == ["2999-01-01T00:00:00.000Z"])
      let page = try await queue.queue.runs(RunFilter(.running))
      #expect(page.runs.map(\.key) == ["a"])
    }
  }

  @Test func `runs that die again while others are retried are not retried again`() async throws {
    try await NoteQueue.with { queue in
      try await insert(queue)
      let selection = DeadSelection(RunSelection(keyPrefix: "even-"), limit: 30)
      var (last, retried) = (Int64?.none, 0)
      while true {
        let piece = try await queue.queue.retry(selection, after: last)
        guard let end = piece.dead.last else { break }
        (last, retried) = (end.id, retried + piece.dead.count)
        try await queue.test.sql(
          """
          do $$ begin
            insert into dead_run (id, job, key, attempt, error)
            select id, job, key, 3, 'broken' from run where id > 100000;
            delete from run where id > 100000;
          end $$
          """)
        try #require(retried <= 80)
      }
      #expect(retried == 80)
    }
  }

  @Test func `a run that is claimed or released while its job is cancelled is cancelled as well`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await insert(queue)
      try await queue.test.sql(
        "delete from run where job = 'note' and key in ('odd-1', 'even-2') and state = 'ready'")
      // The first piece ends at even-898. The trigger claims a run after that place, and releases a
      // run before it.
      try await queue.test.sql(
        """
        create function change_states() returns trigger language plpgsql as $$
        begin
          update run set state = 'ready', worker = null, token = null
          where job = 'note' and key = 'even-2' and state = 'running';
          update run set state = 'running', attempt = 1, worker = gen_random_uuid(), token = gen_random_uuid()
          where job = 'note' and key = 'odd-3' and state = 'ready';
          return null;
        end $$
        """)
      try await queue.test.sql(
        "create trigger change_states after insert on audit for each row execute function change_states()"
      )
      try await queue.queue.cancel(RunSelection(job: "note")) { _, _ in }
      #expect(
        try await queue.test.sql(
          """
          select key from run r where job = 'note'
            and not exists (select from cancellation c where c.run_id = r.id)
          """) == [])
      #expect(
        try await queue.test.sql("select key from run where job = 'note' order by 1") == [
          "odd-1", "odd-3",
        ])
    }
  }

  @Test(.sampled(), arguments: [true, false])
  func `a cancellation that waits for a dry run does not stop the dispatch`(
    isPreview: Bool
  ) async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a", "b")
      _ = try await queue.queue.foldAtOnce()
      let connection = try await queue.test.connect()
      let operation = Queue(Session(connection, in: queue.test.schema))
      let (dispatch, cancellation) = try await queue.test.holding(
        "select from run where key = 'b' for key share"
      ) { lock in
        let cancellation = Task {
          if isPreview {
            try await operation.previewCancel(RunSelection(job: "note")) { _ in }
          } else {
            try await operation.cancel(RunSelection(job: "note")) { _, _ in }
          }
        }
        try await lock.waitUntilItBlocks()
        try await queue.write("a")
        try await queue.connection.script(
          Statement("test/limit", "set statement_timeout = '5s'"))
        let dispatch = await Task { try await queue.queue.foldAtOnce().events }.result
        try await lock.release()
        return (dispatch, cancellation)
      }
      try await cancellation.value
      await connection.close()
      #expect(try dispatch.get() == 1)
      #expect(try await queue.test.sql("select count(*) from run") == [isPreview ? "2" : "0"])
    }
  }

  @Test func `a cancellation finds its payloads with an index`() async throws {
    try await NoteQueue.with { queue in
      let plan = try await queue.test.explain(
        SQL.Runs.cancel, "bigint[], text[], text[]", "'{1}', '{note}', '{a}'")
      #expect(plan.contains { $0.contains("run_payload_taken_by") })
      #expect(!plan.contains { $0.contains("Seq Scan on run_payload") }, "\(plan)")
    }
  }
}
