import BatonPostgres
import ChallengesPostgres
import ChallengesSQL
import ChallengesServer
import TestSupport
import Testing

/// Retention finds the rows that it deletes by index, regardless of the number of other rows.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RowRetentionPlanTests {
  /// The rows of each kind.
  ///
  /// One half is old and the other half is young.
  ///
  /// Each row has its own time.
  private static let fills: KeyValuePairs<ExpiredKind, (Statement, String)> = [
    .closedWeeks: (
      SQL.Retention.purgeClosedWeeks,
      "closed_week (group_id, week_start, is_told, closed_at) select 'g' || n, week, false, at"
    ),
    .reopenings: (
      SQL.Retention.purgeReopenings,
      """
      week_reopening (group_id, week_start, reason, reopened_by, reopened_at, reopened_until)
      select 'g' || n, week, 'x', 'x', at, at
      """
    ),
    .reportedStreaks: (
      SQL.Retention.purgeReportedStreaks,
      """
      reported_streak (user_id, group_id, week_start, streak_days, reported_at)
      select 'u' || n, 'g' || n, week, 1, at
      """
    ),
    .invites: (
      SQL.Retention.purgeInvites,
      """
      invite (token_hash, group_id, created_by, created_at, expires_at)
      select sha256(n::text::bytea), 'g' || n, 'u' || n, at - interval '1 day', at
      """
    ),
    .attempts: (
      SQL.Retention.purgeAttempts,
      "invite_attempt (user_id, began_at, attempts) select 'u' || n, at, 3"
    ),
    .reports: (
      SQL.Retention.purgeReports,
      """
      user_report (id, reported, group_id, reason, note, created_at)
      select gen_random_uuid(), 'u' || n, 'g' || n, 'spam', '', at
      """
    ),
    .sessions: (
      SQL.Retention.purgeSessions,
      """
      session (user_id, device, token_hash, created_at, expires_at)
      select 'u' || n, 'Phone', sha256(n::text::bytea), at - interval '90 days', at
      """
    ),
    .pushDevices: (
      SQL.Retention.purgePushDevices,
      """
      push_device (user_id, platform, environment, token, locale, registered_at)
      select 'u' || n, 'fcm', 'production', 't' || n, 'en', at
      """
    ),
    .usageLog: (
      SQL.Retention.purgeUsageLog,
      "usage_log (recorded_at, kind, group_id) select at, 'group_created', 'g' || n"
    ),
    .clientEvents: (
      SQL.Retention.purgeClientEvents,
      "client_event (id, kind, recorded_at) select gen_random_uuid(), 'link_failed', at"
    ),
    .workouts: (
      SQL.Retention.purgeWorkouts,
      """
      workout (user_id, workout_id, revision, group_id, performed_at, utc_offset_s, local_date,
        week_start, counted, outcome, received_at)
      select 'u' || n, 'w', 1, 'g' || n, at, 0, at::date, week, true, 'accepted', at
      """
    ),
    .refusedEdits: (
      SQL.Retention.purgeRefusedEdits,
      """
      refused_edit (user_id, workout_id, revision, reason, week_start, refused_at)
      select 'u' || n, 'w', 1, 'weekClosed', week, at
      """
    ),
    .revisions: (
      SQL.Retention.purgeRevisions,
      """
      workout_revision (user_id, workout_id, revision, performed_at, utc_offset_s, local_date,
        week_start, counted, outcome, missed_board, is_deleted, received_at, superseded_at)
      select 'u' || n, 'w', 1, at, 0, week, week, true, 'accepted', false, false, at, at
      """
    ),
    .pauses: (
      SQL.Retention.purgePauses,
      "sharing_pause (user_id, began_at, ended_at) select 'u' || n, at - interval '1 h', at"
    ),
    .memberships: (
      SQL.Retention.purgeMemberships,
      "member (group_id, user_id, joined_at, left_at) select 'g' || n, 'u' || n, at, at"
    ),
    .groups: (
      SQL.Retention.purgeGroups,
      "groups (id, name, is_active, created_at, ended_at) select 'e' || n, 'E', false, at, at"
    ),
  ]

  /// The number of old rows, which is also the number of young rows.
  private static let half = TestSize.isFull ? 100_000 : 20_000

  private static let rows =
    """
    from generate_series(1, \(2 * half)) n, lateral (
      select case when n <= \(half) then domain_now() - interval '1000 days' + n * interval '1 s'
        else domain_now() - n * interval '1 s' end as at) a,
      lateral (select date_trunc('week', at at time zone 'UTC')::date as week) w
    """

  private func fill(_ kind: ExpiredKind, _ insert: String, _ gym: Gym) async throws {
    // Triggers and references are disabled, so these rows can exist alone.
    try await gym.run("set session_replication_role = replica")
    try await gym.run("insert into \(insert) \(Self.rows)")
    if kind == .memberships {
      try await gym.run(
        "insert into membership (group_id, user_id, joined_at) select 'g' || n, 'u' || n, at \(Self.rows)"
      )
    }
    if kind == .workouts {
      try await gym.run("update setting set workout_age = '400 days'")
      try await gym.run(
        """
        insert into workout_day (user_id, group_id, local_date, week_start, workouts, first_at,
          first_offset_s, last_at, last_offset_s)
        select 'u' || n, 'g' || n, at::date, week, 1, at, 0, at, 0 \(Self.rows)
        """)
    }
    try await gym.run("set session_replication_role = origin")
  }

  /// Returns the number of pages that a piece of 10 rows reads, and rolls the piece back.
  private func pages(
    _ statement: Statement, from: String = "null", group: String = "null", _ gym: Gym,
    atMost most: Int
  ) async throws -> Int {
    let text = statement.text.replacing("$1", with: "10").replacing("$2", with: from)
      .replacing("$3", with: group)
    let explain = Statement(
      "test/explain \(statement.name) \(from)",
      "explain (analyze, buffers, costs off, timing off) \(text)")
    return try await TestSchema.fewestPages(atMost: most) {
      try await gym.connection.rolledBack(in: gym.schema) {
        let lines: [String] = try await gym.connection.run(
          .rows(explain) { (row) throws(PostgresError) in try row.decode(String.self) })
        return lines
      }
    }
  }

  @Test(.sampled()) func `each kind reads pages in proportion to what it deletes`()
    async throws
  {
    #expect(Set(Self.fills.map(\.key)) == Set(ExpiredKind.allCases))
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      // The boards of other groups, which are also found by index.
      try await gym.run("set session_replication_role = replica")
      try await gym.run(
        """
        insert into challenge (id, group_id, week_start, type, state)
        select gen_random_uuid(), 'x' || n, week, 'streak', 'closed' \(Self.rows)
        """)
      for (kind, (statement, insert)) in Self.fills {
        try await fill(kind, insert, gym)
        let read = try await pages(statement, gym, atMost: 200)
        print("\(kind.rawValue): 10 of \(Self.half) rows are deleted by \(read) pages")
        // Deleting a group reads the most pages, because four other tables are searched. Each table
        // has more than 200 pages.
        #expect(read < 200, "\(kind)")
      }
    }
  }

  @Test(.sampled())
  func `beside an old transaction the last piece reads as much as the first`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await fill(.revisions, Self.fills.first { $0.key == .revisions }?.value.1 ?? "", gym)
      let first = try await pages(SQL.Retention.purgeRevisions, gym, atMost: 150)
      try await gym.withConnection { other in
        let old = try await OpenTransaction(other, in: gym, level: "repeatable read")
        try await old.run(.test("select count(*) from workout_revision"))
        var position: Int64?
        var gone = 0
        while gone < Self.half * 9 / 10 {
          let piece = try await gym.connection.transaction(in: gym.schema) { transaction in
            try await PostgresExpiredData(transaction).purge(
              .revisions, limit: Self.half / 20, from: position)
          }
          gone += piece.deleted
          position = piece.reached
        }
        let last = try await pages(
          SQL.Retention.purgeRevisions,
          from: "(timestamptz 'epoch' + \(position ?? 0) * interval '1 us')",
          gym, atMost: first * 2)
        let fromOldest = try await pages(SQL.Retention.purgeRevisions, gym, atMost: 0)
        print(
          "pages of the first piece: \(first), of the last: \(last), without a position: \(fromOldest)"
        )
        #expect(last < first * 2)
        // The old transaction still sees the deleted rows, so a search from the oldest row reads
        // all of them.
        #expect(fromOldest > 2 * last)
        try await old.rollBack()
      }
    }
  }

  @Test(.sampled()) func `beside an old transaction the last boards cost as much as the first`()
    async throws
  {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.run("set session_replication_role = replica")
      // All boards of one week, as a server has them that closes its groups each Monday.
      try await gym.run(
        """
        insert into challenge (id, group_id, week_start, type, state)
        select gen_random_uuid(), 'x' || n, '2023-06-05', 'streak', 'closed'
        from generate_series(1, \(Self.half)) n
        """)
      try await gym.run("set session_replication_role = origin")
      try await gym.run("analyze challenge")
      let purge = SQL.Retention.purgeBoards
      let first = try await pages(purge, gym, atMost: 600)
      try await gym.withConnection { other in
        let old = try await OpenTransaction(other, in: gym, level: "repeatable read")
        try await old.run(.test("select count(*) from challenge"))
        var position: BoardPosition?
        var gone = 0
        while gone < Self.half * 9 / 10 {
          let piece = try await gym.connection.transaction(in: gym.schema) { transaction in
            try await PostgresExpiredData(transaction).purgeBoards(
              limit: Self.half / 20, from: position)
          }
          gone += piece.deleted
          position = piece.reached
        }
        let reached = try #require(position)
        let last = try await pages(
          purge, from: "'\(reached.week)'", group: "'\(reached.group)'", gym, atMost: first * 2)
        let fromOldest = try await pages(purge, gym, atMost: 0)
        print("pages of the first boards: \(first), of the last: \(last), else \(fromOldest)")
        #expect(last < first * 2)
        #expect(fromOldest > 2 * last)
        try await old.rollBack()
      }
    }
  }
}
