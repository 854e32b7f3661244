import BatonPostgres
import JobTesting
import Presence
import PresencePostgres
import PresenceSQL
import PresenceServer
import TestSupport
import Testing

/// Tests that places of users are deleted after their retention period, and that the users' numbers
/// remain.
@Suite(.timeLimit(.minutes(5))) struct MovementRetentionTests {
  private func with(_ body: (Places) async throws -> Void) async throws {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("ann", "acc", "boss")
      try await places.devices("dev")
      try await places.found("g", by: "boss", "ann", "acc", "dev")
      try await places.found("h", by: "boss", "ann", "acc", "dev")
      try await body(places)
    }
  }

  private func count(_ table: String, _ places: Places) async throws -> String {
    try await places.sql("select count(*) from \(table)").joined()
  }

  /// Inserts one stay of an hour.
  private func stay(
    _ user: String, _ group: String, at clock: String, _ places: Places
  ) async throws {
    try await places.stand(at: clock)
    let call = "('\(user)', gen_random_uuid(), '\(group)', 'manual', 'phone', domain_now())"
    #expect(try await places.call("check_in\(call)", "outcome") == "accepted")
    try await places.stand(at: clock.replacing(":00", with: ":30"))
    #expect(try await places.call("check_out\(call)", "outcome") == "accepted")
  }

  @Test(.sampled())
  func `visits, first arrivals and streaks go after 30 days, and the numbers stay`()
    async throws
  {
    try await with { places in
      try await stay("ann", "g", at: "2024-06-05 12:00", places)
      try await stay("ann", "g", at: "2024-06-06 12:00", places)
      let before = try await places.stats("ann")
      #expect(before.longestStreak == 2 && before.firstArrivals == 2 && before.groupsVisited == 1)
      try await places.stand(at: "2024-07-05 12:30")
      try await places.retain()
      #expect(try await count("visit", places) == "2")
      #expect(try await count("first_arrival", places) == "1")
      try await places.stand(at: "2024-07-07 00:00")
      let dry = try await places.expired()
      #expect(Set(dry).isSuperset(of: ["first_arrival 1", "visit 2", "visit_streak 1"]), "\(dry)")
      try await places.retain()
      for table in ["visit", "first_arrival", "visit_streak"] {
        #expect(try await count(table, places) == "0", "\(table)")
      }
      #expect(try await places.stats("ann").checkIns == before.checkIns)
      #expect(try await places.stats("ann").longestStreak == 2)
      // The group is not new, and its version continues.
      try await stay("ann", "g", at: "2024-07-08 12:00", places)
      try await stay("ann", "h", at: "2024-07-08 14:00", places)
      let after = try await places.stats("ann")
      #expect(after.groupsVisited == 2 && after.checkIns == 4 && after.firstArrivals == 4)
      #expect(
        try await places.sql("select version from presence where user_id = 'ann' order by 1")
          == ["2", "6"])
    }
  }

  @Test(.sampled()) func `a stay that goes on never goes`() async throws {
    try await with { places in
      let call = "check_in('ann', gen_random_uuid(), 'g', 'manual', 'phone', domain_now())"
      try await places.call(call, "outcome")
      try await places.stand(at: "2025-06-01 12:00")
      try await places.retain()
      #expect(try await places.visits() == ["ann t 2024-06-05 12:00:00"])
    }
  }

  @Test(.sampled()) func `users who are merged later keep what both have counted`() async throws {
    try await with { places in
      try await stay("dev", "g", at: "2024-06-05 12:00", places)
      try await stay("acc", "g", at: "2024-06-06 12:00", places)
      try await stay("acc", "h", at: "2024-06-06 14:00", places)
      try await places.stand(at: "2024-08-01 12:00")
      try await places.retain()
      #expect(try await count("visit", places) == "0")
      try await stay("dev", "g", at: "2024-08-01 12:00", places)
      try await stay("acc", "g", at: "2024-08-02 12:00", places)
      try await stay("dev", "g", at: "2024-08-03 12:00", places)
      #expect(try await places.call("link_account('dev', 'google', 'acc')", "id") == "acc")
      let stats = try await places.stats("acc")
      #expect(stats.checkIns == 6 && stats.groupsVisited == 2)
      // The dates of both users, one after the other.
      #expect(stats.longestStreak == 3)
      #expect(
        try await places.sql("select user_id, begins, ends from visit_streak")
          == ["acc,2024-08-01,2024-08-03"])
    }
  }

  @Test(.sampled()) func `counters of failed attempts are deleted after 7 days`() async throws {
    try await with { places in
      try await places.sql("delete from invite_attempt")
      try await places.call("redeem_invite('ann', 'no such code')")
      try await places.stand(at: "2024-06-12 12:00")
      try await places.call("redeem_invite('acc', 'no such code')")
      try await places.retain()
      #expect(try await count("invite_attempt", places) == "2")
      try await places.stand(at: "2024-06-12 12:00:00.000001")
      #expect(try await places.expired().contains("invite_attempt 1"))
      try await places.retain()
      #expect(try await places.sql("select user_id from invite_attempt") == ["acc"])
    }
  }

  // MARK: Memberships and groups

  @Test(.sampled()) func `an ended membership and an ended group go a year later`() async throws {
    try await with { places in
      try await stay("ann", "g", at: "2024-06-05 12:00", places)
      try await places.call("send_message('ann', 'g', gen_random_uuid(), 'Hello')")
      #expect(try await places.test.drain() == 0)
      try await places.call("leave_group('ann', 'g')")
      try await places.call("delete_group('boss', 'h')")
      let year = "2025-06-05 12:30"
      try await places.stand(at: year)
      try await places.retain()
      #expect(try await count("groups", places) == "2")
      #expect(
        try await places.sql("select 1 from member where user_id = 'ann' and group_id = 'g'") == [
          "1"
        ])
      try await places.stand(at: year + ":00.000001")
      try await places.retain()
      #expect(try await places.sql("select id from groups") == ["g"])
      for table in ["member", "presence", "message_bucket"] {
        #expect(
          try await places.sql("select 1 from \(table) where user_id = 'ann' and group_id = 'g'")
            == [], "\(table)")
      }
      // Ann joins this group for the first time.
      #expect(try await places.call("join_public_group('ann', 'g')", "id") == "g")
      try await places.call("delete_group('boss', 'g')")
      try await places.stand(at: "2026-07-01 12:00")
      try await places.retain()
      for table in ["groups", "member", "group_summary", "group_chat", "group_area", "invite"] {
        #expect(try await count(table, places) == "0", "\(table)")
      }
    }
  }

  @Test func `a member who returns while retention runs stays`() async throws {
    try await with { places in
      try await places.call("leave_group('ann', 'g')")
      try await places.stand(at: "2025-06-06 12:00")
      try await places.withOpen("select join_public_group('ann', 'g')") { open in
        #expect(try await places.sql("select deleted from purge_memberships(10, null)") == ["0"])
        try await open.end("commit")
      }
      #expect(try await places.sql("select deleted from purge_memberships(10, null)") == ["0"])
      #expect(try await places.members().contains("ann member"))
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "visit_age = '6 days'", "visit_age = '3661 days'", "anonymous_age = '29 days'",
      "anonymous_age = '3661 days'", "group_age = '29 days'", "group_age = '3661 days'",
    ])
  func `each age has bounds`(setting: String) async throws {
    try await Places.with { places in
      let error = await #expect(throws: PostgresError.self) {
        try await places.sql("update setting set \(setting)")
      }
      #expect(error?.sqlState.code == "23514")
    }
  }

  // MARK: Pages

  @Test(.sampled()) func `visits are found by their age, also beside an old transaction`()
    async throws
  {
    // One half of the visits is old, and the other half is young.
    let half = TestSize.isFull ? 100_000 : 20_000
    try await Places.with(at: "2024-06-05 12:00") { places in
      for statement in [
        "alter table visit disable trigger all",
        """
        insert into visit (user_id, group_id, arrival, departure, local_date, is_first)
        select 'u' || n % 1000, 'g', at, at, at::date, false
        from generate_series(1, \(2 * half)) n, lateral (
          select case when n <= \(half) then domain_now() - interval '100 days' + n * interval '1 s'
            else domain_now() - n * interval '1 s' end as at) a
        """,
      ] { try await places.sql(statement) }
      let session = try await places.test.connect()
      func pages(from position: Int64?, atMost most: Int) async throws -> Int {
        let text = SQL.Retention.purgeVisits.text.replacing("$1", with: "10").replacing(
          "$2", with: position.map { "(timestamptz 'epoch' + \($0) * interval '1 us')" } ?? "null")
        let explain = Statement(
          "test/explain \(position ?? 0)",
          "explain (analyze, buffers, costs off, timing off) \(text)")
        return try await TestSchema.fewestPages(atMost: most) {
          try await session.rolledBack(in: places.test.schema) {
            let lines: [String] = try await session.run(
              .rows(explain) { (row) throws(PostgresError) in try row.decode(String.self) })
            return lines
          }
        }
      }
      let first = try await pages(from: nil, atMost: 150)
      // The table has more pages than that.
      #expect(first < 150)
      try await places.withOpen("select pg_current_xact_id()") { open in
        var position: Int64?
        var gone = 0
        while gone < half * 9 / 10 {
          let piece = try await session.transaction(in: places.test.schema) { transaction in
            try await PostgresExpiredRecords(transaction).purge(
              .visits, limit: half / 20, from: position)
          }
          gone += piece.deleted
          position = piece.reached
        }
        let last = try await pages(from: position, atMost: first * 2)
        let fromOldest = try await pages(from: nil, atMost: 0)
        print(
          "pages of the first piece: \(first), of the last: \(last), without a position: \(fromOldest)"
        )
        #expect(last < first * 2)
        // The control: dead index entries before the position are read, which takes up to three
        // times as many pages.
        #expect(fromOldest > 2 * last)
        try await open.end("rollback")
      }
      await session.close()
    }
  }
}

extension Places {
  /// Runs the `retention` job.
  func retain() async throws {
    try await sql("select enqueue('retention', 'scheduled')")
    guard try await test.drain() == 0 else { throw TestFailure("a run of retention died") }
  }

  /// Returns the tables and numbers of rows that a dry run of retention lists.
  func expired() async throws -> [String] {
    let connection = try await test.connect()
    let rows = try await connection.transaction(in: test.schema) {
      try await PostgresExpiredRecords($0).rows()
    }
    await connection.close()
    return rows.map { "\($0.name) \($0.rows)" }
  }
}
