import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests schedules that callers create at run time.
@Suite(.timeLimit(.minutes(5))) struct MadeScheduleTests {
  private let report = TimedJob<TenantReport>.registered
  private let weekly = TimedJob<Weekly>.registered

  private func with(_ body: (JobTest, Queue, Scheduler) async throws -> Void) async throws {
    try await JobTest.noting([report, weekly]) { test in
      try await test.setClock(to: "2024-05-15 12:00:00.5Z")
      // Only the schedules that the test creates fire.
      try await test.sql("update schedule set paused_at = now()")
      let connection = try await test.connect()
      let session = Session(connection, in: test.schema)
      try await body(test, Queue(session), Scheduler(session, jobs: [report, weekly]))
      await connection.close()
    }
  }

  private func made(_ test: JobTest) async throws -> [String] {
    try await test.sql(
      """
      select schedule_name || '|' || expression || '|' || coalesce(time_zone, '-') || '|' || missed
        || '|' || coalesce(iso_text(next_at), '-') as line
      from list_schedules('report')
      """)
  }

  @Test func `a schedule has a first occurrence before the commit, and fires with its payload`()
    async throws
  {
    try await with { test, _, scheduler in
      try await test.sql(
        """
        select schedule('report', 'tenant-7', cron => ' 0  0 * * MON ', time_zone => 'Asia/Tokyo',
          payload => '{"tenant": 7}', key => 't7')
        """)
      #expect(
        try await made(test) == ["\"tenant-7|0 0 * * MON|Asia/Tokyo|once|2024-05-19T15:00:00Z\""])
      let listed = try await scheduler.list(of: "report")
      #expect(listed.map(\.nextAt) == ["2024-05-19T15:00:00Z"])
      #expect(listed.map(\.source) == ["sql"])
      #expect(
        try await scheduler.nextFireTimes().map(\.at) == [Timestamp(seconds: 1_716_130_800)])
      #expect(try await scheduler.fireDue() == 0)
      try await test.setClock(to: "2024-05-19 15:00Z")
      #expect(try await scheduler.fireDue() == 1)
      #expect(try await test.events() == ["enqueue/report t7"])
      #expect(
        try await test.sql("select payload from event where key = 't7'")
          == [#""{""tenant"": 7, ""scheduled_at"": ""2024-05-19T15:00:00Z""}""#])
      #expect(try await test.occurrences() == ["report/tenant-7 2024-05-19T15:00:00Z fired"])
    }
  }

  @Test func `a schedule is part of its caller's transaction`() async throws {
    try await with { test, _, scheduler in
      await #expect(throws: PostgresError.self) {
        try await test.sql(
          """
          do $$ begin
            perform schedule('report', 'tenant-7', every => '1 hour');
            raise exception 'the tenant could not be stored';
          end $$
          """)
      }
      #expect(try await made(test).isEmpty)
      // Without a key, the runs have the same keys as those of a schedule in code.
      try await test.sql("select schedule('report', 'a', every => '1 hour')")
      try await test.sql("select schedule('report', 'b', every => '1 hour', missed => 'all')")
      #expect(try await scheduler.fireDue() == 0)
      try await test.setClock(to: "2024-05-15 13:00Z")
      #expect(try await scheduler.fireDue() == 2)
      #expect(
        try await test.events().sorted()
          == ["enqueue/report 2024-05-15T13:00:00Z/b", "enqueue/report scheduled/a"])
    }
  }

  @Test func `an occurrence between the call and the first poll fires`() async throws {
    try await with { test, _, scheduler in
      try await test.sql("select schedule('report', 'a', every => '1 minute', missed => 'all')")
      try await test.setClock(to: "2024-05-15 12:02:30Z")
      #expect(try await scheduler.fireDue() == 2)
      #expect(
        try await test.occurrences() == [
          "report/a 2024-05-15T12:01:00Z fired", "report/a 2024-05-15T12:02:00Z fired",
        ])
    }
  }

  @Test func `a replacement keeps the next occurrence if the times are the same`() async throws {
    try await with { test, _, scheduler in
      try await test.sql("select schedule('report', 'a', cron => '@daily')")
      _ = try await scheduler.fireDue()
      try await test.setClock(to: "2024-05-16 06:00Z")
      try await test.sql(
        "select schedule('report', 'a', cron => '@daily', payload => '{\"v\": 2}', missed => 'all')"
      )
      #expect(try await made(test) == ["a|@daily|UTC|all|2024-05-16T00:00:00Z"])
      try await test.sql(
        "select schedule('report', 'a', cron => '@daily', time_zone => 'Asia/Tokyo')")
      #expect(try await made(test) == ["a|@daily|Asia/Tokyo|once|2024-05-16T15:00:00Z"])
      #expect(try await scheduler.fireDue() == 0)
    }
  }

  @Test func `a registration never touches a schedule that was made at run time`() async throws {
    try await with { test, queue, _ in
      try await test.sql("select schedule('weekly', 'a', every => '1 hour')")
      try await queue.define([report, weekly])
      try await queue.define([TimedJob<WeeklyNoMore>.registered])
      #expect(try await test.sql("select source || name from schedule") == ["sqla"])
      #expect(try await queue.drift([TimedJob<WeeklyNoMore>.registered]).differences.isEmpty)
      // If a program declares a schedule with the name of a schedule that a caller created, the
      // caller's schedule does not change.
      let named = RegisteredJob(NamedWeekly.self) { TimedContext(transaction: $0) }
      try await queue.define([named])
      #expect(
        try await test.sql("select source || name || expression from schedule")
          == ["\"sqlaevery 3600 s\""])
      #expect(
        try await queue.drift([named]).differences == [
          "the schedule a of job weekly was made at run time, so the declared schedule is not registered"
        ])
      #expect(try await test.sql("select remove_schedule('weekly', 'a')") == ["t"])
      try await queue.define([named])
      #expect(try await queue.drift([named]).differences.isEmpty)
      let error = await #expect(throws: PostgresError.self) {
        try await test.sql("select schedule('weekly', 'a', every => '1 hour')")
      }
      #expect(error?.sqlState == "ZB018")
      #expect(error?.hint == "Nothing was scheduled. Choose another name, or change the program.")
    }
  }

  @Test func `a schedule is paused, resumed and removed, but not one of the program`() async throws
  {
    try await with { test, _, scheduler in
      try await test.sql("select schedule('report', 'a', every => '1 hour')")
      try await test.sql("select pause_schedule('report', 'a'), pause_schedule('report', 'a')")
      try await test.setClock(to: "2024-05-15 14:30Z")
      #expect(try await scheduler.fireDue() == 0)
      try await test.sql("select resume_schedule('report', 'a')")
      #expect(try await scheduler.fireDue() == 1)
      #expect(try await test.occurrences() == ["report/a 2024-05-15T14:00:00Z fired"])
      #expect(try await test.sql("select remove_schedule('report', 'a')") == ["t"])
      #expect(try await test.sql("select remove_schedule('report', 'a')") == ["f"])
      #expect(try await made(test).isEmpty)
      for (call, name) in [("pause", "a"), ("resume", "a"), ("pause", ""), ("remove", "")] {
        let job = name.isEmpty ? "weekly" : "report"
        let error = await #expect(throws: PostgresError.self) {
          try await test.sql("select \(call)_schedule('\(job)', '\(name)')")
        }
        #expect(
          error?.sqlState == "ZB018" && error?.hint?.hasPrefix("Nothing was changed.") == true)
      }
      #expect(try await test.count("schedule where source = 'program'") == 1)
    }
  }

  @Test func `a schedule ends with its last occurrence, and is deleted`() async throws {
    try await with { test, _, scheduler in
      let end = "until => '2024-05-15 14:00Z'"
      try await test.sql(
        "select schedule('report', 'a', every => '1 hour', missed => 'all', \(end))")
      try await test.sql("select schedule('report', 'b', every => '1 day', \(end))")
      try await test.sql("select schedule('report', 'c', every => '1 hour', \(end))")
      #expect(try await scheduler.next(5, of: ScheduleID(job: "report", name: "a")).count == 2)
      // The schedule b has no occurrence before its end, so it is not stored.
      #expect(
        try await test.sql("select name from schedule where source = 'sql' order by 1") == [
          "a", "c",
        ])
      try await test.setClock(to: "2024-05-20 00:00Z")
      #expect(try await scheduler.fireDue() == 3)
      #expect(
        try await test.occurrences() == [
          "report/a 2024-05-15T13:00:00Z fired", "report/a 2024-05-15T14:00:00Z fired",
          "report/c 2024-05-15T14:00:00Z fired",
        ])
      #expect(try await made(test).isEmpty)
    }
  }

  @Test func `a backfill uses the schedule's key and payload`() async throws {
    try await with { test, _, scheduler in
      try await test.sql(
        "select schedule('report', 'a', cron => '@daily', payload => '{\"n\": 1}', key => 'k')")
      let id = ScheduleID(job: "report", name: "a")
      let range = Int64(1_715_558_400)..<Int64(1_715_817_600)
      #expect(try await scheduler.backfill(id, range, isDryRun: false).count == 3)
      #expect(try await test.events() == [String](repeating: "enqueue/report k", count: 3))
      #expect(try await test.count("event where payload ->> 'n' = '1'") == 3)
    }
  }

  @Test func `a schedule of a retired job waits, and holds back no other`() async throws {
    try await with { test, queue, scheduler in
      try await test.sql("select schedule('report', 'a', every => '1 hour')")
      try await test.sql("select schedule('weekly', 'b', every => '1 hour')")
      _ = try await scheduler.fireDue()
      #expect(try await queue.retire("report")?.schedules == 0)
      let error = await #expect(throws: PostgresError.self) {
        try await test.sql("select schedule('report', 'c', every => '1 hour')")
      }
      #expect(error?.sqlState == "ZB016")
      try await test.setClock(to: "2024-05-15 13:00Z")
      #expect(try await scheduler.fireDue() == 1)
      #expect(try await test.occurrences() == ["weekly/b 2024-05-15T13:00:00Z fired"])
      _ = try await queue.retire("report", isUndo: true)
      #expect(try await scheduler.fireDue() == 1)
    }
  }

  @Test func `a job that is retired while its schedules fire holds back no other`() async throws {
    try await with { test, _, scheduler in
      try await test.sql("select schedule('report', 'a', every => '1 hour')")
      try await test.sql("select schedule('weekly', 'b', every => '1 hour')")
      _ = try await scheduler.fireDue()
      try await test.setClock(to: "2024-05-15 13:00Z")
      let (locking, retiring) = (try await test.connect(), try await test.connect())
      // The firing has chosen the schedules, and waits for a transaction that stores an occurrence.
      let firing = try await locking.transaction(in: test.schema) { transaction in
        let store = """
          insert into occurrence (job, name, scheduled_at, fired_at, outcome)
          values ('report', 'a', '2024-05-15 13:00Z', now(), 'skipped')
          """
        try await transaction.run(.run(Statement("test/store_occurrence", store)))
        let firing = Task { try await scheduler.fireDue() }
        try await eventually("the firing waits") {
          try await test.sql(
            """
            select count(*) from pg_stat_activity
            where wait_event_type = 'Lock' and datname = current_database()
            """) == ["1"]
        }
        _ = try await Queue(Session(retiring, in: test.schema)).retire("report")
        return firing
      }
      #expect(try await firing.value == 1)
      #expect(
        try await test.sql("select job from occurrence where outcome = 'fired'") == ["weekly"])
      await locking.close()
      await retiring.close()
    }
  }

  @Test func `a late run knows the occurrence for which it was created`() async throws {
    let job = RegisteredJob(Punctual.self) { TimedContext(transaction: $0) }
    try await JobTest.noting([job]) { test in
      try await test.setClock(to: "2024-05-15 12:00Z")
      try await test.sql("select schedule('punctual', 'a', cron => '@daily')")
      try await test.sql("select schedule('punctual', 'b', cron => '@daily', missed => 'all')")
      try await test.setClock(to: "2024-05-16 09:00Z")
      #expect(try await test.drain() == 0)
      #expect(try await test.sql("select key from noted") == ["1715817600", "1715817600"])
    }
  }

  @Test func `occurrences of a removed schedule are deleted after some days`() async throws {
    try await with { test, queue, scheduler in
      for name in ["a", "b"] {
        try await test.sql("select schedule('report', '\(name)', cron => '@daily')")
      }
      _ = try await scheduler.fireDue()
      try await test.setClock(to: "2024-05-16 00:00Z")
      #expect(try await scheduler.fireDue() == 2)
      try await test.sql("select remove_schedule('report', 'a')")
      try await test.setClock(to: "2024-05-22 23:59Z")
      #expect(try await queue.forgetRemoved() == 0)
      #expect(try await test.count("occurrence") == 2)
      try await test.setClock(to: "2024-05-23 00:01Z")
      _ = try await queue.forgetRemoved()
      #expect(try await test.occurrences() == ["report/b 2024-05-16T00:00:00Z fired"])
    }
  }
}

enum TenantReport: TimedKind {
  static let name = "report"
  static let schedule: Schedule? = nil
}

/// A job that records the occurrence of its run.
private struct Punctual: BatchJob {
  static let definition = Definition<Self>("punctual")

  static func run(_ batch: [Run<Self>], in context: TimedContext) async throws {
    for run in batch {
      try await context.note("\(Int(run.scheduledFor.timeIntervalSince1970))", "-")
    }
  }
}

/// The `weekly` job of a program.
///
/// Its only schedule has a name.
private struct NamedWeekly: BatchJob {
  static let definition = Definition<Self>("weekly", on: [.cron("@weekly", named: "a")])

  static func run(_ batch: [Run<Self>], in context: TimedContext) async throws {}
}
