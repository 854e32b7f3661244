import BatonJobs
import BatonPostgres
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// The SQL function `backfill_schedule`, which fires past occurrences of schedules that callers make.
@Suite(.timeLimit(.minutes(5))) struct BackfillCallTests {
  private let report = TimedJob<TenantReport>.registered
  private let weekly = TimedJob<Weekly>.registered

  private func with(_ body: (JobTest, Scheduler) async throws -> Void) async throws {
    try await JobTest.noting([report, weekly]) { test in
      try await test.setClock(to: "2024-05-15 12:00:00.5Z")
      // Only the schedules that the test creates fire.
      try await test.sql("update schedule set paused_at = now()")
      let connection = try await test.connect()
      let session = Session(connection, in: test.schema)
      try await body(test, Scheduler(session, jobs: [report, weekly]))
      await connection.close()
    }
  }

  private func backfill(
    _ name: String, _ start: String, _ end: String, _ test: JobTest
  ) async throws -> [String] {
    try await test.sql(
      "select iso_text(t) from backfill_schedule('report', '\(name)', '\(start)', '\(end)') t")
  }

  /// Begins a transaction on a new connection, and executes statements in the transaction.
  private func begin(_ statements: String, _ test: JobTest) async throws -> Connection {
    let connection = try await test.connect()
    try await connection.script(
      Statement(
        "test/begin", "begin; set local search_path to \(test.schema.name); \(statements)"))
    return connection
  }

  @Test func `a backfill fires each occurrence of the range once, like the command`() async throws {
    try await with { test, scheduler in
      try await test.sql(
        "select schedule('report', 'a', cron => '@daily', payload => '{\"n\": 1}')")
      let days = ["2024-05-13T00:00:00Z", "2024-05-14T00:00:00Z", "2024-05-15T00:00:00Z"]
      // The start belongs to the range, the end does not, and the future does not fire.
      #expect(try await backfill("a", "2024-05-13Z", "2024-05-14Z", test) == [days[0]])
      #expect(try await backfill("a", "2024-05-13Z", "2024-05-20Z", test) == [days[1], days[2]])
      #expect(try await backfill("a", "2024-05-13Z", "2024-05-20Z", test) == [])
      let id = ScheduleID(job: "report", name: "a")
      let range = Int64(1_715_558_400)..<Int64(1_715_817_600)
      #expect(try await scheduler.backfill(id, range, isDryRun: true) == [])
      #expect(try await test.events() == days.map { "enqueue/report \($0)/a" })
      #expect(try await test.count("event where payload ->> 'n' = '1'") == 3)
      #expect(
        try await test.sql("select payload ->> 'scheduled_at' from event order by id") == days)
      #expect(try await test.occurrences() == days.map { "report/a \($0) backfilled" })
      try await test.drain()
      #expect(try await test.count("noted") == 3)
    }
  }

  @Test func `a backfill fires skipped occurrences, with the key of the schedule`() async throws {
    try await with { test, scheduler in
      try await test.sql(
        "select schedule('report', 'a', every => '1 hour', key => 'k', missed => 'skip')")
      try await test.setClock(to: "2024-05-15 15:30Z")
      #expect(try await scheduler.fireDue() == 0)
      #expect(
        try await test.occurrences().map { $0.suffix(7) } == ["skipped", "skipped", "skipped"])
      #expect(try await backfill("a", "2024-05-15 12:30Z", "2024-05-15 15:30Z", test).count == 3)
      #expect(
        try await test.events() == ["enqueue/report k", "enqueue/report k", "enqueue/report k"])
    }
  }

  @Test func `a backfill is part of the caller's transaction`() async throws {
    try await with { test, _ in
      let calls = """
        select schedule('report', 'a', cron => '@daily');
        select backfill_schedule('report', 'a', '2024-05-13Z', '2024-05-16Z')
        """
      for end in ["rollback", "commit"] {
        let caller = try await begin(calls, test)
        try await caller.script(Statement("test/end", end))
        await caller.close()
        let count = end == "commit" ? 3 : 0
        #expect(try await test.count("event") == count)
        #expect(try await test.count("occurrence") == count)
      }
    }
  }

  @Test func `the schedule does not fire while a backfill is open, and then fires the rest`()
    async throws
  {
    try await with { test, scheduler in
      try await test.sql("select schedule('report', 'a', every => '1 hour', missed => 'all')")
      try await test.setClock(to: "2024-05-15 15:30Z")
      let call = "select backfill_schedule('report', 'a', '2024-05-15 13:00Z', '2024-05-15 15:00Z')"
      let caller = try await begin(call, test)
      #expect(try await scheduler.fireDue() == 0)
      try await caller.script(Statement("test/end", "commit"))
      await caller.close()
      #expect(try await scheduler.fireDue() == 1)
      #expect(
        try await test.occurrences() == [
          "report/a 2024-05-15T13:00:00Z backfilled", "report/a 2024-05-15T14:00:00Z backfilled",
          "report/a 2024-05-15T15:00:00Z fired",
        ])
      #expect(try await test.events().count == 3)
    }
  }

  @Test func `the command's backfill waits for a removal, and then finds no schedule`()
    async throws
  {
    try await with { test, scheduler in
      try await test.sql("select schedule('report', 'a', cron => '@daily')")
      let caller = try await begin("select remove_schedule('report', 'a')", test)
      let process = Call.row(Statement("test/process", "select pg_backend_pid()")) {
        (row) throws(PostgresError) in try row.decode(Int32.self)
      }
      let pid = try await caller.run(process)
      let id = ScheduleID(job: "report", name: "a")
      let backfill = Task {
        try await scheduler.backfill(id, 1_715_558_400..<1_715_817_600, isDryRun: false)
      }
      try await eventually("a backfill that waits") {
        try await test.count("pg_stat_activity where \(pid) = any (pg_blocking_pids(pid))") == 1
      }
      try await caller.script(Statement("test/end", "commit"))
      await caller.close()
      await #expect(throws: ScheduleProblem.missing(id)) { try await backfill.value }
      #expect(try await test.count("event") == 0)
      #expect(try await test.count("occurrence") == 0)
    }
  }

  @Test(
    .sampled(),
    arguments: [
      ("'report', 'none', '2024-05-13Z', '2024-05-14Z'", "ZB018"),
      ("'weekly', '', '2024-05-13Z', '2024-05-14Z'", "ZB018"),
      ("null, null, null, null", "ZB018"),
      ("'report', 'a', '2024-05-14Z', '2024-05-14Z'", "ZB017"),
      ("'report', 'a', '2024-05-14Z', null", "ZB017"),
      ("'report', 'a', '-infinity', '2024-05-14Z'", "ZB017"),
      ("'report', 'a', '2024-05-14Z', '2024-05-14 02:46:41Z'", "ZB017"),
      ("'report', 'retired', '2024-05-13Z', '2024-05-14Z'", "ZB016"),
    ])
  func `a bad call is refused, and nothing fires`(call: String, state: String) async throws {
    try await with { test, _ in
      try await test.sql("select schedule('report', 'a', every => '1 second')")
      try await test.sql("select schedule('report', 'retired', every => '1 hour')")
      if state == "ZB016" {
        try await test.sql("update job set retired_at = now() where name = 'report'")
      }
      let error = await #expect(throws: PostgresError.self) {
        try await test.sql("select backfill_schedule(\(call))")
      }
      #expect(error?.sqlState == SQLState(stringLiteral: state))
      #expect(error?.hint?.hasPrefix("Nothing was") == true)
      #expect(try await test.count("event") == 0)
      #expect(try await test.count("occurrence") == 0)
    }
  }

  @Test(.sampled()) func `ten thousand occurrences are the most in one call`() async throws {
    try await with { test, _ in
      try await test.sql("select schedule('report', 'a', every => '1 second', key => 'k')")
      let fired = try await backfill("a", "2024-05-14Z", "2024-05-14 02:46:40Z", test)
      #expect(fired.count == 10_000)
      #expect(try await test.count("event") == 10_000)
    }
  }
}
