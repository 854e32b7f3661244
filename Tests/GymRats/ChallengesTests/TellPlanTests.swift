import BatonPostgres
import ChallengesSQL
import TestSupport
import Testing

/// Tests the cost of notifying changed ranks in a session that began before any notification
/// existed.
@Suite struct TellPlanTests {
  /// Creates 2,000 boards of ten members, with current statistics.
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
    // Like autovacuum after retention has truncated a partition: the partition is known to be
    // empty.
    try await test.sql("analyze standing, challenge, board_version, notification")
    // New statistics of autovacuum would cause new plans.
    for table in try await test.sql(
      "select oid::regclass from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace"
    ) {
      try await test.sql("alter table \(table) set (autovacuum_enabled = off)")
    }
  }

  /// Returns the rows that each of four rounds reads, in one session and with one prepared
  /// statement.
  ///
  /// The earlier rounds have no notification, so the server may have chosen a plan.
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
      // The notified members moved again, so their unread notifications change.
      #expect(try await test.sql("select count(*) from notification") == ["\(boards * 10)"])
      await session.close()
    }
    return visits
  }

  @Test(.sampled())
  func `it follows the ranks that moved, whatever the session planned before`() async throws {
    let few = try await visits(40)
    let many = try await visits(160)
    print("rows visited for 400 ranks: \(few), for 1,600: \(many)")
    for (few, many) in zip(few, many) { #expect(Double(many) <= Double(few) * 6) }
    // For each changed rank, the plan visits about thirty nodes, and the other members of a board.
    #expect(many.allSatisfy { $0 < 1_600 * 100 })
  }
}
