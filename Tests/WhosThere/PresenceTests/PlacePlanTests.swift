import BatonPostgres
import JobTesting
import PresenceSQL
import TestSupport
import Testing

/// Tests that commands read only rows of their own user and group, by index, regardless of the
/// number of other rows.
@Suite struct PlacePlanTests {
  /// Lets each user check in to a separate group.
  private func come(_ numbers: ClosedRange<Int>, in places: Places) async throws {
    let (first, last) = (numbers.lowerBound, numbers.upperBound)
    for statement in [
      """
      insert into users (id, display_name, is_anonymous)
      select 'u' || n, 'U', false from generate_series(\(first), \(last)) n
      """,
      """
      insert into groups (id, name, latitude, longitude, radius, time_zone)
      select 'g' || n, 'G', 52.5, 13.4, 100, 'UTC' from generate_series(\(first), \(last)) n
      """,
      """
      insert into member (group_id, user_id, role, joined_at)
      select 'g' || n, 'u' || n, 'admin', now() from generate_series(\(first), \(last)) n
      """,
      """
      select count(*) from generate_series(\(first), \(last)) n,
        check_in('u' || n, gen_random_uuid(), 'g' || n, 'manual', 'phone', now(), 86400)
      """,
    ] { try await places.sql(statement) }
  }

  /// The calls for user and group `n`.
  private static let calls = [
    "check_out('uN', gen_random_uuid(), 'gN', 'manual', 'phone', now())",
    "check_in('uN', gen_random_uuid(), 'gN', 'manual', 'phone', now(), 60)",
    "check_out_due(array(select id from presence where user_id = 'uN'))",
    "presence_snapshot('uN', 'gN')",
    """
    settle_presences(array(select id from presence where user_id in ('uN', 'uM')), now() + interval '2 days')
    """,
  ]

  @Test(.sampled()) func `a command reads as much beside a thousand as beside nobody`()
    async throws
  {
    try await Places.with { places in
      // The plans are made with almost no rows, and are kept. The tables are not analyzed, and each
      // plan is for any values.
      let session = try await places.test.connect()
      try await session.script(Statement("test/plan", "set plan_cache_mode = force_generic_plan"))
      for table in ["presence", "visit", "member", "user_stats"] {
        try await places.sql("alter table \(table) set (autovacuum_enabled = off)")
      }
      func pages(of call: String, by number: Int) async throws -> Int {
        let text = call.replacing("N", with: "\(number)").replacing("M", with: "\(number + 1)")
        return try await session.pages(ofCall: text, in: places.test.schema, atMost: 0)
      }
      try await come(1...2, in: places)
      var alone: [Int] = []
      for call in Self.calls { alone.append(try await pages(of: call, by: 1)) }
      try await come(3...1_000, in: places)
      var beside: [Int] = []
      for call in Self.calls { beside.append(try await pages(of: call, by: 500)) }
      await session.close()
      print("pages read alone and beside a thousand: \(zip(alone, beside).map { "\($0) \($1)" })")
      for (call, pages) in zip(Self.calls, zip(alone, beside)) {
        #expect(pages.1 <= 2 * pages.0, "\(call): \(pages.0), \(pages.1)")
      }
    }
  }

  @Test(.sampled())
  func `what a viewer is shown of a place is read as quickly behind ten thousand who left it`()
    async throws
  {
    try await Places.with { places in
      let session = try await places.test.connect()
      func pages(of viewers: Int) async throws -> Int {
        try await session.pages(
          ofCall: """
            observed_presences('{g1}', array_fill('u2'::text, array[\(viewers)]),
              array_fill('g1'::text, array[\(viewers)]))
            """, in: places.test.schema, atMost: 0)
      }
      try await places.sql("alter table presence set (autovacuum_enabled = off)")
      try await come(1...2, in: places)
      try await places.sql(Self.past("'g1'", 2...2))
      let (alone, ofMany) = (try await pages(of: 1), try await pages(of: 100))
      try await places.sql(
        """
        insert into users (id, display_name, is_anonymous)
        select 'u' || n, 'U', false from generate_series(3, 10000) n
        """)
      try await places.sql(Self.past("'g1'", 3...10_000))
      let (beside, ofManyBeside) = (try await pages(of: 1), try await pages(of: 100))
      await session.close()
      print("pages of a place: \(alone), \(beside); for 100 viewers: \(ofMany), \(ofManyBeside)")
      #expect(beside <= 2 * alone)
      #expect(ofManyBeside <= 2 * ofMany)
    }
  }

  /// Returns absent visitors of a group.
  private static func past(_ group: String, _ numbers: ClosedRange<Int>) -> String {
    """
    insert into presence
      (group_id, user_id, is_present, source, since, version, changed_at, heard_at)
    select \(group), 'u' || n, false, 'manual', now(), 1, now(), now()
    from generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n
    """
  }

  @Test(.sampled())
  func `a message is found by its id as quickly beside ninety days of messages`()
    async throws
  {
    try await Places.with { places in
      let session = try await places.test.connect()
      try await places.sql("alter table message disable trigger user")
      try await come(1...2, in: places)
      // First one message per partition, then enough messages to fill their indexes, in stored
      // weeks and in the current week.
      func write(_ most: Int) async throws {
        try await places.sql(
          """
          insert into message (partition, created_at, id, group_id, user_id, content)
          select week_partition(at), at, gen_random_uuid(), 'g1', 'u2', 'm'
          from generate_series(1, \(most)) n cross join generate_series(0, 13) w
          cross join lateral (select now() - make_interval(weeks => w, secs => n / 100.0) as at) t
          """)
      }
      let id = ChatTests.id(7)
      try await places.sql("select from send_message('u1', 'g1', '\(id)', 'Hello')")
      let readers = SQL.Push.listMessageReaders.text.replacing("$1", with: "'\(id)'")
      let calls = [
        "send_message('u1', 'g1', gen_random_uuid(), 'new')",
        "send_message('u1', 'g1', '\(id)', 'Hello')",
        "delete_message('u1', 'g1', '\(id)')", "(\(readers)) r",
      ]
      func pages() async throws -> [Int] {
        var all: [Int] = []
        for call in calls {
          all.append(try await session.pages(ofCall: call, in: places.test.schema, atMost: 0))
        }
        return all
      }
      try await write(1)
      let alone = try await pages()
      try await write(5_000)
      let beside = try await pages()
      await session.close()
      print("pages read for a message: \(alone) alone, \(beside) beside 70,000")
      // The index has one more level, in each of fourteen partitions.
      for (call, pages) in zip(calls, zip(alone, beside)) {
        #expect(pages.1 <= pages.0 + 2 * 16 + 16, "\(call): \(pages.0), \(pages.1)")
      }
    }
  }
}
