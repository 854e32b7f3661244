import BatonPostgres
import ChallengesSQL
import TestSupport
import Testing

/// What telling changed ranks costs in a session that began before there was any notification.
@Suite struct TellPlanTests {
  /// 2,000 boards of ten, of which the server knows all there is to know.
  private func make(in test: TestSchema) async throws {
    try await test.sql(
      "insert into groups (id, name) select 'g' || n, 'G' from generate_series(1, 2000) n")
    try await test.sql(
      """
      insert into challenge (id, group_id, week_start, type)
      select challenge_id(id, week_of(now()), 'streak'), id, week_of(now()), 'streak' from groups
      """)
    try await test.sql(
      """
      insert into standing (challenge_id, user_id, value, rank, position, display_name,
        last_updated)
      select id, 'user-' || n, 20 - n, n, n, 'U', now()
      from challenge, generate_series(1, 10) n
      """)
    // As autovacuum leaves a partition that retention has emptied: known to be empty.
    try await test.sql("analyze standing, challenge, board_version, notification")
    // What autovacuum finds out later would have the plans made anew.
    for table in try await test.sql(
      "select oid::regclass from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace"
    ) {
      try await test.sql("alter table \(table) set (autovacuum_enabled = off)")
    }
  }

  /// Rows that each of four rounds visits, in one session and by one prepared statement, after so many
  /// rounds without a notification that the server may have settled for a plan.
  private func visits(_ boards: Int) async throws -> [Int] {
    var visits: [Int] = []
    try await TestSchema.with { test in
      try await make(in: test)
      let session = try await test.connect()
      let ids = try await test.sql("select id from challenge limit \(boards)")
        .joined(separator: ",")
      let told = Call.rows(
        Statement("test/told", "explain (analyze, costs off, timing off) execute told('{\(ids)}')")
      ) { (row) throws(PostgresError) in try row.decode(String.self) }
      for round in 0..<12 {
        let move = round < 8 ? "told_rank = null" : "rank = rank % 10 + 1"
        try await test.sql("update standing set \(move) where challenge_id = any ('{\(ids)}')")
        let lines = try await Session(session, in: test.schema).transaction {
          try await $0.run(.run(SQL.Notifications.setPlanCacheMode, true))
          if round == 0 {
            try await $0.script(
              Statement(
                "test/prepare", "prepare told(uuid[]) as \(SQL.Notifications.tellRanks.text)"))
          }
          let lines: [String] = try await $0.run(told)
          return lines
        }
        if round >= 8 { visits.append(try TestSchema.rows(in: lines)) }
      }
      // Whoever was told moved again: their notifications are unread and change.
      #expect(try await test.sql("select count(*) from notification") == ["\(boards * 10)"])
      await session.close()
    }
    return visits
  }

  @Test func `it follows the ranks that moved, whatever the session planned before`() async throws {
    let few = try await visits(40)
    let many = try await visits(160)
    print("rows visited for 400 ranks: \(few), for 1,600: \(many)")
    for (few, many) in zip(few, many) { #expect(Double(many) <= Double(few) * 6) }
    // Some thirty nodes, and the other members of a board, for each rank that moved.
    #expect(many.allSatisfy { $0 < 1_600 * 100 })
  }
}
