import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests limits across all workers: which runs may start, and the cost of a full group for others.
@Suite struct LimitTests {
  private static let meter = MeterJob.registered
  private static let rated = RatedJob.registered
  private static let region = RegionJob.registered

  @Test func `no more run at once than the limit says, whoever claims`() async throws {
    try await Meter.with { meter in
      try await meter.ask(
        """
        select enqueue('meter', n::text, jsonb_build_object('tenant', n)) from generate_series(1, 20) n
        """)
      #expect(try await meter.claim(Self.meter).count == 4)
      #expect(try await meter.claim(Self.meter).count == 1)
      #expect(try await meter.claim(Self.meter) == [])
      // No worker is woken for a run that cannot start.
      #expect(try await meter.isDue(Self.meter) == false)
      let running = try await meter.test.sql("select key from run where state = 'running' limit 1")[
        0]
      try await meter.end(running)
      #expect(try await meter.isDue(Self.meter))
      #expect(try await meter.claim(Self.meter).count == 1)
    }
  }

  @Test func `a full group holds up no other`() async throws {
    try await Meter.with { meter in
      try await meter.ask(
        "select enqueue('meter', 'a' || n, '{\"tenant\": \"a\"}') from generate_series(1, 30) n")
      try await meter.test.sql(
        "update run set due = now() - interval '1 h' + substr(key, 2)::integer * interval '1 s'")
      #expect(try await meter.claim(Self.meter) == ["a1", "a2"])
      try await meter.ask(
        "select enqueue('meter', 'b' || n, '{\"tenant\": \"b\"}') from generate_series(1, 3) n")
      #expect(try await meter.claim(Self.meter).map(\.first) == ["b", "b"])
      #expect(try await meter.claim(Self.meter) == [])
      let held = try await meter.test.sql("select count(*) from run where is_held")
      #expect(held == ["29"])
      // The oldest run starts first, as if no run had been held.
      try await meter.end("a1")
      #expect(try await meter.claim(Self.meter) == ["a3"])
      try await meter.end("a2", "a3", "b1", "b2")
      #expect(try await meter.claim(Self.meter) == ["a4", "a5", "b3"])
    }
  }

  @Test func `a group is a part of the key, or what the newest payload says`() async throws {
    try await Meter.with { meter in
      try await meter.ask(
        "select enqueue('region', k) from unnest(array['eu/1', 'eu/2', 'us/1', 'asia', 'asia/2']) k"
      )
      let first = try await meter.claim(Self.region)
      #expect(first.map { $0.prefix(2) } == ["as", "eu", "us"])
      try await meter.ask(
        """
        select enqueue('meter', k, '{"tenant": "x"}') from unnest(array['1', '2', '3']) k
        """)
      try await meter.ask("select enqueue('meter', '3', '{\"tenant\": \"y\"}')")
      // A call without a payload does not change the group.
      try await meter.ask("select enqueue('meter', '2')")
      #expect(try await meter.claim(Self.meter) == ["1", "2", "3"])
      let groups = try await meter.test.sql(
        "select key, group_key from run where job = 'meter' order by key")
      #expect(groups == ["1,x", "2,x", "3,y"])
    }
  }

  @Test func `a name too long for an index is a group all the same`() async throws {
    try await Meter.with { meter in
      let long = "jsonb_build_object('tenant', repeat('x', 5000))"
      try await meter.ask("select enqueue('meter', n::text, \(long)) from generate_series(1, 3) n")
      #expect(try await meter.claim(Self.meter).count == 2)
      #expect(try await meter.claim(Self.meter) == [])
    }
  }

  @Test(.sampled()) func `starts are spread as the rate says`() async throws {
    try await Meter.with { meter in
      try await meter.ask("select enqueue('rated', n::text) from generate_series(1, 20) n")
      let began = ContinuousClock.now
      var started = try await meter.claim(Self.rated).count
      #expect(started == 2)
      while began.duration(to: .now) < .seconds(1) {
        started += try await meter.claim(Self.rated).count
        // If a run may not start yet, the poll returns the time of the next start. On a slow
        // machine, that time may have passed already.
        let look = try await Queue(meter.session).poll()
        let mayStart = look.dueJobs.contains { $0.name == "rated" }
        #expect(mayStart || look.nextDue.map { $0 <= .milliseconds(100) } == true)
        try await Task.sleep(for: .milliseconds(5))
      }
      // Two runs at once, and ten starts a second.
      let seconds = began.duration(to: .now) / .seconds(1)
      #expect(Double(started) <= 2 + seconds * 10)
      // After a pause, the number of starts is at most the burst.
      try await meter.test.sql("delete from limit_start where job = 'rated'")
      #expect(try await meter.claim(Self.rated).count == 2)
    }
  }

