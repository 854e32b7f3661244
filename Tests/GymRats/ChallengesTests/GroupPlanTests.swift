import BatonPostgres
import TestSupport
import Testing

/// Tests which rows the calls about groups read: only rows of their own group, by index, regardless
/// of the number of groups.
@Suite struct GroupPlanTests {
  /// Creates 500 groups of four.
  ///
  /// Each group has both boards, one entry for each member, and an invite.
  private func make(in test: TestSchema) async throws {
    for statement in [
      "insert into users (id, display_name) select 'u' || n, 'U' from generate_series(0, 2500) n",
      """
      insert into groups (id, name, created_by)
      select 'g' || n, 'G', 'u' || n from generate_series(0, 499) n
      """,
      """
      insert into member (group_id, user_id, role, joined_at)
      select 'g' || n % 500, 'u' || n, case when n < 500 then 'admin' else 'member' end,
        now() - interval '1 year'
      from generate_series(0, 1999) n
      """,
      """
      insert into invite (token_hash, group_id, created_by, created_at, expires_at)
      select sha256(convert_to(lpad(n::text, 32, '0'), 'UTF8')), 'g' || n, 'u' || n, now(),
        now() + interval '1 day'
      from generate_series(0, 499) n
      """,
      "select count(*) from generate_series(0, 1999) n, record_workout('u' || n, 'first')",
    ] { try await test.sql(statement) }
  }

  private static let token = String(repeating: "0", count: 31) + "7"
  private static let calls = [
    "preview_invite('u2001', '\(token)')", "join_group('u2001', '\(token)')",
    "create_group('u2002', 'new', 'New')", "get_group('u507', 'g7')",
    "create_invite('u507', 'g7')",
  ]
  private static let lists = [
    "get_members('u507', 'g7')", "current_week_challenges('u507', 'g7')",
    "list_invites('u507', 'g7')", "notifications('u7')", "badge('u7')",
    "mark_read('u7', array(select id from notifications('u7')))", "mute_group('u7', 'g7', true)",
    "update_group('u7', 'g7', 'Club')", "promote('u7', 'g7', 'u1007')", "leave_group('u507', 'g7')",
    "remove_member('u7', 'g7', 'u1507')", "delete_group('u7', 'g7')",
  ]

  private static let fewPages = [
    "join_group": 270, "leave_group": 200, "delete_group": 500, "get_members": 60, "badge": 90,
    "current_week_challenges": 30,
  ]

  @Test(.sampled()) func `calls about groups read no table whole, and few pages`()
    async throws
  {
    try await TestSchema.with { test in
      let session = try await test.connect()
      try await make(in: test)
      try await expectNoWholeReads(session, in: test)
      try await test.sql("analyze")
      try await expectNoWholeReads(session, in: test)
      try await expectFewPages(session, in: test)
      await session.close()
    }
  }

  private func expectNoWholeReads(_ session: Connection, in test: TestSchema) async throws {
    let read = try await session.rolledBack(in: test.schema) {
      for call in Self.calls + Self.lists {
        try await session.run(.count(Statement("test/\(call)", "select 1 from \(call)")))
      }
      let read: [String] = try await session.run(.wholeReads)
      return read
    }
    #expect(Set(read).isSubset(of: ["access", "event_segment", "setting"]), "\(read)")
    #expect(read.contains("setting"), "nothing was counted")
  }

  private func expectFewPages(_ session: Connection, in test: TestSchema) async throws {
    var pages: [String: Int] = [:]
    for call in Self.calls + Self.lists {
      let name = String(call.prefix { $0 != "(" })
      pages[name] = try await session.pages(
        ofCall: call, in: test.schema, atMost: Self.fewPages[name] ?? 0)
    }
    print("pages read: \(pages.sorted { $0.key < $1.key }.map { "\($0) \($1)" })")
    for (call, most) in Self.fewPages { #expect(pages[call, default: .max] <= most, "\(call)") }
  }

  @Test(.sampled()) func `the largest group is left and deleted without a look at each by each`()
    async throws
  {
    try await TestSchema.with { test in
      try await test.sql(
        "insert into users (id, display_name) select 'u' || n, 'U' from generate_series(1, 1000) n")
      try await test.sql("insert into groups (id, name, max_members) values ('g', 'G', 1000)")
      try await test.sql(
        """
        insert into member (group_id, user_id, role, joined_at)
        select 'g', id, 'admin', now() - interval '1 year' from users
        """)
      try await test.sql("select count(*) from users u, record_workout(u.id, 'w')")
      let clock = ContinuousClock()
      let leaving = try await clock.measure { try await test.sql("select leave_group('u1', 'g')") }
      let deleting = try await clock.measure {
        try await test.sql("select delete_group('u2', 'g')")
      }
      print("of a group of 1,000: leaving \(leaving), deleting \(deleting)")
      #expect(try await test.sql("select count(*) from member where left_at is null") == ["0"])
    }
  }
}
