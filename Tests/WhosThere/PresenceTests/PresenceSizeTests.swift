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
    _ dimension: String, _ reads: [Read], _ fill: (Places, ClosedRange<Int>) async throws -> Void
  ) async throws {
    try await Places.with { places in
      try await places.accounts("ann", "ben", "cid")
      try await places.found("g", by: "ann", "ben")
      try await places.call(ChatTests.send("ann", 7))
      _ = try await places.outcome(Places.checkIn("ann", 1))
      try await places.test.drain()
      var table = SizeTable(dimension, reads)
      var filled = 0
      for size in SizeTable.sizes {
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

  @Test func `users who were members of a group and visitors of its place`() async throws {
    let reads = [
      Read("presence_snapshot('ann', 'g')", atMost: 150),
      Read("get_members('ann', 'g')", atMost: 80), Read("watch_groups('ann')", atMost: 80),
      Read(Places.checkIn("ben", 2), atMost: 400), Read(Places.checkOut("ann", 3), atMost: 400),
      Read("join_public_group('cid', 'g')", atMost: 250),
      Read("leave_group('ben', 'g')", atMost: 300),
      Read(SQL.Presence.summarize, "'{g}'", atMost: 300),
      Read(SQL.Push.listMessageReaders, "'\(ChatTests.id(7))'", atMost: 150),
    ]
    try await measure("past members and visitors", reads) { places, numbers in
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
    }
  }

  @Test func `messages of a group`() async throws {
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

  @Test func `groups around a place`() async throws {
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
}
