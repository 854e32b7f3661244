import BatonPostgres
import Foundation
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests the state that an operator reads with one request.
@Suite(.timeLimit(.minutes(5))) struct ObservationTests {
  /// Inserts runs of the tests' job, as after a fold or a claim.
  private func insert(_ runs: Int, _ state: String, _ more: String, in queue: NoteQueue)
    async throws
  {
    let isRunning = state == "running"
    try await queue.test.sql(
      """
      insert into run (job, key, state, token, worker, first_event_at, last_event_at, due)
      select 'note', '\(state)' || n, '\(state)', \(isRunning ? "gen_random_uuid()" : "null"),
        \(isRunning ? "gen_random_uuid()" : "null"), \(more)
      from generate_series(1, \(runs)) n
      """)
  }

  private func note(_ queue: NoteQueue) async throws -> JobObservation {
    try #require(try await queue.queue.observe().jobs.first { $0.name == "note" })
  }

  @Test func `runs are counted by what becomes of them, with the ages of the oldest`() async throws
  {
    try await NoteQueue.with { queue in
      try await insert(
        3, "ready", "now() - n * interval '1 min', now(), now() - interval '30 s'", in: queue)
      try await insert(2, "running", "now() - interval '1 h', now(), now()", in: queue)
      try await queue.test.sql(
        """
        insert into run (job, key, state, first_event_at, last_event_at, due, batch_limit, group_key, is_held)
        values ('note', 'a', 'ready', now(), now(), 'infinity', 0, null, false),
          ('note', 'b', 'ready', now(), now(), now() - interval '2 min', -1, null, false),
          ('note', 'c', 'ready', now(), now(), now() - interval '1 s', 4, null, false),
          ('note', 'd', 'ready', now(), now(), now() - interval '1 s', 0, 'g', true)
        """)
      try await queue.test.sql(
        """
        insert into dead_run (id, job, key, attempt, error)
        values (901, 'note', 'x', 3, 'it failed'), (902, 'gone', 'x', 3, 'it failed')
        """)
      let found = try await queue.queue.observe()
      let note = try #require(found.jobs.first { $0.name == "note" })
      #expect(note.ready == Count(value: 6) && note.delayed == Count(value: 1))
      #expect(note.running == Count(value: 2) && note.dead == Count(value: 1))
      #expect((120..<180).contains(note.oldestDueSeconds ?? 0))
      // The oldest unfinished write belongs to a running run, which is not done either.
      #expect((3_600..<3_700).contains(note.oldestUnfinishedWriteSeconds ?? 0))
      #expect(note.debounceSeconds == 2 && !note.isPaused && note.concurrency == nil)
      // If the schema no longer contains a job, the job's dead runs are still listed.
      #expect(found.jobs.first { $0.name == "gone" }?.dead == Count(value: 1))
      let coded = try JSONDecoder().decode(Observation.self, from: JSONEncoder().encode(found))
      #expect(coded.at == found.at && coded.jobs.count == found.jobs.count)
    }
  }

  @Test func `what nobody folded is counted, with its age, and no more once it is folded`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.write("a", "b")
      try await queue.test.sql("update event_0 set recorded_at = now() - interval '1 min'")
      let before = try await queue.queue.observe().folding
      #expect(before.events == Count(value: 2) && before.isOfThisServer)
      #expect((60..<120).contains(before.oldestUnfoldedSeconds ?? 0))
      _ = try await queue.queue.foldAtOnce()
      let after = try await queue.queue.observe().folding
      #expect(after.events == Count(value: 0) && after.oldestUnfoldedSeconds == nil)
      // The event log comes from another cluster.
      try await queue.test.sql("update event_position set epoch = epoch + 1")
      #expect(try await !queue.queue.observe().folding.isOfThisServer)
    }
  }

  @Test func `a schedule that is late, a worker that is lost and an open transaction are there`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.test.sql(
        """
        insert into schedule (job, name, expression, missed, next_at, paused_at, in_development)
        values ('note', '', '* * * * *', 'once', now() - interval '5 min', null, false),
          ('note', 'rests', '* * * * *', 'once', now() - interval '5 min', now(), false)
        """)
      try await queue.test.sql(
        """
        insert into worker (id, name, is_direct, pid, heartbeat_at)
        values (gen_random_uuid(), 'gone:1', false, 1, now() - interval '1 min'),
          (gen_random_uuid(), 'here:1', false, 2, now())
        """)
      let holder = try await queue.test.connect()
      let pid = await holder.backend.pid
      try await holder.transaction(in: queue.test.schema) { transaction in
        try await transaction.run(.run(Statement("test/hold", "select pg_sleep(0.05)")))
        let found = try await queue.queue.observe()
        #expect(found.schedules.map(\.name) == ["note", "note/rests"])
        #expect((300..<400).contains(found.schedules[0].lateSeconds ?? 0))
        #expect(found.schedules[1].isPaused && found.schedules[1].lateSeconds == nil)
        #expect(found.workers.filter(\.isLost).map(\.name) == ["gone:1"])
        #expect(found.workers.count == 2)
        // Superusers see all rows. Other tests have separate databases.
        #expect(found.isOldestTransactionSeen)
        #expect(found.oldestTransaction?.pid == Int(pid))
        #expect((found.oldestTransaction?.seconds ?? 0) >= 0.05)
        #expect(found.oldestTransaction?.state == "idle in transaction")
        #expect(found.connections.used >= 2 && found.connections.allowed > found.connections.used)
      }
      await holder.close()
      #expect(try await queue.queue.observe().oldestTransaction?.pid != Int(pid))
    }
  }

  @Test(.sampled())
  func `of more than ten thousand the rest is thought, and no page more is read`()
    async throws
  {
    var pages: [String: Int] = [:]
    let statements: [(String, Statement)] = [
      ("jobs", SQL.Observation.readJobs), ("sample", SQL.Observation.sampleRuns),
      ("dead", SQL.Observation.countDead), ("folding", SQL.Observation.readFolding),
    ]
    for runs in [20_000, 50_000] {
      try await NoteQueue.with { queue in
        // The setting is the same as in transactions with `limit`.
        let database = try #require(try await queue.test.sql("select current_database()").first)
        try await queue.test.sql("alter database \"\(database)\" set enable_bitmapscan = off")
        try await insert(runs, "ready", "now(), now(), now() - n * interval '1 us'", in: queue)
        try await queue.test.sql(
          """
          insert into dead_run (id, job, key, attempt, error)
          select n, 'note', n::text, 1, 'x' from generate_series(1, \(runs)) n
          """)
        try await queue.test.sql(
          """
          select append_events('note.written', array_agg(n::text))::text
          from generate_series(1, \(runs)) n
          """)
        try await queue.test.sql("analyze run")
        let found = try await queue.queue.observe()
        let note = try #require(found.jobs.first { $0.name == "note" })
        #expect(note.ready.isEstimate && note.running.isEstimate && note.dead.isEstimate)
        // An estimate of half the number would be too inaccurate.
        #expect((runs * 3 / 5...runs * 7 / 5).contains(note.ready.value), "\(note.ready)")
        #expect(note.dead.value >= 10_000 && note.delayed == Count(value: 0))
        #expect(found.folding.events.isEstimate)
        #expect((runs * 9 / 10...runs).contains(found.folding.events.value))
        for (name, statement) in statements {
          let lines = try await queue.test.explain(
            statement, "", "", options: "analyze, buffers, costs off, timing off")
          #expect(!lines.joined().contains("Seq Scan on"), "\(name)")
          let read = try TestSchema.pages(in: lines)
          // The statement reads the rows of ten thousand and one runs, and not of all runs.
          if let few = pages[name] { #expect(read <= few * 3 / 2 + 60, "\(name): \(read), \(few)") }
          pages[name] = read
        }
      }
    }
  }

  @Test func `a job's dead runs are counted, however many newer dead runs other jobs have`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.test.sql(
        """
        insert into dead_run (id, job, key, attempt, error)
        select n, case when n <= 10 then 'note' else 'other' end, n::text, 1, 'x'
        from generate_series(1, 10020) n
        """)
      let jobs = try await queue.queue.observe().jobs
      #expect(jobs.first { $0.name == "note" }?.dead == Count(value: 10))
      let other = try #require(jobs.first { $0.name == "other" }?.dead)
      #expect(other.isEstimate && other.value > 10_000)
    }
  }

  @Test func `a connected worker without heartbeats fails, and a dead worker does not`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.test.sql(
        """
        insert into worker (id, name, is_direct, pid, heartbeat_at, common_failures)
        values (gen_random_uuid(), 'killed:1', false, 1, now() - interval '1 min',
          array[row('', 'SQLSTATE 53100', now() - interval '1 min', 1)::common_failure])
        """)
      let dead = try await queue.queue.observe()
      #expect(!dead.hasOnlyFailingWorkers && dead.workers.allSatisfy { $0.failure == nil })
      try await queue.test.sql(
        """
        insert into worker (id, name, is_direct, pid, backend_start, heartbeat_at)
        select gen_random_uuid(), 'silent:1', true, pid, backend_start, now() - interval '20 s'
        from pg_stat_activity where pid = \(await queue.connection.backend.pid)
        """)
      let silent = try await queue.queue.observe()
      #expect(silent.workers.compactMap { $0.failure?.reason } == ["no heartbeat"])
      #expect(silent.hasOnlyFailingWorkers)
      try await queue.test.sql(
        """
        insert into worker (id, name, is_direct, pid)
        values (gen_random_uuid(), 'here:1', false, 2)
        """)
      #expect(try await !queue.queue.observe().hasOnlyFailingWorkers)
    }
  }

  @Test(.sampled()) func `a dashboard sees what the owner sees, and says what it does not`()
    async throws
  {
    let place = try await RolePlace.make()
    let maker = try await place.connect(as: "postgres")
    try await place.run(
      """
      insert into run (job, key, state, due, first_event_at, last_event_at)
      values ('recompute-ranks', 'k', 'ready', now() - interval '1 min', now(), now());
      insert into dead_run (id, job, key, attempt, error) values (9, 'retention', 'k', 1, 'x');
      insert into worker (id, name, is_direct, pid, heartbeat_at)
      values (gen_random_uuid(), 'gone:1', false, 1, now() - interval '1 min')
      """)
    func look(as kind: String) async throws -> Observation {
      try await RoleServer.with(try await place.connect(as: kind)) { connection in
        try await Queue(Session(connection, in: place.schema)).observe()
      }
    }
    // Another session's transaction is open in the meantime.
    let (seen, all) = try await maker.transaction(in: place.schema) { transaction in
      try await transaction.run(.run(Statement("test/hold", "select")))
      return (try await look(as: "dashboard"), try await look(as: "postgres"))
    }
    await maker.close()
    #expect(seen.jobs.map(\.name) == all.jobs.map(\.name) && seen.jobs.count > 5)
    #expect(seen.jobs.map(\.ready) == all.jobs.map(\.ready))
    #expect(seen.jobs.map(\.dead) == all.jobs.map(\.dead))
    #expect(seen.jobs.first { $0.name == "recompute-ranks" }?.ready == Count(value: 1))
    #expect(seen.workers.filter(\.isLost).map(\.name) == ["gone:1"])
    #expect(seen.schedules.count == all.schedules.count && seen.schedules.count > 3)
    #expect(seen.tables.map(\.name) == all.tables.map(\.name) && seen.tables.count == 19)
    #expect(all.isOldestTransactionSeen && all.oldestTransaction != nil)
    #expect(!seen.isOldestTransactionSeen)
    let segment = "select current::text from event_segment where rotated_at <= now()"
    #expect(try await place.rows(segment, as: "dashboard") == ["0"])
    // A role that knows the channel's name can listen, and notifications contain run keys.
    let refused = await #expect(throws: PostgresError.self) {
      try await place.rows("select channel from event_segment", as: "dashboard")
    }
    #expect(refused?.sqlState == "42501")
  }

  @Test func `a dashboard compares payloads of schedules, but reads no payload and no key`()
    async throws
  {
    let place = try await RolePlace.make()
    for columns in ["s.payload::text", "s.key", "s::text"] {
      await expectSQLState("42501", columns) {
        try await place.rows("select \(columns) from schedule s", as: "dashboard")
      }
    }
    try await RoleServer.with(try await place.connect(as: "dashboard")) { connection in
      _ = try await Queue(Session(connection, in: place.schema)).drift([])
    }
    try await place.run(
      "update schedule set payload = '{}' where job = 'retention'",
      """
      insert into schedule (job, name, expression, missed, payload, source, in_development)
      values ('retention', 'ann', 'every 1 s', 'skip', '{}', 'sql', false)
      """)
    #expect(
      try await place.rows(
        """
        select is_other_payload(job, name, null) || ' ' || is_other_payload(job, name, '{}')
        from schedule where job = 'retention' order by name
        """, as: "dashboard") == ["true false", "false false"])
  }

  @Test func `an observation changes nothing, and waits for nobody for long`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      let holder = try await queue.test.connect()
      try await holder.transaction(in: queue.test.schema) { transaction in
        try await transaction.run(.run(Statement("test/lock", "lock table run")))
        try await expectTime(below: .seconds(5), "an observation") {
          let error = await #expect(throws: PostgresError.self) {
            _ = try await queue.queue.observe()
          }
          #expect(error?.sqlState == "55P03")
        }
      }
      await holder.close()
      // The session continues as before.
      #expect(try await queue.queue.foldAtOnce().events == 1)
      let refused = await #expect(throws: PostgresError.self) {
        try await queue.queue.look(
          .run(Statement("test/write", "insert into noted (key) values ('x')")))
      }
      #expect(refused?.sqlState == "25006")
    }
  }

  @Test func `an instant is text of its own, to the microsecond`() throws {
    for micros: Int64 in [0, 1, 1_764_000_000_123_456, -1, -86_400_000_000] {
      let time = Timestamp(microseconds: micros)
      let data = try JSONEncoder().encode([time])
      #expect(try JSONDecoder().decode([Timestamp].self, from: data) == [time])
    }
    #expect(Timestamp(microseconds: 1_500_000).isoText == "1970-01-01T00:00:01.500000Z")
    for text in ["", "Z", "1970-01-01", "1970-01-01T00:00:00.1234567Z", "1970-01-01T00:00:00.+1Z"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([Timestamp].self, from: Data("[\"\(text)\"]".utf8))
      }
    }
  }
}
