import JobTesting
import Postgres
import TestSupport
import Testing

/// What commands read: rows of their own user and group, by index, however many others are there.
@Suite struct PlacePlanTests {
  /// Users come to a group each.
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

  /// What is called for user and group `n`.
  private static let calls = [
    "check_out('uN', gen_random_uuid(), 'gN', 'manual', 'phone', now())",
    "check_in('uN', gen_random_uuid(), 'gN', 'manual', 'phone', now(), 60)",
    "check_out_due(array(select id from presence where user_id = 'uN'))",
    "presence_snapshot('uN', 'gN')",
    """
    settle_presences(array(select id from presence where user_id in ('uN', 'uM')), now() + interval '2 days')
    """,
  ]

  @Test func `a command reads as much beside a thousand as beside nobody`() async throws {
    try await Places.with { places in
      // Plans are made while next to nobody is there, and kept: nobody analyzes, and each is the one for any values.
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
}
