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
    _ dimension: String, _ reads: [Read], sizes: [Int] = SizeTable.sizes,
    _ fill: (TestSchema, String) async throws -> Void
  ) async throws {
    try await TestSchema.with { test in
      for user in ["ann", "ben", "cid"] {
        try await test.sql("insert into users (id, display_name) values ('\(user)', 'U')")
      }
      try await test.sql("select create_group('ann', 'g', 'G')")
      try await test.sql("select add_member('g', 'ben', 'Ben')")
      try await test.sql("select create_invite('ann', 'g', '\(Gym.token)')")
      for user in ["ann", "ben"] { try await test.sql("select record_workout('\(user)', 'w')") }
      var table = SizeTable(dimension, reads, sizes: sizes)
      var filled = 0
      for size in sizes {
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

  @Test(.sampled()) func `members of a group`() async throws {
    let boards = "(array(select id from challenge where group_id = 'g'))"
    let board = "(select id from challenge where group_id = 'g' and type = 'check-ins')"
    let reads = [
      Read("get_members('ann', 'g')", atMost: 800), Read("get_group('ann', 'g')", atMost: 60),
      Read("current_board('ann', 'g', 'check-ins')", atMost: 60),
      Read("leaderboard('ann', \(board))", atMost: 400),
      Read("running_boards('{g}', '{check-ins}')", atMost: 300),
      Read("refused_viewers('{ann}', '{g}')", atMost: 60),
      Read("record_workout('ann', 'new')", atMost: 400),
      Read("update_profile('ann', 'New', null)", atMost: 400),
      Read("update_privacy_settings('ann', false)", atMost: 400),
      Read("leave_group('ben', 'g')", atMost: 600),
      Read("remove_member('ann', 'g', 'ben')", atMost: 600),
      // A notification for each member, and the end of each membership.
      Read("join_group('cid', '\(Gym.token)')", atMost: 12_000),
      Read("delete_account('ben')", atMost: 60_000),
      Read("delete_group('ann', 'g')", atMost: 80_000),
      Read(SQL.Dashboard.listMembers, "'g'", atMost: 400),
      Read(SQL.Dashboard.listPlaces, "'g'", "week_of(now())::text", "20", atMost: 400),
      Read(SQL.Leaderboard.recomputeRanks, boards, atMost: 400),
      Read(SQL.Notifications.tellRanks, boards, atMost: 600),
    ]
    try await measure("members", reads, sizes: SizeTable.limitedSizes) { test, numbers in
      try await test.sql("update groups set max_members = 1000 where id = 'g'")
      // Ann and Ben are members already, and Cid joins later.
      let new = "\(numbers) where n <= 997"
      try await test.sql("insert into users (id, display_name) select 'u' || n, 'U' from \(new)")
      try await test.sql(
        "insert into member (group_id, user_id, joined_at) select 'g', 'u' || n, now() from \(new)")
      try await test.sql(
        """
        update groups set member_count = (
          select count(*) from member where group_id = 'g' and left_at is null)
        where id = 'g'
        """)
      try await test.sql(
        """
        insert into entry
          (challenge_id, user_id, value, reached_at, joined_at, display_name, last_updated)
        select c.id, 'u' || n, 1, now(), now(), 'U', now()
        from challenge c, \(new) and c.group_id = 'g'
        """)
      let ranks = SQL.Leaderboard.recomputeRanks.text.replacing("$1", with: boards)
      let session = try await test.connect()
      try await session.atomically(in: test.schema, .run(Statement("test/ranks", ranks)))
      await session.close()
    }
  }

  @Test(.sampled())
  func `users who were members of a group, with invites and notifications`() async throws {
    let reads = [
      Read("get_members('ann', 'g')", atMost: 80), Read("get_group('ann', 'g')", atMost: 60),
      Read("join_group('cid', '\(Gym.token)')", atMost: 400),
      Read("leave_group('ben', 'g')", atMost: 400), Read("promote('ann', 'g', 'ben')", atMost: 120),
      Read("record_workout('ann', 'new')", atMost: 400),
      Read("list_invites('ann', 'g')", atMost: 300),
      Read(SQL.Dashboard.listMembers, "'g'", atMost: 2_500),
      Read(SQL.History.findUsers, "'U'", atMost: 500),
      Read("notifications('ann', null, null, 200)", atMost: 500),
      Read("badge('ann')", atMost: 400), Read("mark_read('ann', '{1,2}')", atMost: 400),
      Read("create_notification('k', 'ben', 'g', 'm')", atMost: 300),
      Read(SQL.Dashboard.listNotifications, "'ann'", atMost: 400),
      Read(SQL.Notifications.listNotifications, "null", "true", "50", atMost: 4_000),
      Read(SQL.Notifications.listNotifications, "'ann'", "false", "50", atMost: 1_500),
      Read(SQL.Retention.listOldPartitions, atMost: 200),
      Read("create_invite('ann', 'g')", atMost: 300),
      Read("preview_invite('cid', '\(Gym.token)')", atMost: 300),
      Read("upsert_user('apple', 'new', 'New')", atMost: 150),
      Read("find_user('apple', 'new')", atMost: 60), Read("get_user('ann')", atMost: 60),
      Read("delete_account('cid')", atMost: 800),
    ]
    try await measure("past members, invites and notifications", reads) { test, new in
      try await test.sql("insert into users (id, display_name) select 'u' || n, 'U' from \(new)")
      try await test.sql(
        """
        insert into member (group_id, user_id, joined_at, left_at)
        select 'g', 'u' || n, now(), now() from \(new)
        """)
      try await test.sql(
        """
        insert into invite (token_hash, group_id, created_by, created_at, expires_at)
        select sha256(n::text::bytea), 'g', 'u' || n, now() - interval '13 days',
          now() + interval '1 day'
        from \(new)
        """)
      // One of 1,000 notifications is Ann's.
      try await test.sql(
        """
        insert into notification
          (partition, created_at, user_id, group_id, type, content, changed_at)
        select day_partition(at), at, case when n % 1000 = 1 then 'ann' else 'u' || n end, 'g',
          'new_member', '{"message": "m"}', at
        from \(new), lateral (select now() - n % 10000 * interval '1 minute' as at) t
        """)
    }
  }

  @Test(.sampled()) func `groups and their boards`() async throws {
    let reads = [
      Read("current_week_challenges('ann', 'g')", atMost: 80),
      Read("record_workout('ann', 'new')", atMost: 400),
      Read("create_group('cid', 'new', 'New')", atMost: 500),
      Read(
        SQL.Leaderboard.touchOpenBoards, "'-infinity'", "''",
        "'00000000-0000-0000-0000-000000000000'", "100", atMost: 1_500),
      Read(SQL.Weeks.hasDueWeeks, "null", atMost: 50),
      Read(SQL.Dashboard.listWaitingGroups, atMost: 300),
      Read(SQL.Dashboard.listMarks, "'{g,x1}'", atMost: 200),
      Read(SQL.Dashboard.listWeeksOfGroup, "'g'", atMost: 60),
      Read(SQL.Weeks.listWeeks, "20", "1000", atMost: 4_000),
      Read(SQL.Weeks.lockDueWeeks, "100", "null", "null", "null", "false", atMost: 300),
      Read(SQL.History.readWeek, "'g'", "null", "null", atMost: 300),
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

  @Test(.sampled()) func `days of history, of one member, of the whole ledger and of all usage`()
    async throws
  {
    let today = "to_char(now(), 'YYYY-MM-DD')"
    let past = "to_char(now() - interval '380 days', 'YYYY-MM-DD')"
    let reads = [
      Read("record_workout('ann', 'new')", atMost: 400),
      Read("delete_workout('ann', 'w')", atMost: 400),
      Read("get_user('ann')", atMost: 50),
      Read(SQL.Analytics.sumWorkouts, today, atMost: 200),
      Read(SQL.Analytics.sumDays, today, today, atMost: 400),
      Read(SQL.Analytics.countConversion, today, today, atMost: 1_500),
      // All other rows are newer than this day.
      Read(SQL.Analytics.sumDays, past, past, atMost: 40),
      Read(SQL.Analytics.countConversion, past, past, atMost: 60),
      Read("report_client_event('ann', gen_random_uuid(), 'link_failed')", atMost: 200),
      Read(SQL.Retention.purgeUsageLog, "100", "null", atMost: 400),
      Read(SQL.Retention.purgeClientEvents, "100", "null", atMost: 400),
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
      try await test.sql(
        """
        insert into usage_log (recorded_at, kind, group_id, invite_id)
        select case when n < 10 then now() - interval '380 days'
            else now() - (100008 - n) * interval '5 minutes' end,
          (array['group_joined', 'invite_created', 'invite_previewed'])[1 + n % 3]::usage_kind, 'g',
          md5('i' || (n + 2) / 3)::uuid
        from \(new)
        """)
      try await test.sql(
        """
        insert into client_event (id, user_id, kind, recorded_at)
        select gen_random_uuid(), 'ben', 'link_failed', now() - (100008 - n) * interval '5 minutes'
        from \(new)
        """)
    }
  }

  @Test func `the deletion of a row finds all references to the row by an index`() async throws {
    try await TestSchema.with { test in
      #expect(try await test.sql(ForeignKeys.withoutIndex) == [])
      try await test.sql("drop index member_user")
      #expect(try await test.sql(ForeignKeys.withoutIndex) == ["\"member (user_id)\""])
    }
  }
}
