import BatonPostgres
import ChallengesSQL
import TestSupport
import Testing

/// The number of pages that calls, dashboard pages and jobs of GymRats read with 1, 1,000 and
/// 100,000 rows per dimension.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SizeTests {
  private typealias Read = SizeTable.Read

  /// Measures each size.
  ///
  /// `fill` gets the numbers of the additional rows.
  private func measure(
    _ dimension: String, _ reads: [Read], _ fill: (TestSchema, String) async throws -> Void
  ) async throws {
    try await TestSchema.with { test in
      for user in ["ann", "ben", "cid"] {
        try await test.sql("insert into users (id, display_name) values ('\(user)', 'U')")
      }
      try await test.sql("select create_group('ann', 'g', 'G')")
      try await test.sql("select add_member('g', 'ben', 'Ben')")
      try await test.sql("select create_invite('ann', 'g', '\(Gym.token)')")
      for user in ["ann", "ben"] { try await test.sql("select record_workout('\(user)', 'w')") }
      var table = SizeTable(dimension, reads)
      var filled = 0
      for size in SizeTable.sizes {
        try await fill(test, "generate_series(\(filled + 1), \(size)) n")
        filled = size
        try await test.sql("analyze")
        let session = try await test.connect()
        try await table.measure(on: session, in: test.schema)
        await session.close()
      }
      print(table.text)
      #expect(table.excesses == [])
    }
  }

  @Test func `users who were members of a group`() async throws {
    let reads = [
      Read("get_members('ann', 'g')", atMost: 80), Read("get_group('ann', 'g')", atMost: 60),
      Read("join_group('cid', '\(Gym.token)')", atMost: 400),
      Read("leave_group('ben', 'g')", atMost: 400), Read("promote('ann', 'g', 'ben')", atMost: 120),
      Read("record_workout('ann', 'new')", atMost: 400),
      Read("list_invites('ann', 'g')", atMost: 60),
      Read(SQL.Dashboard.listMembers, "'g'", atMost: 2_500),
      Read(SQL.History.findUsers, "'U'", atMost: 500),
    ]
    try await measure("past members", reads) { test, new in
      try await test.sql("insert into users (id, display_name) select 'u' || n, 'U' from \(new)")
      try await test.sql(
        """
        insert into member (group_id, user_id, joined_at, left_at)
        select 'g', 'u' || n, now(), now() from \(new)
        """)
    }
  }

  @Test func `groups and their boards`() async throws {
    let reads = [
      Read("current_week_challenges('ann', 'g')", atMost: 80),
      Read("record_workout('ann', 'new')", atMost: 400),
      Read("create_group('cid', 'new', 'New')", atMost: 500),
      Read(
        SQL.Leaderboard.touchOpenBoards, "'-infinity'", "''",
        "'00000000-0000-0000-0000-000000000000'", "100", atMost: 1_500),
      Read(SQL.Weeks.hasDueWeeks, "null", atMost: 50),
      Read(SQL.Dashboard.listWaitingGroups, atMost: 300),
      Read(SQL.Dashboard.listGroups, "''", "''", atMost: 100),
      Read(SQL.Analytics.readRecomputeCost, atMost: 9_000),
      Read("select from challenges_gauges", atMost: 100, name: "challenges_gauges"),
      Read(SQL.History.findGroups, "'G'", atMost: 120),
      Read(SQL.Leaderboard.newestWeek, "'only'", atMost: 60),
      Read(SQL.Leaderboard.listBoards, "'only'", "null", "null", atMost: 100),
    ]
    try await measure("groups", reads) { test, new in
      try await test.sql("insert into groups (id, name) select 'x' || n, 'G' from \(new)")
      try await test.sql(
        """
        insert into challenge (id, group_id, week_start, type)
        select gen_random_uuid(), 'x' || n, week_of(now()), 'check-ins' from \(new)
        """)
    }
  }

  @Test func `days of history, of one member and of the whole ledger`() async throws {
    let today = "to_char(now(), 'YYYY-MM-DD')"
    let reads = [
      Read("record_workout('ann', 'new')", atMost: 400),
      Read("delete_workout('ann', 'w')", atMost: 400),
      Read("get_user('ann')", atMost: 50),
      Read(SQL.Analytics.sumWorkouts, today, today, atMost: 200),
    ]
    try await measure("days", reads) { test, new in
      try await test.sql(
        """
        insert into workout (user_id, workout_id, sent_performed_at, sent_utc_offset_s, revision,
          group_id, performed_at, utc_offset_s, local_date, week_start, counted, outcome, received_at)
        select 'ann', 'past-' || n, at, 0, 0, 'g', at, 0, (at at time zone 'UTC')::date, week_of(at),
          true, 'accepted', at
        from \(new), lateral (select now() - (100008 - n) * interval '1 day' as at) past
        """)
    }
  }
}
