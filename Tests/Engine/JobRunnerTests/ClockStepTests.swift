import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests a server whose clock was years ahead and is then corrected.
///
/// Nothing may wait for these years.
@Suite(.timeLimit(.minutes(5))) struct ClockStepTests {
  /// Follows the clock, as a worker does every ten seconds.
  @discardableResult
  private func follow(_ test: JobTest, _ jobs: [RegisteredJob] = []) async throws -> Duration? {
    let connection = try await test.connect()
    let back = try await Queue(Session(connection, in: test.schema)).followClock(of: jobs).back
    await connection.close()
    return back
  }

  private func fold(_ test: JobTest) async throws {
    let connection = try await test.connect()
    _ = try await Queue(Session(connection, in: test.schema)).fold()
    await connection.close()
  }

  @Test func `a clock that only goes on changes nothing`() async throws {
    try await NoticeBoard.with { test in
      try await test.sql("select enqueue('notice', 'later', run_at => '2200-01-01')")
      try await test.sql("select append_events('notice.given', '{quiet}')")
      try await fold(test)
      let before = try await test.sql("select key, due, backoff_until from run order by key")
      #expect(try await follow(test) == nil)
      #expect(try await follow(test) == nil)
      #expect(try await test.sql("select key, due, backoff_until from run order by key") == before)
      let seen = try await test.sql(
        "select seen_at between clock_timestamp() - interval '1 minute' and clock_timestamp() from server_clock"
      )
      #expect(seen == ["t"])
    }
  }

  @Test func `debounces and backoffs end, and a time that was asked for stays`() async throws {
    try await NoticeBoard.with { test in
      try await test.sql("select enqueue('notice', 'asked', run_at => '2200-01-01')")
      try await test.sql("select append_events('notice.given', '{quiet, failed}')")
      try await fold(test)
      // Changes the rows as if they had been written three years ahead, with a debounce of 2
      // minutes and a backoff of one minute.
      try await test.sql(
        """
        update run set first_event_at = now() + interval '3 years', last_event_at = now() + interval '3 years',
          due = now() + interval '3 years 2 minutes' where key = 'quiet'
        """)
      try await test.sql(
        """
        update run set last_event_at = now() + interval '3 years', attempt = 4,
          due = now() + interval '3 years 1 minute', backoff_until = now() + interval '3 years 1 minute'
        where key = 'failed'
        """)
      try await test.sql("update server_clock set seen_at = now() + interval '3 years'")
      let back = try #require(try await follow(test))
      #expect(back > .seconds(3 * 365 * 86_400))
      let waits = try await test.sql(
        """
        select key, due <= now() + interval '130 seconds',
          coalesce(backoff_until <= now() + interval '70 seconds', true),
          coalesce(last_event_at <= now(), true), attempt
        from run order by key
        """)
      #expect(waits == ["asked,f,t,t,0", "failed,t,t,t,4", "quiet,t,t,t,0"])
      #expect(
        try await test.sql("select iso_text(due) from run where key = 'asked'")
          == ["2200-01-01T00:00:00Z"])
      #expect(try await follow(test) == nil)
    }
  }

  @Test func `a time that was asked for stays if the run has an event, too`() async throws {
    try await NoticeBoard.with { test in
      try await test.sql(
        "select enqueue('notice', 'both', run_at => now() + interval '1 hour')")
      try await test.sql("select append_events('notice.given', '{both}')")
      try await fold(test)
      // Changes the row as if the event had been recorded three years ahead.
      try await test.sql(
        """
        update run set first_event_at = now() + interval '3 years', last_event_at = now() + interval '3 years',
          due = run_at
        """)
      try await test.sql("update server_clock set seen_at = now() + interval '3 years'")
      try await follow(test)
      #expect(try await test.sql("select due = run_at, last_event_at <= now() from run") == ["t,t"])
    }
  }

  @Test func `a rate, a dead worker and the event log go on`() async throws {
    try await NoticeBoard.with { test in
      try await test.sql(
        """
        insert into job_limit (job, start_interval, burst, group_interval, group_burst, rested_at)
        values ('notice', '1 second', 5, '2 seconds', 2, now() + interval '3 years')
        """)
      try await test.sql(
        """
        insert into limit_start (job, group_key, rested_at)
        select 'notice', g, now() + interval '3 years' from unnest(array[null, 'a', 'b']) g
        """)
      try await test.sql(
        "insert into held_group (job, group_key, due) values ('notice', 'a', now() + interval '3 years')"
      )
      try await test.sql("update server_clock set seen_at = now() + interval '3 years'")
      try await test.sql(
        """
        insert into worker (id, name, is_direct, pid, heartbeat_at, missing_since)
        values (gen_random_uuid(), 'w', false, 0, now() + interval '3 years', now() + interval '3 years')
        """)
      try await test.sql(
        "insert into worker_death values (gen_random_uuid(), false, now() + interval '3 years')")
      try await test.sql("update event_segment set rotated_at = now() + interval '3 years'")
      try await follow(test)
      try await test.sql("select rotate_event_log()")
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      _ = try await queue.reclaim()
      await connection.close()
      let bounds = try await test.sql(
        """
        select (select bool_and(rested_at <= now() + interval '5 seconds') from limit_start),
          (select rested_at is null from job_limit), (select due <= now() from held_group),
          (select heartbeat_at <= now() and missing_since is null from worker),
          (select rotated_at <= now() from event_segment)
        """)
      #expect(bounds == ["t,t,t,t,t"])
    }
  }

  @Test func `the starts of a claim in progress are corrected, too`() async throws {
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      try await test.sql(
        "insert into job_limit (job, group_interval, group_burst) values ('notice', '2 s', 2)")
      try await test.sql("update server_clock set seen_at = now() + interval '3 years'")
      let back = try await test.duringClaim(of: "notice", storing: "3 years") {
        try await queue.followClock(of: []).back
      }
      #expect(back != nil)
      #expect(try await test.hasEarlyTimes(within: "5 seconds") == ["t,t"])
      await connection.close()
    }
  }

  @Test func `a throttled key does not wait for a time that a wrong clock has stored`()
    async throws
  {
    try await NoticeBoard.with { test in
      try await test.sql("update job set every = '1 hour' where name = 'notice'")
      try await test.sql(
        """
        insert into recent_run (job, key, free_at)
        values ('notice', 'late', now() + interval '1 day'), ('notice', 'due', now() + interval '90 minutes')
        """)
      try await test.sql("update server_clock set seen_at = now() + interval '1 day'")
      try await follow(test)
      #expect(try await test.sql("select key from recent_run") == ["due"])
    }
  }

  @Test func `a schedule fires at its next time, and not in years`() async throws {
    let hourly = TimedJob<Hourly>.registered
    try await JobTest.noting([hourly]) { test in
      try await test.setClock(to: "2024-05-15 12:30Z")
      try await test.fireSchedules()
      let next = try await test.sql("select iso_text(next_at) from schedule")
      #expect(next == ["2024-05-15T13:00:00Z"])
      // The schedule fired while the clock was wrong.
      try await test.sql("update schedule set next_at = '2027-01-01 00:00Z'")
      try await follow(test, [hourly])
      #expect(try await test.sql("select iso_text(next_at) from schedule") == next)
    }
  }

  @Test func `schedules of jobs that the worker does not contain are corrected`() async throws {
    let hourly = TimedJob<Hourly>.registered
    try await JobTest.noting([hourly]) { test in
      try await test.setClock(to: "2024-05-15 12:30Z")
      try await test.sql("update schedule set next_at = '2027-01-01 00:00Z'")
      try await test.sql("update server_clock set seen_at = now() + interval '3 years'")
      #expect(try await follow(test) != nil)
      #expect(
        try await test.sql("select iso_text(next_at) from schedule") == ["2024-05-15T13:00:00Z"])
    }
  }

  @Test func `an occurrence that was skipped while the clock was fast fires at its time`()
    async throws
  {
    let hourly = TimedJob<Hourly>.registered
    try await JobTest.noting([hourly]) { test in
      try await test.setClock(to: "2024-05-15 12:30Z")
      try await test.setClock(to: "2024-05-15 14:30Z")
      #expect(try await test.fireSchedules() == 0)
      #expect(
        try await test.occurrences() == [
          "hourly 2024-05-15T13:00:00Z skipped", "hourly 2024-05-15T14:00:00Z skipped",
        ])
      // The clock is corrected.
      try await test.setClock(to: "2024-05-15 12:31Z")
      try await follow(test, [hourly])
      try await test.setClock(to: "2024-05-15 13:00Z")
      #expect(try await test.fireSchedules() == 1)
      #expect(try await test.fireSchedules() == 0)
      #expect(try await test.events() == ["enqueue/hourly scheduled"])
      #expect(
        try await test.sql("select outcome, fired_at <= domain_now() from occurrence order by 1")
          == ["fired,t", "skipped,f"])
    }
  }

  @Test func `an occurrence that fired while the clock was fast does not fire again`()
    async throws
  {
    let eachWeek = TimedJob<EachWeek>.registered
    try await JobTest.noting([eachWeek]) { test in
      try await test.setClock(to: "2024-05-15 12:00Z")
      // The clock is more than 400 days fast.
      try await test.setClock(to: "2025-09-29 12:00Z")
      #expect(try await test.fireSchedules() == 72)
      // The clock is corrected.
      try await test.setClock(to: "2024-05-15 12:01Z")
      try await follow(test, [eachWeek])
      try await test.setClock(to: "2024-05-20 00:00Z")
      #expect(try await test.fireSchedules() == 0)
      #expect(try await test.count("occurrence") == 72)
      // The occurrences are forgotten 400 days after they fired.
      try await test.setClock(to: "2027-01-04 00:00Z")
      try await test.fireSchedules()
      #expect(try await test.count("occurrence where fired_at < '2027-01-01'") == 0)
    }
  }

  @Test func `failures in the future are not recent`() async throws {
    try await NoticeBoard.with { test in
      try await test.sql(
        """
        insert into failed_attempt (run_id, job, key, attempt, began_at, ended_at, error)
        select 1, 'notice', 'a', n, now(), now() + interval '3 years', 'x' from generate_series(1, 20) n
        """)
      let connection = try await test.connect()
      let session = Session(connection, in: test.schema)
      let count = Call.row(SQL.Queue.countRecentFailures, 1 as Int64) {
        (row) throws(PostgresError) in try row.decode(Int64.self)
      }
      #expect(try await session.atomically(count) == 0)
      await connection.close()
    }
  }

  @Test func `an event from before the correction does not delay its run`() async throws {
    try await NoticeBoard.with { test in
      try await test.sql("select append_events('notice.given', '{early}')")
      try await test.sql("update event_0 set recorded_at = recorded_at + interval '3 years'")
      try await fold(test)
      // The debounce is 2 minutes.
      #expect(
        try await test.sql(
          "select due <= now() + interval '130 seconds', first_event_at <= now() from run")
          == ["t,t"])
    }
  }
}
