import Postgres
import SQLFiles
import TestSupport
import Testing

@testable import JobRunner

/// What migrations do to what a database holds already.
@Suite struct MigrationDataTests {
  /// Brings a schema up to a migration, fills it, and brings it up to date.
  private func migrate(
    through name: String, fill: [String], _ body: (TestSchema) async throws -> Void
  ) async throws {
    try await TestSchema.with(migrated: false) { test in
      let connection = try await test.connect()
      let last = try #require(SQL.migrations.firstIndex { $0.name.hasSuffix(name) })
      _ = try await Migrator(test.schema, migrations: Array(SQL.migrations[...last]))
        .migrate(connection)
      for text in fill { try await test.sql(text) }
      _ = try await Migrator(test.schema).migrate(connection)
      await connection.close()
      try await body(test)
    }
  }

  @Test func `told ranks of open boards move into the standings, and ranks into their weeks`()
    async throws
  {
    let closed = "challenge_id('g', week_of(now()) - 7, 'check-ins')"
    let open = "challenge_id('g', week_of(now()), 'streak')"
    try await migrate(
      through: "0016_share_week_content",
      fill: [
        "insert into groups (id, name) values ('g', 'G')",
        """
        insert into challenge (id, group_id, week_start, type, state) values
          (\(closed), 'g', week_of(now()) - 7, 'check-ins', 'closed'),
          (\(open), 'g', week_of(now()), 'streak', 'open')
        """,
        """
        insert into standing (challenge_id, user_id, value, rank, position, display_name, last_updated)
        values (\(closed), 'ann', 2, 1, 1, 'Ann', now()), (\(open), 'ann', 2, 3, 3, 'Ann', now()),
          (\(open), 'bob', 3, 1, 1, 'Bob', now())
        """,
        """
        insert into told_rank (challenge_id, user_id, rank, value, notice_id, notice_from)
        values (\(closed), 'ann', 1, 2, null, null), (\(open), 'ann', 2, 1, 7, 1)
        """,
        """
        insert into week_notice (group_id, week_start, is_told, closed_at, content)
        values ('g', week_of(now()) - 7, true, now(), '{"label": "W"}')
        """,
        """
        insert into notification (slot, created_at, user_id, group_id, type, content, changed_at)
        select 0, now(), 'ann', 'g', 'week_ended',
          jsonb_build_object('week_start', week_of(now()) - 7, 'message', 'Over.'), now()
        """,
      ]
    ) { (test: TestSchema) async throws -> Void in
      #expect(
        try await test.sql(
          """
          select user_id, told_rank, told_value, notice_id, notice_from from standing
          where challenge_id = \(open) order by user_id
          """) == ["ann,2,1,7,1", "bob,,,,"])
      #expect(
        try await test.sql(
          "select members, check_ins_ranks, streak_ranks, closings from week_notice")
          == ["{ann},{1},{NULL},1"])
      // It was written with its sentence, and is read with it.
      #expect(
        try await test.sql(
          "select content ->> 'message', content ->> 'label' from visible_notification")
          == ["Over.,W"])
    }
  }
}
