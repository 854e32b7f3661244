import BatonPostgres
import TestSupport
import Testing

/// Tests what a call of `record_workout` reads for a new member and for a member with a long
/// history.
///
/// The test counts buffers, because durations on a shared machine vary.
@Suite struct HistoryCostTests {
  @Test func `ten years of history and a run of 1,000 days cost what a newcomer costs`()
    async throws
  {
    try await TestSchema.with { test in
      let people = People(test)
      for user in ["newcomer", "veteran", "runner"] {
        try await people.join(user, group: user, joinedAt: "now() - interval '11 years'")
      }
      // Every third day of ten years, and each of the last 1,000 days.
      try await history(of: "veteran", days: "generate_series(4, 3650, 3)", run: "1", test)
      try await history(of: "runner", days: "generate_series(1, 1000)", run: "1001 - d", test)
      try await test.sql("analyze workout, workout_day, entry, challenge, member, users")
      let newcomer = try await buffers(of: "newcomer", test)
      let veteran = try await buffers(of: "veteran", test)
      let runner = try await buffers(of: "runner", test)
      print("buffers of a call: newcomer \(newcomer), ten years \(veteran), 1,000 days \(runner)")
      #expect(newcomer > 0)
      #expect(Double(veteran) <= Double(newcomer) * 1.5, "\(veteran) against \(newcomer) buffers")
      #expect(Double(runner) <= Double(newcomer) * 1.5, "\(runner) against \(newcomer) buffers")
      let streak = try await test.sql(
        """
        select e.value from entry e join challenge c on c.id = e.challenge_id
        where e.user_id = 'runner' and c.type = 'streak'
        """)
      #expect(streak == ["1001"])
    }
  }

  /// Tests sessions that keep their plans, including plans from a time with almost no rows.
  @Test func `a session that planned on empty tables pays no more for a long past`() async throws {
    try await TestSchema.with { test in
      let people = People(test)
      for user in ["newcomer", "veteran"] {
        try await people.join(user, group: user, joinedAt: "now() - interval '11 years'")
      }
      // New statistics of autovacuum would cause new plans.
      for table in ["workout", "workout_day", "entry", "challenge", "member", "users"] {
        try await test.sql("alter table \(table) set (autovacuum_enabled = off)")
      }
      let session = try await test.connect()
      let newcomer = try await buffers(of: "newcomer", test, on: session)
      try await history(of: "veteran", days: "generate_series(4, 3650, 3)", run: "1", test)
      let veteran = try await buffers(of: "veteran", test, on: session)
      print("buffers of a call planned on empty tables: \(newcomer), ten years later \(veteran)")
      #expect(Double(veteran) <= Double(newcomer) * 1.5, "\(veteran) against \(newcomer) buffers")
      await session.close()
    }
  }

  private func history(
    of user: String, days: String, run: String, _ test: TestSchema
  ) async throws {
    try await test.sql(
      """
      insert into workout (user_id, workout_id, sent_performed_at, sent_utc_offset_s, revision,
        group_id, performed_at, utc_offset_s, local_date, week_start, counted, outcome, received_at)
      select '\(user)', 'past-' || d, at, 0, 0, '\(user)', at, 0, (at at time zone 'UTC')::date,
        week_of(at), true, 'accepted', at
      from \(days) d, lateral (select now() - d * interval '1 day' as at) past
      """)
    try await test.sql(
      """
      insert into workout_day (user_id, group_id, local_date, week_start, workouts, first_at,
        first_offset_s, last_at, last_offset_s, streak)
      select '\(user)', '\(user)', (at at time zone 'UTC')::date, week_of(at), 1, at, 0, at, 0, \(run)
      from \(days) d, lateral (select now() - d * interval '1 day' as at) past
      """)
  }

  /// Returns the pages that one call reads or writes, as the minimum of several calls.
  ///
  /// The first calls plan, and so does a call after the server has analyzed a table.
  private func buffers(of user: String, _ test: TestSchema) async throws -> Int {
    let connection = try await test.connect()
    let least = try await buffers(of: user, test, on: connection)
    await connection.close()
    return least
  }

  private func buffers(
    of user: String, _ test: TestSchema, on connection: Connection
  ) async throws -> Int {
    var least = Int.max
    for call in 1...6 {
      let plan = try await connection.sql(
        """
        explain (analyze, buffers, costs off, timing off)
        select record_workout('\(user)', 'call-\(call)', now(), 0)
        """, in: test.schema)
      least = min(least, try TestSchema.pages(in: plan))
    }
    return least
  }
}
