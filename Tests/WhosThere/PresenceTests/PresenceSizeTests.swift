import BatonPostgres
import JobTesting
import PresenceSQL
import TestSupport
import Testing

/// The number of pages that calls and jobs of Who's There read with 1, 1,000 and 100,000 rows per
/// dimension.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PresenceSizeTests {
  private typealias Read = SizeTable.Read

  /// Measures each size.
  ///
  /// `fill` gets the numbers of the additional rows.
  private func measure(
    _ dimension: String, _ reads: [Read], sizes: [Int] = SizeTable.sizes,
    _ fill: (Places, ClosedRange<Int>) async throws -> Void
  ) async throws {
    try await Places.with { places in
      try await places.accounts("ann", "ben", "cid")
      try await places.found("g", by: "ann", "ben", most: 1_000)
      try await places.call(ChatTests.send("ann", 7))
      _ = try await places.outcome(Places.checkIn("ann", 1))
      try await places.test.drain()
      var table = SizeTable(dimension, reads, sizes: sizes)
      var filled = 0
      for size in sizes {
        try await fill(places, filled + 1...size)
        filled = size
        try await places.sql("analyze")
        let session = try await places.test.connect()
        try await table.measure(on: session, in: places.test.schema)
        await session.close()
      }
      print(table.text)
      #expect(table.excesses == [])
    }
  }

  private func users(_ numbers: ClosedRange<Int>, _ places: Places) async throws {
    try await places.sql(
      """
      insert into users (id, display_name, is_anonymous)
      select 'u' || n, 'U', false
      from generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n
      """)
  }

  @Test(.sampled()) func `members of a group who are at its place`() async throws {
    let reads = [
      Read("presence_snapshot('ann', 'g')", atMost: 200),
      Read("observed_presences('{g}', '{ann}', '{g}')", atMost: 200),
      Read("get_members('ann', 'g')", atMost: 800), Read("watch_groups('ann')", atMost: 80),
      Read("get_users('ann', '{ben,u1}')", atMost: 100),
      Read("refused_viewers('{ann}', '{g}')", atMost: 60),
      Read(Places.checkIn("ben", 2), atMost: 500), Read(Places.checkOut("ann", 3), atMost: 500),
      Read("join_public_group('cid', 'g')", atMost: 400),
      Read("leave_group('ben', 'g')", atMost: 400),
      Read("remove_member('ann', 'g', 'ben')", atMost: 400),
      Read("send_message('ann', 'g', gen_random_uuid(), 'new')", atMost: 500),
      Read("delete_account('ben')", atMost: 1_000),
      // The end of each membership and each visit.
      Read("delete_group('ann', 'g')", atMost: 100_000),
      Read(SQL.Presence.summarize, "'{g}'", atMost: 400),
      Read(SQL.Presence.listPresent, "'g'", atMost: 400),
      Read(SQL.Push.listMessageReaders, "'\(ChatTests.id(7))'", atMost: 800),
    ]
    try await measure("members and visitors", reads, sizes: SizeTable.limitedSizes) {
      places, numbers in
      // Ann and Ben are members already, and Cid joins later.
      let numbers = numbers.clamped(to: 1...997)
      try await users(numbers, places)
      let new = "generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n"
      try await places.sql(
        "insert into member (group_id, user_id, joined_at) select 'g', 'u' || n, now() from \(new)")
      try await places.sql(
        """
        update groups set member_count = (
          select count(*) from member where group_id = 'g' and left_at is null)
        where id = 'g'
        """)
      try await places.sql(
        """
        insert into presence
          (group_id, user_id, is_present, source, since, version, changed_at, heard_at)
        select 'g', 'u' || n, true, 'manual', now(), 2, now(), now() from \(new)
        """)
      try await places.sql(
        """
        insert into visit (user_id, group_id, arrival, local_date, is_first)
        select 'u' || n, 'g', now(), current_date, false from \(new)
        """)
    }
  }

  @Test(.sampled())
  func `users, their sessions and codes, who were members of a group and visitors`()
    async throws
  {
    let reads = [
      Read("presence_snapshot('ann', 'g')", atMost: 150),
      Read("get_members('ann', 'g')", atMost: 80), Read("watch_groups('ann')", atMost: 80),
      Read(Places.checkIn("ben", 2), atMost: 400), Read(Places.checkOut("ann", 3), atMost: 400),
      Read("join_public_group('cid', 'g')", atMost: 250),
      Read("leave_group('ben', 'g')", atMost: 300),
      Read(SQL.Presence.summarize, "'{g}'", atMost: 300),
      Read(SQL.Push.listMessageReaders, "'\(ChatTests.id(7))'", atMost: 150),
      Read("sign_in('apple', 'new', 'New')", atMost: 150),
      Read("sign_in('apple', 's1')", atMost: 80),
      Read("begin_session('ann', 'watch')", atMost: 150),
      Read("user_of_session('x')", atMost: 40), Read("end_sessions('ann')", atMost: 60),
      Read("get_user('ann')", atMost: 40), Read("get_users('ann', '{ann,ben}')", atMost: 80),
      Read("current_invite('ann', 'g')", atMost: 150),
      Read("redeem_invite('cid', '0000000000000001')", atMost: 150),
      Read("delete_account('cid')", atMost: 900),
      Read(SQL.Retention.listIdleUsers, "100", atMost: 200),
      Read(SQL.Retention.purgeSessions, "100", "null", atMost: 400),
      Read(SQL.Retention.purgeInvites, "100", "null", atMost: 400),
    ]
    try await measure("past members and visitors, sessions and codes", reads) { places, numbers in
      try await users(numbers, places)
      let new = "generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n"
      try await places.sql(
        """
        insert into member (group_id, user_id, joined_at, left_at)
        select 'g', 'u' || n, now(), now() from \(new)
        """)
      try await places.sql(
        """
        insert into presence
          (group_id, user_id, is_present, source, since, version, changed_at, heard_at)
        select 'g', 'u' || n, false, 'manual', now(), 2, now(), now() from \(new)
        """)
      try await places.sql(
        """
        insert into identity (provider, subject, user_id)
        select 'apple', 's' || n, 'u' || n from \(new)
        """)
      try await places.sql(
        """
        insert into session (token_hash, user_id, device, created_at, expires_at)
        select sha256(n::text::bytea), 'u' || n, 'phone', now(), now() + interval '90 days'
        from \(new)
        """)
      try await places.sql(
        """
        insert into invite (code, group_id, created_at, expires_at, replaced_at)
        select upper(lpad(to_hex(n), 16, '0')), 'g', now(), now() + interval '1 day', now()
        from \(new)
        """)
    }
  }

  @Test(.sampled()) func `days of history, of one member and of one place`() async throws {
    let reads = [
      Read("get_stats('ben')", atMost: 80), Read("achievement_progress('ben')", atMost: 80),
      Read("earned_achievements('ben')", atMost: 60),
      Read(Places.checkIn("ben", 2), atMost: 400), Read(Places.checkOut("ann", 3), atMost: 400),
      Read("presence_snapshot('ann', 'g')", atMost: 150),
      Read("leave_group('ben', 'g')", atMost: 400),
      Read(SQL.Achievements.award, "'{ben}'", atMost: 200),
      Read(SQL.Presence.summarize, "'{g}'", atMost: 200),
      Read(SQL.Retention.purgeVisits, "100", "null", atMost: 400),
      Read(SQL.Retention.purgeFirstArrivals, "100", "null", atMost: 400),
      Read(SQL.Retention.purgeCommands, "100", "null", atMost: 400),
    ]
    try await measure("days", reads) { places, numbers in
      let new = "generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n"
      // The statistics that the triggers keep have one row for each user, however many visits they
      // count.
      try await places.sql("alter table visit disable trigger user")
      try await places.sql(
        """
        insert into visit (user_id, group_id, arrival, departure, local_date, is_first)
        select 'ben', 'g', at, at + interval '1 hour', (at at time zone 'UTC')::date, false
        from \(new), lateral (select now() - (100008 - n) * interval '1 hour' as at) past
        """)
      try await places.sql("alter table visit enable trigger user")
      try await places.sql(
        """
        insert into presence_command
          (user_id, id, group_id, action, source, asked_at, outcome, answered_at)
        select 'ben', gen_random_uuid(), 'g', 'checkIn', 'manual', at, 'accepted', at
        from \(new), lateral (select now() - (100008 - n) * interval '1 hour' as at) past
        """)
      try await places.sql(
        """
        insert into first_arrival (group_id, local_date, user_id, arrived_at)
        select 'g', (at at time zone 'UTC')::date, 'ben', at
        from \(new), lateral (select now() - (100008 - n) * interval '1 day' as at) past
        """)
    }
  }

  @Test(.sampled()) func `messages of a group`() async throws {
    let reads = [
      Read("messages('ann', 'g', null, null, 100)", atMost: 500),
      Read("send_message('ann', 'g', gen_random_uuid(), 'new')", atMost: 500),
      Read("delete_message('ann', 'g', '\(ChatTests.id(7))')", atMost: 300),
      Read("observed_chats('{g}', 50)", atMost: 400),
      Read(SQL.Retention.listOldMessages, atMost: 250),
    ]
    try await measure("messages", reads) { places, numbers in
      try await places.sql(
        """
        insert into message (partition, created_at, id, group_id, user_id, content)
        select week_partition(at), at, gen_random_uuid(), 'g', 'ben', 'm'
        from generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n
        cross join lateral (select now() - make_interval(mins => n % 100000) as at) t
        """)
    }
  }

  @Test(.sampled()) func `groups around a place`() async throws {
    let reads = [
      Read("nearby_groups('ann', 52.5, 13.4, 50000, 1)", atMost: 6_000),
      Read("nearby_groups('ann', 52.5, 13.4, 50000, 100)", atMost: 6_000),
      Read("public_groups('ann')", atMost: 700), Read("get_group('ann', 'g')", atMost: 60),
      Read("joined_groups('ann')", atMost: 60),
      Read(SQL.Dashboard.listGroups, "''", "''", atMost: 100),
      Read(SQL.Dashboard.listPresence, "''", "''", atMost: 100),
    ]
    try await measure("groups", reads) { places, numbers in
      try await places.sql(
        """
        insert into groups (id, name, latitude, longitude, radius, time_zone, is_public)
        select 'x' || n, 'G' || n, 52.5 + n % 100 / 10000.0, 13.4 + n % 77 / 10000.0, 100, 'UTC',
          n % 2 = 0
        from generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n
        """)
    }
  }

  @Test func `the deletion of a row finds all references to the row by an index`() async throws {
    try await Places.with { places in
      // No function deletes an achievement.
      let never = ["unlock (achievement)"]
      #expect(try await places.sql(ForeignKeys.withoutIndex) == never)
      // The indexes of current members and of former members contain different rows.
      try await places.sql("drop index member_of_user")
      try await places.sql("create index on member (user_id) where left_at is not null")
      #expect(try await places.sql(ForeignKeys.withoutIndex) == ["member (user_id)"] + never)
    }
  }
}
