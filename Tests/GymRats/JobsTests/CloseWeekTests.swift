import JobRunner
import JobTesting
import TestSupport
import Testing

@testable import ChallengeJobs
@testable import GymRats

/// Tests that reopened weeks, and weeks whose boards are created late, are closed without a
/// command.
@Suite struct CloseWeekTests {
  private let jobs = [
    GymRats.register(RecomputeRanks.self), GymRats.register(NotifyRankChanges.self),
    GymRats.register(CloseWeek.self),
  ]

  /// Creates two groups with a closed week, on a Wednesday.
  private func withClosedWeek(_ body: (JobTest) async throws -> Void) async throws {
    try await TestSchema.run(jobs) { test in
      try await test.setClock(to: "2024-05-15 12:00Z")
      for group in ["g", "h"] {
        try await test.sql("insert into groups (id, name) values ('\(group)', 'G')")
        try await test.sql("insert into users (id, display_name) values ('\(group)1', 'U')")
        try await test.sql(
          "insert into member (group_id, user_id, joined_at) values ('\(group)', '\(group)1', '2024-05-01')"
        )
        try await test.sql("select record_workout('\(group)1', '1')")
      }
      try await test.setClock(to: "2024-05-22 12:00Z")
      try await test.sql("select enqueue('close-week', 'scheduled')")
      #expect(try await test.drain() == 0)
      #expect(try await states(test) == ["closed", "closed"])
      try await body(test)
    }
  }

  private func states(_ test: JobTest) async throws -> [String] {
    try await test.sql(
      """
      select string_agg(distinct state::text, ' ') from challenge where week_start = '2024-05-13'
      group by group_id order by group_id
      """)
  }

  @Test func `each reopened week is closed again at its own time`() async throws {
    try await withClosedWeek { test in
      try await test.sql("select reopen_week('g', '2024-05-13', 'a phone was offline', '2 hours')")
      try await test.sql("select reopen_week('h', '2024-05-13', 'a phone was offline', '1 hour')")
      #expect(try await test.drain() == 0)
      #expect(try await states(test) == ["open", "open"])
      for (time, expected) in [
        ("12:59", ["open", "open"]), ("13:00", ["open", "closed"]), ("13:59", ["open", "closed"]),
        ("14:00", ["closed", "closed"]),
      ] {
        try await test.setClock(to: "2024-05-22 \(time)Z")
        #expect(try await test.drain() == 0)
        #expect(try await states(test) == expected, "\(time)")
      }
      #expect(try await test.sql("select closings from closed_week") == ["2", "2"])
      #expect(try await test.sql("select id from run") == [])
    }
  }

  /// The transaction begins before the week is closed, and commits after that.
  @Test func `a board that a long transaction creates is closed after its commit`() async throws {
    try await TestSchema.run(jobs) { test in
      try await test.setClock(to: "2024-05-20 00:00Z")
      try await test.sql("update setting set grace = '10 minutes'")
      try await test.sql("insert into groups (id, name) values ('g', 'G')")
      try await test.sql("insert into users (id, display_name) values ('g1', 'U')")
      try await test.sql(
        "insert into member (group_id, user_id, joined_at) values ('g', 'g1', '2024-05-01')")
      try await test.setClock(to: "2024-05-20 00:09:59Z")
      try await test.sql("select record_workout('g1', '1', '2024-05-19 10:00Z')")
      try await test.setClock(to: "2024-05-20 00:10:01Z")
      #expect(try await test.drain() == 0)
      #expect(try await states(test) == ["closed"])
    }
  }

  /// The scheduled run of the week does not see a board that is committed later.
  @Test func `a board that is created in the grace period is closed at its end`() async throws {
    try await TestSchema.run(jobs) { test in
      try await test.setClock(to: "2024-05-20 00:02Z")
      try await test.sql("update setting set grace = '10 minutes'")
      try await test.sql("insert into groups (id, name) values ('g', 'G')")
      try await test.sql("insert into users (id, display_name) values ('g1', 'U')")
      try await test.sql(
        "insert into member (group_id, user_id, joined_at) values ('g', 'g1', '2024-05-01')")
      try await test.sql("select record_workout('g1', '1', '2024-05-19 10:00Z')")
      #expect(try await test.drain() == 0)
      #expect(try await states(test) == ["open"])
      try await test.setClock(to: "2024-05-20 00:10Z")
      #expect(try await test.drain() == 0)
      #expect(try await states(test) == ["closed"])
      #expect(try await test.sql("select id from run") == [])
    }
  }

  @Test func `the benchmark's step times contain the last step`() async throws {
    try await TestSchema.run(jobs) { test in
      // No week is due, so the run has only one step, in which the trigger waits.
      try await test.sql(
        """
        create function wait() returns trigger language plpgsql as
          'begin perform pg_sleep(0.2); return null; end'
        """)
      try await test.sql(
        "create trigger wait after delete on run for each statement execute function wait()")
      let clock = StepClock(
        GymRats.register(CloseWeek.self), on: test.configuration, in: test.schema)
      _ = try await clock.work()
      #expect(clock.milliseconds >= 200)
    }
  }
}
