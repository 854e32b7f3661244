import BatonPostgres
import Foundation
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests the pages of runs: each run is displayed once, in order, without personal data.
@Suite(.timeLimit(.minutes(5))) struct RunPageTests {
  /// Returns all runs, page by page.
  private func all(_ filter: RunFilter, _ queue: NoteQueue) async throws -> [RunRow] {
    var (filter, rows) = (filter, [RunRow]())
    for _ in 0..<100 {
      let page = try await queue.queue.runs(filter)
      #expect(page.runs.count <= RunList.most)
      rows += page.runs
      guard let next = page.next else { return rows }
      // The cursor is converted to text and back, like the cursor of a client.
      let cursor: RunCursor = try #require(RunCursor(next.description))
      filter.cursor = cursor
    }
    throw TestFailure("there is always another page")
  }

  /// - Parameter values: the values of due, batch_limit, group_key and is_held for the run `n`.
  private func insert(_ runs: Int, _ key: String, _ values: String, in queue: NoteQueue)
    async throws
  {
    try await queue.test.sql(
      """
      insert into run (job, key, state, first_event_at, last_event_at, due, batch_limit, group_key, is_held)
      select 'note', '\(key)' || n, 'ready', now(), now(), \(values) from generate_series(1, \(runs)) n
      """)
  }

  @Test func `the microseconds of a cursor are converted to the exact instant`() async throws {
    try await TestSchema.with { test in
      let wrong = try await test.sql(
        """
        select at
        from unnest(array['4713-01-01 00:00:00.000001Z BC', '1969-12-31 23:59:59.999999Z',
          '2026-11-29 12:34:56.789012Z', '9999-12-31 23:59:59.999999Z']::timestamptz[]) at
        where instant_of((extract(epoch from at) * 1000000)::bigint) is distinct from at
        """)
      #expect(wrong == [])
    }
  }

  @Test func `runs that wait are paged by age, many of one instant and those put aside too`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await insert(180, "same", "now() - interval '1 min', 0, null, false", in: queue)
      try await insert(30, "old", "now() - n * interval '1 h', 0, null, false", in: queue)
      try await insert(60, "held", "now() - n * interval '1 s', 0, 'g', true", in: queue)
      try await insert(5, "alone", "now() - n * interval '1 s', -1, null, false", in: queue)
      try await insert(5, "few", "now() - n * interval '1 s', 3, null, false", in: queue)
      try await insert(70, "later", "now() + n * interval '1 min', 0, null, false", in: queue)
      try await insert(1, "never", "'infinity', 0, null, false", in: queue)
      let ready = try await all(RunFilter(.ready), queue)
      #expect(ready.count == 280 && Set(ready.map(\.id)).count == 280)
      #expect(ready.allSatisfy { $0.state == .ready && $0.job == "note" })
      let due = ready.map { $0.at?.microseconds ?? 0 }
      #expect(due == due.sorted())
      #expect(ready.first?.key == "old30")
      let delayed = try await all(RunFilter(.delayed, job: "note"), queue)
      #expect(delayed.count == 71 && delayed.first?.key == "later1" && delayed.last?.at == nil)
      #expect(try await all(RunFilter(.ready, job: "other"), queue).isEmpty)
    }
  }

  @Test func `runs that are due in thousands of years are paged too`() async throws {
    try await NoteQueue.with { queue in
      let due = "timestamptz '9000-01-01' + n * interval '1 us'"
      try await insert(130, "far", "\(due), 0, null, false", in: queue)
      let delayed = try await all(RunFilter(.delayed), queue)
      #expect(delayed.map(\.key) == (1...130).map { "far\($0)" })
    }
  }

  @Test func `runs that are worked are found between those that wait`() async throws {
    try await NoteQueue.with { queue in
      try await queue.test.sql(
        "insert into worker (id, name, is_direct, pid) values (gen_random_uuid(), 'host:1', false, 1)"
      )
      try await queue.test.sql(
        """
        insert into run (job, key, state, token, worker, first_event_at, last_event_at, due)
        select 'note', 'k' || n, case when n % 3 = 0 then 'running'::run_state else 'ready' end,
          case when n % 3 = 0 then gen_random_uuid() end, case when n % 3 = 0 then (select id from worker) end,
          now(), now(), now()
        from generate_series(1, 330) n
        """)
      let running = try await all(RunFilter(.running), queue)
      #expect(running.count == 110 && Set(running.map(\.id)).count == 110)
      #expect(running.allSatisfy { $0.state == .running && $0.worker == "host:1" })
      #expect(try await all(RunFilter(.running, job: "other"), queue).isEmpty)
    }
  }

  @Test func `dead and ended runs are paged with the newest ahead, of a job and of all`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.test.sql(
        """
        insert into dead_run (id, job, key, attempt, error)
        select n, case when n % 2 = 0 then 'note' else 'other' end, 'k' || n, 3,
          'row ' || n || e' failed\nmore'
        from generate_series(1, 240) n
        """)
      // Some runs are due at the same instant, and some a day apart.
      try await queue.test.sql(
        """
        insert into run_history (partition, created_at, id, job, key, attempt, outcome, duration_ms)
        select day_partition(at), at, n, case when n % 2 = 0 then 'note' else 'other' end, 'k', 1, 'done', n
        from generate_series(1, 240) n, lateral (
          select now() - (n / 80) * interval '1 day' as at) t
        """)
      let dead = try await all(RunFilter(.dead), queue)
      #expect(dead.map(\.id) == (1...240).reversed().map(Int64.init))
      let own = try await all(RunFilter(.dead, job: "note"), queue)
      #expect(own.count == 120 && own.allSatisfy { $0.job == "note" && $0.error != nil })
      let ended = try await all(RunFilter(.ended), queue)
      #expect(ended.count == 240 && Set(ended.map(\.id)).count == 240)
      let ends = ended.map { -($0.at?.microseconds ?? 0) }
      #expect(ends == ends.sorted())
      #expect(try await all(RunFilter(.ended, job: "note"), queue).count == 120)
      #expect(ended.allSatisfy { $0.outcome == "done" && $0.durationSeconds != nil })
      let page = try #require(try await queue.queue.job("note"))
      #expect(page.durations?.runs == 120 && page.durations?.longest == 0.24)
      #expect((0.1...0.14).contains(page.durations?.median ?? 0) && page.ended.count == 20)
      #expect(page.topics.contains("note.written") && page.pausedSince == nil)
      #expect(try await queue.queue.job("nobody") == nil)
      // Lines that differ only in numbers are one group of a job.
      let groups = try await queue.queue.deadGroups()
      #expect(groups.groups.map(\.count) == [120, 120] && groups.dead == Count(value: 240))
      #expect(groups.groups[0].error == "row # failed" && !groups.isSample)
      let one = try #require(groups.groups.first { $0.job == "note" })
      #expect(one.newestRun == 240)
      #expect(try await all(RunFilter(.dead, job: "note", group: one.id), queue).count == 120)
      #expect(try await all(RunFilter(.dead, group: "0123456789abcdef"), queue).isEmpty)
    }
  }

  @Test func `a mail address is hidden, and no beginning of it is found`() async throws {
    try await NoteQueue.with { queue in
      try await queue.test.sql(
        """
        insert into run (id, job, key, state, first_event_at, last_event_at, due, last_error, payload)
        values (1, 'note', 'mail/ann@example.org', 'ready', now(), now(), now(), 'no box of ann%40example.org', '{"a": 1}'),
          (2, 'note', 'mailbox', 'ready', now(), now(), now(), 'postgres://u:secret@host/db', null),
          (3, 'note', 'mai', 'ready', now(), now(), now() + interval '1 h', null, null),
          (4, 'note', 'team:zoe@example.org', 'ready', now(), now(), now(), null, null),
          (5, 'note', 'team:abe@example.org', 'ready', now(), now(), now(), null, null),
          (6, 'note', 'eve@example.org', 'ready', now(), now(), now(), null, null)
        """)
      try await queue.test.sql(
        """
        insert into dead_run (id, job, key, attempt, error, payload)
        values (9, 'note', 'bob@example.org', 1, '<bob@example.org> is full', '1')
        """)
      let rows = try await all(RunFilter(.ready), queue)
      #expect(Set(rows.map(\.key)) == ["mail/[address]", "mailbox", "team:[address]", "[address]"])
      #expect(
        Set(rows.map(\.error)) == ["no box of [address]", "postgres://[address]/db", nil])
      func found(_ key: String, _ state: RunState? = nil) async throws -> [Int64] {
        try await queue.queue.runs(RunFilter(state, job: "note", key: key)).runs.map(\.id)
      }
      #expect(try await found("mai") == [3, 1, 2])
      #expect(try await found("mail", .ready) == [1, 2])
      #expect(try await found("mai", .delayed) == [3])
      #expect(try await found("mail/") == [1])
      #expect(try await found("mail/a") == [])
      #expect(try await found("mail/ann@example.org") == [])
      // Hidden values influence neither the selection nor the order.
      #expect(try await found("team:") == [4, 5])
      #expect(try await found("team:[") == [4, 5])
      #expect(try await found("team:[address]") == [4, 5])
      #expect(try await found("team:a") == [])
      #expect(try await found("[") == [6])
      #expect(try await found("[address]", .ready) == [6])
      #expect(try await found("e") == [])
      #expect(try await found("[", .dead) == [9])
      #expect(try await found("b", .dead) == [])
      // The same holds for the history of a run. The page shows only that a payload exists.
      let life = try #require(try await queue.queue.life(of: 1))
      #expect(life.key == "mail/[address]" && life.error == "no box of [address]")
      #expect(life.hasPayload && life.state == "ready" && life.due != nil)
      let dead = try #require(try await queue.queue.life(of: 9))
      #expect(dead.error == "<[address]> is full" && dead.state == "dead" && dead.diedAt != nil)
      #expect(try await queue.queue.life(of: 2, job: "note", key: "mailbox")?.hasPayload == false)
      #expect(try await queue.queue.life(of: 2, job: "note", key: "other")?.key == "mailbox")
      #expect(try await queue.queue.life(of: 4_711) == nil)
    }
  }

  @Test(.sampled()) func `a search compares a limited number of dead runs`() async throws {
    try await NoteQueue.with { queue in
      try await queue.test.sql(
        """
        insert into dead_run (id, job, key, attempt, error)
        select n, 'note', case when n in (1, 2) then 'old' else 'k' end, 1, 'x'
        from generate_series(1, 20001) n
        """)
      let found = try await queue.queue.runs(RunFilter(.dead, key: "old")).runs
      #expect(found.map(\.id) == [2])
      #expect(try await queue.queue.runs(RunFilter(.dead, group: "0123456789abcdef")).runs == [])
    }
  }

  /// All roles may read PostgreSQL's counters of index reads.
  @Test func `the number of rows that a search reads confirms no guess about a hidden key`()
    async throws
  {
    try await NoteQueue.with { queue in
      for keys in ["'mail/ann' || n || '@example.org'", "'k' || n"] {
        try await queue.test.sql(
          """
          insert into run (job, key, state, first_event_at, last_event_at, due)
          select 'note', \(keys), 'ready', now(), now(), now() from generate_series(1, 500) n
          """)
      }
      try await queue.test.sql("analyze run")
      let sum = """
        (select sum(pg_stat_get_xact_tuples_fetched(read.id) + pg_stat_get_xact_tuples_returned(read.id))
        from (
          select 'run'::regclass::oid union all select indexrelid from pg_index where indrelid = 'run'::regclass
        ) read (id))
        """
      // The number at the start is a part of the call, so that it is read first.
      func reads(_ key: String) async throws -> [String] {
        try await queue.test.sql(
          """
          with start as materialized (select \(sum) as reads),
          found as materialized (
            select s.reads, count(r.id)
            from start s
            left join lateral find_keyed_runs('note', null, '\(key)' || left(s.reads::text, 0)) r on true
            group by 1
          )
          select \(sum) - f.reads from found f
          """)
      }
      let none = try await reads("mail/z")
      #expect(none != ["0"])
      for key in ["mail/a", "mail/ann7", "mail/ann7@example.org"] {
        #expect(try await reads(key) == none, "\(key)")
      }
      // A key without a hidden part is found by the index, however many other runs wait.
      let found = try await queue.queue.runs(RunFilter(nil, job: "note", key: "k77")).runs
      #expect(found.map(\.key) == ["k77"])
      // The value of `password` is not compared either.
      #expect(try await reads("password=a/") == reads("password=b/"))
    }
  }

  @Test func `the life of a run has its attempts and what was done to it by hand`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("bad")
      _ = try await queue.queue.foldAtOnce()
      let id = try #require(Int64(try await queue.test.sql("select id from run")[0]))
      try await queue.test.sql(
        """
        insert into failed_attempt (run_id, job, key, attempt, worker, began_at, ended_at, error)
        values (\(id), 'note', 'bad', 1, 'host:1', now() - interval '2 s', now() - interval '1 s', 'ann@example.org')
        """)
      try await queue.test.sql(
        """
        insert into dead_run (id, job, key, attempt, error) select id, job, key, 1, 'x' from run
        """)
      try await queue.test.sql("delete from run")
      _ = try await AuditOrigin.$person.withValue("http:ann") {
        try await queue.queue.retry(ids: [id])
      }
      let life = try #require(try await queue.queue.life(of: id, job: "note", key: "bad"))
      #expect(life.id == id && life.state == "ready" && life.priority == 5)
      #expect(life.attempts.map(\.error) == ["[address]"] && life.attempts[0].worker == "host:1")
      #expect(life.attempts[0].beganAt.map { $0 < life.attempts[0].endedAt } == true)
      #expect(life.actions.map(\.action) == ["runs retry"] && life.actions[0].by == "http:ann")
    }
  }
}
