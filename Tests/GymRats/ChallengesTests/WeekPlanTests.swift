import BatonPostgres
import ChallengesSQL
import TestSupport
import Testing

/// Tests the number of pages that the statements of closing and retention read.
///
/// It grows with the due weeks, and not with the boards of the current week or of stored weeks.
@Suite struct WeekPlanTests {
  /// Creates groups without members, each with two boards per week: final boards for the given
  /// number of days, and boards of the current week.
  private func make(_ groups: Int, days: Int, in test: TestSchema) async throws {
    try await test.sql(
      "insert into groups (id, name) select 'g' || lpad(n::text, 5, '0'), 'G' from generate_series(1, \(groups)) n"
    )
    try await test.sql(
      """
      insert into challenge (id, group_id, week_start, type, state, closed_at)
      select challenge_id(g.id, week, t), g.id, week, t, 'closed', now()
      from generate_series(7, \(days), 7) d, lateral (select week_of(now()) - d as week) w, groups g,
        unnest(enum_range(null::challenge_type)) t
      """)
    try await test.sql(
      """
      insert into challenge (id, group_id, week_start, type)
      select challenge_id(g.id, week_of(now()), t), g.id, week_of(now()), t
      from groups g, unnest(enum_range(null::challenge_type)) t
      """)
    try await test.sql(
      """
      insert into closed_week (group_id, week_start, is_told, closed_at)
      select distinct group_id, week_start, false, now() from challenge where state = 'closed'
      """)
    try await test.sql("analyze challenge, closed_week")
  }

  private func withBoards(
    _ groups: Int, days: Int, _ body: (TestSchema) async throws -> Void
  ) async throws {
    try await TestSchema.with { test in
      try await make(groups, days: days, in: test)
      try await body(test)
    }
  }

  private static let lock = "bigint, text, text, bigint, boolean"

  @Test(.sampled())
  func `where nothing is due, a look reads a few pages of however many boards`() async throws {
    try await withBoards(1_000, days: 84) { test in
      let looks = [
        "close": try await test.pages(of: SQL.Weeks.hasDueWeeks, "bigint", "null", atMost: 40),
        "lock": try await test.pages(
          of: SQL.Weeks.lockDueWeeks, Self.lock, "100, '-infinity', '', null, true", atMost: 40),
        "purge": try await test.pages(
          of: SQL.Retention.purgeBoards, "bigint, date, text", "100, null, null", atMost: 40),
        "forget": try await test.pages(
          of: SQL.Retention.purgeClosedWeeks, "bigint, timestamptz", "100, null", atMost: 40),
      ]
      // The 1,000 groups have 2,000 open boards and 24,000 final boards of 12 weeks. No board is 90
      // days old.
      print("pages where nothing is due: \(looks)")
      #expect(looks.values.allSatisfy { $0 <= 40 }, "pages: \(looks)")
    }
  }