  @Test(.sampled()) func `retries count as starts, and runs by hand are refused`() async throws {
    try await Meter.with { meter in
      for statement in [
        "create table counted (rested_at timestamptz)",
        """
        create function note_start() returns trigger language plpgsql as $$
        begin
          insert into counted values (new.rested_at);
          return null;
        end $$
        """,
        "create trigger note_start after insert on limit_start for each row execute function note_start()",
      ] { try await meter.test.sql(statement) }
      let worker = meter.test.worker([Self.rated])
      async let working: Void = worker.run()
      try await meter.test.sql("select enqueue('rated', 'bad' || n) from generate_series(1, 2) n")
      try await eventually("both are done") {
        try await meter.test.sql(
          "select (select count(*) from noted) >= 2 and not exists (select from run)") == ["t"]
      }
      worker.stop()
      try await working
      // Each run starts three times or more, and at most two starts are in the first row. Each
      // later start adds 100 ms, also if a slow machine adds more.
      let added = try await meter.test.sql(
        "select max(rested_at) - min(rested_at) >= interval '390 ms' from counted")
      #expect(added == ["t"])
      try await meter.test.sql(
        "insert into limit_start (job, group_key, rested_at) values ('rated', null, clock_timestamp() + interval '1 h')"
      )
      let runner = meter.test.inlineRunner(Self.rated)
      #expect(try await runner.work(key: "x", patience: .milliseconds(200)) == .alreadyRunning)
      #expect(try await meter.test.count("run") == 0)
      try await meter.test.sql("delete from limit_start")
      let done = try await meter.test.inlineRunner(Self.rated).work(key: "x")
      guard case .done = done else { Issue.record("\(done)"); return }
    }
  }

  @Test func `by hand a full group is refused too`() async throws {
    try await Meter.with { meter in
      try await meter.ask("select enqueue('region', 'eu/1')")
      #expect(try await meter.claim(Self.region) == ["eu/1"])
      let runner = meter.test.inlineRunner(Self.region)
      #expect(try await runner.work(key: "eu/2", patience: .milliseconds(100)) == .alreadyRunning)
      let other = try await meter.test.inlineRunner(Self.region).work(key: "us/2")
      guard case .done = other else { Issue.record("\(other)"); return }
    }
  }

