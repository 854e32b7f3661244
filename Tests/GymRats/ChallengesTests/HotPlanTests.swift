import BatonPostgres
import Challenges
import ChallengesPostgres
import TestSupport
import Testing

/// Tests that the write path and the recompute read rows by index.
///
/// Only tables with one row are read completely.
///
/// The server counts the reads in every function and trigger that is called.
@Suite struct HotPlanTests {
  /// Creates 500 groups with one member.
  ///
  /// Each group has both boards, with an entry and a standing on each.
  private func make(in test: TestSchema) async throws {
    for statement in [
      "insert into users (id, display_name) select 'u' || n, 'U' from generate_series(1, 500) n",
      "insert into groups (id, name) select 'g' || n, 'G' from generate_series(1, 500) n",
      """
      insert into sharing_pause (user_id, began_at, ended_at)
      select id, now() - interval '20 days', now() - interval '19 days' from users
      """,
      """
      insert into member (group_id, user_id, joined_at)
      select 'g' || n, 'u' || n, now() - interval '1 year' from generate_series(1, 500) n
      """,
      "select count(*) from users u, record_workout(u.id, 'first')",
      """
      insert into standing (challenge_id, user_id, value, rank, position, display_name,
        last_updated)
      select challenge_id, user_id, 0, 1, 1, display_name, last_updated from entry
      """,
    ] { try await test.sql(statement) }
  }

  @Test(.sampled(), arguments: [false, true])
  func `a call that records, edits, deletes or hides reads no table whole`(isAnalyzed: Bool)
    async throws
  {
    try await TestSchema.with { test in
      let session = try await test.connect()
      // The session's plans are made while the tables are empty, unless the session begins later.
      try await People(test).join("u0", group: "g0")
      if !isAnalyzed { try await session.sql("select record_workout('u0', 'w')", in: test.schema) }
      try await make(in: test)
      if isAnalyzed { try await test.sql("analyze") }
      let read = try await session.transaction(in: test.schema) { transaction in
        for call in [
          "'u7', 'new'", "'u7', 'new', now(), null, 1", "'u7', 'new', now() + interval '1 h', 0, 2",
          "'u7', 'new', now() - interval '6 days', 0, 3", "'u7', 'new', now(), null, 1",
        ] {
          let record = Statement("test/record \(call)", "select record_workout(\(call))")
          try await transaction.run(.count(record))
        }
        for call in [
          "delete_workout('u8', 'first')", "update_profile('u9', 'V', null)",
          "increment_check_in('u9', challenge_id('g9', week_of(now()), 'check-ins'))",
          "update_privacy_settings('u9', false)", "update_privacy_settings('u9', true)",
        ] {
          try await transaction.run(.count(Statement("test/call \(call)", "select \(call)")))
        }
        let read: [String] = try await transaction.run(.wholeReads)
        return read
      }
      #expect(Set(read).isSubset(of: ["access", "event_segment", "setting"]), "\(read)")
      #expect(read.contains("setting"), "nothing was counted")
      await session.close()
    }
  }

  @Test(.sampled())
  func `a recompute reads the entries and standings of its boards by index`() async throws {
    try await TestSchema.with { test in
      try await make(in: test)
      try await test.sql("analyze")
      let ids = try await test.sql("select id from challenge order by id limit 20")
      let session = try await test.connect()
      let read = try await Session(session, in: test.schema).transaction {
        transaction in
        try await transaction.run(.count(Statement("test/enter", "select 1")))
        try await transaction.script(
          Statement("test/generic", "set local plan_cache_mode = force_generic_plan"))
        try await PostgresLeaderboards(transaction)
          .recomputeRanks(of: ids.compactMap { ChallengeID($0) })
        let read: [String] = try await transaction.run(.wholeReads)
        return read
      }
      // The only row that shows whether workers can be woken.
      #expect(Set(read).isSubset(of: ["event_segment"]), "\(read)")
      #expect(try await test.sql("select count(*) from standing where value = 1") == ["20"])
      await session.close()
    }
  }
}

extension Call where Output == [String] {
  /// The tables that this transaction has read completely so far, by name, in all called functions.
  static var wholeReads: Call {
    .lines(
      """
      select relname::text from pg_stat_xact_user_tables
      where schemaname = current_schema() and seq_scan > 0 order by 1
      """)
  }
}