  @Test(.sampled()) func `what a chunk's boards wait for is looked up by their keys`() async throws
  {
    try await TestSchema.with { test in
      try await test.sql(
        """
        insert into job (name, topics, quiet, at_most)
        values ('recompute-ranks', '{entry.changed}', '0', '0'), ('other', '{}', '0', '0')
        """)
      try await test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at)
        select 'recompute-ranks', challenge_id('g' || n, '2024-01-01', 'streak')::text, 'ready',
          now(), now(), now()
        from generate_series(1, 20000) n
        """)
      try await test.sql("analyze run")
      let boards = try await test.sql(
        "select challenge_id('g' || n, '2024-01-01', 'streak') from generate_series(1, 400) n")
      var text = ""
      let pages = try await TestSchema.fewestPages(atMost: 2_000) {
        let plan = try await test.explain(
          SQL.Weeks.pendingBoards, "text[]", "'{\(boards.joined(separator: ","))}'",
          options: "analyze, buffers, costs off, timing off")
        text = plan.joined(separator: "\n")
        return plan
      }
      print("pages of what 400 boards wait for beside 20,000 runs: \(pages)")
      // Each board needs three or four pages. All runs have hundreds of pages, and this number
      // would grow.
      #expect(pages <= 2_000, "\(text)")
      #expect(
        text.contains("Index Cond: ((job = 'recompute-ranks'::text) AND (key = ANY ($1)))"),
        "\(text)")
    }
  }

  /// Vacuums a table like autovacuum, so that an index-only scan is possible.
  private func vacuum(_ table: String, in test: TestSchema) async throws {
    let connection = try await test.connect()
    try await connection.script(
      Statement("test/vacuum", "vacuum analyze \(test.schema.name).\(table)"))
    await connection.close()
  }

  private func rows(of statement: Statement, _ values: String..., in test: TestSchema) async throws
    -> [String]
  {
    let text = values.enumerated().reduce(statement.text) { text, value in
      text.replacing("$\(value.offset + 1)", with: value.element)
    }
    return try await test.sql("select * from (\n\(text)\n) listed")
  }

  @Test(.sampled())
  func `the page of the weeks reads as much for a thousand groups as for a hundred`()
    async throws
  {
    var pages: [Int: (weeks: Int, waiting: Int)] = [:]
    for groups in [100, 1_000] {
      try await withBoards(groups, days: 84) { test in
        // Every group has a week that waits to be closed.
        try await test.sql(
          """
          update challenge set state = 'open', closed_at = null
          where week_start = week_of(now()) - 14
          """)
        try await vacuum("challenge", in: test)
        pages[groups] = (
          try await test.pages(of: SQL.Weeks.listWeeks, "bigint, bigint", "20, 101", atMost: 200),
          try await test.pages(of: SQL.Dashboard.listWaitingGroups, atMost: 400)
        )
        let some = try await rows(of: SQL.Weeks.listWeeks, "20", "101", in: test)
        try #require(some.count == 13)
        #expect(some[0].hasSuffix(",101,0,0,0,,0"), "\(some)")
        #expect(some[1].contains(",0,0,101,0,") && some[1].hasSuffix("Z,0"), "\(some)")
        #expect(some[2].contains(",0,101,0,0,,") && !some[2].hasSuffix(",0"), "\(some)")
        let all = try await rows(of: SQL.Weeks.listWeeks, "3", "null::bigint", in: test)
        try #require(all.count == 3)
        #expect(all[1].contains(",0,0,\(2 * groups),0,"), "\(all)")
      }
    }
    print("pages of the weeks and of who waits, by groups: \(pages)")
    // The statement reads the counts of 13 weeks, up to 101 boards each, and the ids of 50 waiting
    // groups.
    #expect(pages.values.allSatisfy { $0.weeks <= 200 && $0.waiting <= 400 }, "\(pages)")
  }

  @Test(.sampled()) func `groups are found by a prefix without reading the groups after it`()
    async throws
  {
    try await TestSchema.with { test in
      try await test.sql(
        """
        insert into groups (id, name)
        select chr(97 + n % 26) || lpad(n::text, 6, '0'), 'G' from generate_series(1, 20000) n
        """)
      try await vacuum("groups", in: test)
      for (beginning, found) in [("a0000", 3), ("b", 51), ("nobody", 0)] {
        let pages = try await test.pages(
          of: SQL.Dashboard.listGroups, "text, text", "'\(beginning)', ''", atMost: 200)
        let ids = try await rows(of: SQL.Dashboard.listGroups, "'\(beginning)'", "''", in: test)
        // Each of the 51 rows is on a separate page. Reading all groups after the prefix would take
        // thousands of pages.
        #expect(pages <= 200 && ids.count == found, "\(beginning): \(pages) \(ids.count)")
      }
    }
  }

  @Test func `locking a chunk looks at no group's past`() async throws {
    try await withBoards(100, days: 84) { test in
      try await test.sql(
        "update challenge set state = 'open' where week_start = week_of(now()) - 7")
      try await test.sql("analyze challenge")
      let pages = try await test.pages(
        of: SQL.Weeks.lockDueWeeks, Self.lock, "100, '-infinity', '', null, true")
      print("pages of a chunk of 100 groups: \(pages)")
      // Each group has two boards that are found and locked. Reading the past of a group would take
      // at least two more pages.
      #expect(pages <= 700)
    }
  }
}
