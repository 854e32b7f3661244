import BatonJobs
import BatonPostgres
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests a run that another transaction changes between its selection by a claim and its lock.
@Suite struct StaleClaimTests {
  @Test func `a claim by group leaves a timer that was moved meanwhile`() async throws {
    try await Meter.with { meter in
      try await meter.ask(
        "select enqueue('meter', 'k', '{\"tenant\": \"a\"}', run_at => now() - interval '1 s')")
      let claimed = try await meter.stalled {
        try await meter.claim(MeterJob.registered)
      } meanwhile: {
        try await meter.askElsewhere(
          """
          select enqueue('meter', 'k', '{"tenant": "a"}', run_at => now() + interval '1 h', replace => true)
          """)
      }
      #expect(claimed == [])
      #expect(try await meter.test.sql("select state, due > now() from run") == ["ready,t"])
    }
  }

  @Test func `a claim by group leaves a run that was moved to a full group meanwhile`() async throws
  {
    try await Meter.with { meter in
      try await meter.ask(
        "select enqueue('meter', n::text, '{\"tenant\": \"b\"}') from generate_series(1, 2) n")
      #expect(try await meter.claim(MeterJob.registered).count == 2)
      try await meter.ask("select enqueue('meter', 'k', '{\"tenant\": \"a\"}')")
      let claimed = try await meter.stalled {
        try await meter.claim(MeterJob.registered)
      } meanwhile: {
        try await meter.askElsewhere("select enqueue('meter', 'k', '{\"tenant\": \"b\"}')")
      }
      #expect(claimed == [])
      #expect(try await meter.test.sql("select group_key from run where key = 'k'") == ["b"])
    }
  }

  @Test func `a run that joins a smaller batch meanwhile is not held`() async throws {
    try await Meter.with { meter in
      try await meter.ask(
        "select enqueue('meter', n::text, '{\"tenant\": \"b\"}') from generate_series(1, 3) n")
      #expect(try await meter.claim(MeterJob.registered).count == 2)
      try await meter.test.sql("update run set is_held = false")
      let held = try await meter.stalled {
        try await meter.session.atomically(
          QueueCalls.holdFullGroups(MeterJob.definition.job, from: QueueFront.Marks()))
      } meanwhile: {
        // The change is the same as that of a release that merges another run into this run.
        try await meter.test.sql("update run set batch_limit = 1 where state = 'ready'")
      }
      #expect(held == 0)
    }
  }
}

extension Meter {
  /// Runs `body`, which reads due runs, and runs `change` after the statement's snapshot and before
  /// its first lock.
  fileprivate func stalled<R: Sendable>(
    _ body: @escaping @Sendable () async throws -> R, meanwhile change: () async throws -> Void
  ) async throws -> R {
    let gate = try await test.connect()
    let lock = Statement("test/close_gate", "select pg_advisory_lock(78)")
    try await gate.run(.count(lock))
    try await test.sql(
      """
      create function is_past_gate() returns boolean language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(77);
        while not pg_try_advisory_xact_lock_shared(78) loop perform pg_sleep(0.002); end loop;
        return true;
      end $$
      """)
    let view = try await test.sql(
      "select pg_get_viewdef('due_run'::regclass)")[0].replacing("\"", with: "")
    try await test.sql(
      "create or replace view due_run with (security_invoker = true) as "
        + view.replacing(";", with: " and (select is_past_gate())"))
    let working = Task { try await body() }
    try await eventually("the statement at the gate") {
      try await test.sql(
        """
        select count(*) from pg_locks l join pg_database d on d.oid = l.database
        where l.locktype = 'advisory' and l.objid = 77 and d.datname = current_database()
        """) == ["1"]
    }
    try await change()
    await gate.close()
    return try await working.value
  }

  /// Enqueues runs and folds them on another connection.
  fileprivate func askElsewhere(_ sql: String) async throws {
    try await test.sql(sql)
    let connection = try await test.connect()
    _ = try await Queue(Session(connection, in: test.schema)).fold()
    await connection.close()
  }
}