  @Test func `limits hold for runs that are claimed apart`() async throws {
    try await Meter.with { meter in
      try await meter.ask(
        "select enqueue('region', k) from unnest(array['eu/1', 'eu/2', 'us/1']) k")
      #expect(try await meter.claim(Self.region, 1) == ["eu/1"])
      let worker = UUID()
      let quarantined = QueueCalls.claimQuarantined(
        Self.region.definition, limit: 10, token: UUID(), worker: worker)
      let alone = QueueCalls.claimAlone(Self.region.definition, token: UUID(), worker: worker)
      try await meter.test.sql("update run set batch_limit = 10 where key = 'eu/2'")
      #expect(
        try await meter.session.claimInTurn(Self.region.definition, limit: 10) { _, _ in quarantined
        }
        .isEmpty)
      try await meter.test.sql("update run set batch_limit = -1 where key = 'eu/2'")
      #expect(
        try await meter.session.claimInTurn(Self.region.definition, limit: 1) { _, _ in alone }
          .isEmpty
      )
      // No worker stops its other runs for a run that cannot start.
      #expect(try await Queue(meter.session).poll().jobsWorkedAlone == [])
      try await meter.end("eu/1")
      #expect(try await Queue(meter.session).poll().jobsWorkedAlone == ["region"])
      let taken = try await meter.session.claimInTurn(Self.region.definition, limit: 1) { _, _ in
        alone
      }
      #expect(taken.map(\.key) == ["eu/2"])
    }
  }

  @Test func `a program that knows of no limit claims by what the schema says`() async throws {
    try await Meter.with { meter in
      try await meter.ask("select enqueue('region', 'eu/' || n) from generate_series(1, 3) n")
      let plain = try await meter.session.atomically(
        QueueCalls.claim(
          Self.region.definition, token: UUID(), worker: UUID()))
      #expect(plain.isEmpty)
      #expect(try await meter.claim(Self.region).count == 1)
      #expect(try await meter.claim(Self.region) == [])
      // If the limit is removed while runs are held, these runs start as well. After that, no
      // statement checks limits.
      try await meter.session.atomically(
        Self.noLimits(of: "region"))
      #expect(try await meter.claim(Self.region) == ["eu/2", "eu/3"])
      let order = try await meter.session.atomically(
        QueueCalls.readClaimOrder(Self.region.definition))
      #expect(order.rawValue == "limit")
      try await Queue(meter.session).define([MeterJob.registered])
      try await meter.session.atomically(
        Self.noLimits(of: "region"))
      let last = try await meter.session.atomically(
        QueueCalls.readClaimOrder(Self.region.definition))
      #expect(last.rawValue == "plain")
    }
  }

  private static func noLimits(of job: String) -> Call<Void> {
    .run(
      SQL.Workers.defineLimits, job, Int32?.none, Int32?.none, String?.none, String?.none,
      Int32?.none, Int64?.none, Int32?.none, Int64?.none, Int32?.none)
  }

  @Test func `a retried run that changes the group leaves the earlier group's queue`()
    async throws
  {
    try await Meter.with { meter in
      try await meter.ask("select enqueue('meter', 'k', '{\"tenant\": \"a\"}')")
      func die(_ id: Int64, _ tenant: String) async throws {
        try await meter.test.sql("update run set is_held = true")
        try await meter.test.sql(
          """
          insert into dead_run (id, job, key, payload, attempt, error, payload_event, newest_event)
          values (\(id), 'meter', 'k', '{"tenant": "\(tenant)"}', 1, 'x', \(id), \(id))
          """)
      }
      let (first, second): (Int64, Int64) = (1_000_000_000, 1_000_000_001)
      try await die(first, "b")
      _ = try await meter.session.atomically(.count(SQL.Runs.retry, [first]))
      #expect(try await meter.test.sql("select group_key, is_held from run") == ["b,f"])
      try await die(second, "b")
      try await meter.test.sql("select setval('event_id_seq', \(second))")
      _ = try await meter.session.atomically(
        .count(SQL.Runs.retryEdited, second, #"{"tenant": "c"}"#))
      #expect(try await meter.test.sql("select group_key, is_held from run") == ["c,f"])
    }
  }

  /// A claim would visit each group without finding a due run.
  @Test func `held runs that are due later start no claim`() async throws {
    try await Meter.with { meter in
      try await meter.test.sql(
        """
        select enqueue('region', 'eu/' || n, run_at => now() + interval '30 seconds')
        from generate_series(1, 150) n
        """)
      _ = try await Queue(meter.session).fold()
      #expect(try await meter.test.sql("select count(*) from run where is_held") == ["0"])
      // A worker of an earlier release holds runs that are due later.
      try await meter.test.sql("update run set is_held = true")
      let poll = try await Queue(meter.session).poll()
      #expect(poll.dueJobs.isEmpty)
      let next = try #require(poll.nextDue)
      #expect(next > .seconds(10) && next <= .seconds(30))
      try await meter.ask("update run set due = now() where key = 'eu/7'")
      #expect(try await meter.claim(Self.region) == ["eu/7"])
    }
  }

  /// Each transaction holds at most a few thousand runs, so that dispatches can change the others.
  @Test(.sampled()) func `a claim holds the runs of full groups in several transactions`()
    async throws
  {
    try await Meter.with { meter in
      try await meter.test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, group_key)
        select 'region', 'eu/' || n, 'ready', now() - interval '1 hour' + n * interval '1 us', now(), now(), 'eu'
        from generate_series(1, 7000) n
        """)
      try await meter.test.sql(
        "create table held as select pg_current_xact_id() as xact, 0::bigint as runs limit 0")
      for statement in [
        """
        create function count_held() returns trigger language plpgsql as $$
        begin
          insert into held select pg_current_xact_id(), count(*) from changed where is_held;
          return null;
        end $$
        """,
        """
        create trigger count_held after update on run referencing new table as changed
        for each statement execute function count_held()
        """,
      ] { try await meter.test.sql(statement) }
      #expect(try await meter.claim(Self.region, 1).count == 1)
      #expect(try await meter.claim(Self.region) == [])
      #expect(
        try await meter.test.sql(
          "select sum(runs), max(runs) <= 3000 from (select sum(runs) as runs from held group by xact) h"
        )
          == ["6999,t"])
    }
  }

  @Test func `a claim of a job with limits waits for the disk`() async throws {
    try await Meter.with { meter in
      for statement in [
        "create table seen (value text)",
        """
        create function note_setting() returns trigger language plpgsql as $$
        begin
          insert into seen values (current_setting('synchronous_commit'));
          return null;
        end $$
        """, "create trigger note_setting after update on run execute function note_setting()",
      ] { try await meter.test.sql(statement) }
      try await meter.ask("select enqueue('region', 'eu/1')")
      try await meter.test.sql("delete from seen")
      #expect(try await meter.claim(Self.region) == ["eu/1"])
      #expect(try await meter.test.sql("select distinct value from seen") == ["on"])
    }
  }

  @Test func `a claim of quarantined runs waits for the job's turn for about a second`()
    async throws
  {
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let session = Session(connection, in: test.schema)
      try await Queue(session).define([Self.region])
      let job = Self.region.definition
      try await test.holding("select from job_limit where job = 'region' for update") { _ in
        let claimer = Claimer(of: job, from: QueueFront())
        try await expectTime(below: .seconds(3) * patience, "a claim of quarantined runs") {
          await #expect(throws: PostgresError.self) {
            try await claimer.claimApart(job, limit: 1, on: session) { limit, _ in
              QueueCalls.claimQuarantined(job, limit: limit, token: UUID(), worker: UUID())
            }
          }
        }
      }
      await connection.close()
    }
  }

  /// `BATON_QUEUE_RUNS=1000000` tests the full size.
  @Test(.sampled()) func `what a full group holds back costs others nothing`() async throws {
    let many = ProcessInfo.processInfo.environment["BATON_QUEUE_RUNS"].flatMap { Int($0) } ?? 30_000
    let few = try await pages(beside: 1_000)
    var more = try await pages(beside: many)
    // While another test's snapshot is open, obsolete index entries are read once more.
    for _ in 1...3 where Double(more) > Double(few) * 1.5 + 20 {
      more = min(more, try await pages(beside: many))
    }
    print("pages of a claim beside 1,000 runs of a full group: \(few); beside \(many): \(more)")
    #expect(few > 0)
    #expect(Double(more) <= Double(few) * 1.5 + 20)
  }

  private func pages(beside runs: Int) async throws -> Int {
    var pages = 0
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let session = Session(connection, in: test.schema)
      try await Queue(session).define([Self.region])
      try await test.sql(
        "select enqueue('region', 'full/' || n) from generate_series(1, \(runs)) n")
      _ = try await Queue(session).foldAtOnce()
      let claimer = Claimer(of: Self.region.definition, from: QueueFront())
      let first = try await claimer.claim(
        Self.region.definition, limit: 10, token: UUID(), worker: UUID(), on: session,
        while: { true })
      #expect(first.count == 1)
      try await test.sql("select enqueue('region', 'other/' || n) from generate_series(1, 10) n")
      _ = try await Queue(session).foldAtOnce()
      try await test.sql("analyze run")
      let lines = try await test.explain(
        SQL.Queue.claimByGroup,
        "text, bigint, uuid, uuid, boolean, text, boolean, int[], timestamptz[], bigint[], timestamptz, boolean, boolean",
        "'region', 10, gen_random_uuid(), gen_random_uuid(), false, '', false, '{}', '{}', '{}', null, true, false",
        options: "analyze, buffers, costs off, timing off")
      #expect(!lines.joined().contains("Seq Scan on run"))
      pages = try TestSchema.pages(in: lines)
      await connection.close()
    }
    return pages
  }
}
