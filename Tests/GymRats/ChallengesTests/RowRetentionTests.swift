import BatonPostgres
import ChallengesPostgres
import ChallengesSQL
import ChallengesServer
import TestSupport
import Testing

/// Retention deletes old rows one by one, and changes no answer to users.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RowRetentionTests {
  /// Purges rows of a kind, and returns their number.
  private func purge(
    _ kind: ExpiredKind, _ gym: Gym, limit: Int = 100, from: Int64? = nil
  ) async throws -> Int {
    try await gym.connection.transaction(in: gym.schema) {
      try await PostgresExpiredData($0).purge(kind, limit: limit, from: from)
    }.deleted
  }

  /// Closes due weeks and deletes old boards.
  private func purgeBoards(_ gym: Gym) async throws {
    try await gym.close()
    _ = try await gym.connection.transaction(in: gym.schema) {
      try await PostgresExpiredData($0).purgeBoards(limit: 10, from: nil)
    }
  }

  private func count(_ table: String, _ gym: Gym) async throws -> String {
    try await gym.lines("select count(*)::text from \(table)").joined()
  }

  /// Returns the tables that a dry run lists.
  private func expired(_ gym: Gym) async throws -> [String] {
    try await gym.connection.transaction(in: gym.schema) {
      try await PostgresExpiredData($0).rows()
    }.map(\.table)
  }

  // MARK: Edits

  @Test func `refused edits and revisions go after 90 days, and the same call is too old then`()
    async throws
  {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("1", at: "2024-06-05 10:00")
      try await gym.record("1", at: "2024-06-05 09:00", revision: 1)
      let refused = "rejected futureTimestamp 2024-06-03"
      #expect(try await gym.record("1", at: "2024-06-06 10:00", revision: 2) == refused)
      try await gym.stand(at: "2024-09-03 12:00")
      #expect(try await purge(.refusedEdits, gym) == 0)
      #expect(try await purge(.revisions, gym) == 0)
      #expect(
        try await gym.record("1", at: "2024-06-06 10:00", revision: 2) == refused + " again")
      // The board is stored for 90 days after its week, and the revisions for one more week.
      try await gym.stand(at: "2024-09-10 12:00")
      #expect(try await purge(.refusedEdits, gym) == 0)
      try await gym.stand(at: "2024-09-10 12:00:00.000001")
      #expect(try await expired(gym).contains("refused_edit"))
      #expect(try await purge(.refusedEdits, gym) == 1)
      #expect(try await purge(.revisions, gym) == 1)
      #expect(try await gym.record("1", at: "2024-06-06 10:00", revision: 2) == "expired")
      #expect(try await count("workout", gym) == "1")
    }
  }

  @Test func `revisions are stored as long as a board can be derived from them`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.run("update setting set board_age = '200 days'")
      try await gym.join("ann")
      try await gym.record("1", at: "2024-06-05 10:00")
      try await gym.record("1", at: "2024-06-05 09:00", revision: 1)
      try await gym.call("update_privacy_settings('ann', false)")
      try await gym.stand(at: "2024-06-05 13:00")
      try await gym.call("update_privacy_settings('ann', true)")
      try await gym.stand(at: "2024-12-29 12:00")
      #expect(try await purge(.revisions, gym) == 0)
      try await gym.stand(at: "2024-12-29 12:00:00.000001")
      #expect(try await purge(.revisions, gym) == 1)
      #expect(try await purge(.pauses, gym) == 0)
      try await gym.stand(at: "2024-12-29 13:00:00.000001")
      #expect(try await purge(.pauses, gym) == 1)
    }
  }

  @Test func `sessions are deleted 7 days after their validity`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann")
      try await gym.call("(begin_session('ann', 'old')).expires_at")
      try await gym.stand(at: "2024-06-06 12:00")
      try await gym.call("(begin_session('ann', 'new')).expires_at")
      try await gym.call("end_sessions('ann')")
      try await gym.stand(at: "2024-09-10 12:00")
      #expect(try await purge(.sessions, gym) == 0)
      try await gym.stand(at: "2024-09-10 12:00:00.000001")
      #expect(try await expired(gym).contains("session"))
      #expect(try await purge(.sessions, gym) == 1)
      #expect(try await gym.lines("select device from session") == ["new"])
    }
  }

  @Test func `counters of failed attempts are deleted after 7 days`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann", "bob")
      try await gym.call("preview_invite('ann', 'there is no such invite')")
      #expect(try await gym.lines("select user_id from invite_attempt") == ["ann"])
      try await gym.stand(at: "2024-06-12 12:00")
      try await gym.call("preview_invite('bob', 'there is no such invite')")
      #expect(try await purge(.attempts, gym) == 0)
      try await gym.stand(at: "2024-06-12 12:00:00.000001")
      #expect(try await expired(gym).contains("invite_attempt"))
      #expect(try await purge(.attempts, gym) == 1)
      #expect(try await gym.lines("select user_id from invite_attempt") == ["bob"])
    }
  }

  // MARK: Workouts

  @Test func `workouts are stored for ever, or as long as the setting says`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("1", at: "2024-06-05 10:00")
      try await gym.record("2", at: "2024-06-05 11:00")
      try await gym.record("2", at: "2024-06-05 11:30", revision: 1)
      try await gym.stand(at: "2025-06-05 12:00")
      try await gym.record("3", at: "2025-06-05 10:00")
      try await purgeBoards(gym)
      #expect(try await purge(.workouts, gym) == 0)
      #expect(try await expired(gym).contains("workout") == false)
      try await gym.run("update setting set workout_age = '365 days'")
      #expect(try await purge(.workouts, gym) == 0)
      try await gym.stand(at: "2025-06-05 12:00:00.000001")
      #expect(try await expired(gym).contains("workout"))
      #expect(try await purge(.workouts, gym) == 2)
      #expect(try await gym.lines("select workout_id from workout") == ["3"])
      #expect(try await gym.lines("select local_date::text from workout_day") == ["2025-06-05"])
      #expect(try await count("workout_revision", gym) == "0")
      // A repeated call is as old as its workout, and an id may be used again.
      #expect(try await gym.record("1", at: "2024-06-05 10:00") == "expired")
      #expect(try await gym.record("1", at: "2025-06-05 11:00") == "accepted 2025-06-02")
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `a streak goes on when its first days are deleted`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.run("update setting set workout_age = '365 days'")
      try await gym.join("ann")
      // Every day of 380 days, in the form of the ledger.
      try await gym.run(
        """
        insert into workout (user_id, workout_id, revision, group_id, performed_at, utc_offset_s,
          local_date, week_start, counted, outcome, received_at)
        select 'ann', 'day-' || n, 0, 'g', at, 0, at::date, week_of(at), true, 'accepted', at
        from generate_series(0, 379) n, lateral (select domain_now() + n * interval '1 day' as at) a
        """)
      try await gym.run(
        """
        insert into workout_day
        select user_id, group_id, local_date, week_start, 1, performed_at, 0, performed_at, 0,
          1 + local_date - min(local_date) over ()
        from workout
        """)
      try await gym.stand(at: "2025-06-20 12:00")
      #expect(try await purge(.workouts, gym) == 15)
      try await gym.record("today", at: "2025-06-20 11:00")
      #expect(
        try await gym.lines(
          """
          select value::text from entry e join challenge c on c.id = e.challenge_id
          where c.type = 'streak'
          """) == ["381"])
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `workouts are stored as long as a board can be derived from them`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.run("update setting set board_age = '500 days', workout_age = '365 days'")
      try await gym.join("ann")
      try await gym.record("1", at: "2024-06-05 10:00")
      try await gym.stand(at: "2026-01-26 12:00")
      // The board is old enough, but has not been deleted yet.
      try await gym.run("update setting set board_age = '7 days'")
      #expect(try await purge(.workouts, gym) == 0)
      try await purgeBoards(gym)
      try await gym.run("update setting set board_age = '500 days'")
      #expect(try await purge(.workouts, gym) == 0)
      try await gym.stand(at: "2026-01-26 12:00:00.000001")
      #expect(try await purge(.workouts, gym) == 1)
    }
  }

  @Test func `a pause that goes on never goes`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.join("ann")
      try await gym.call("update_privacy_settings('ann', false)")
      try await gym.stand(at: "2034-06-05 12:00")
      #expect(try await purge(.pauses, gym) == 0)
      #expect(try await gym.record("1", at: "2034-06-05 10:00") == "ignoredPrivacy")
    }
  }

  @Test func `reopenings and reported streaks go after the boards of their week`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.run("update setting set streak_source = 'reported'")
      try await gym.join("ann")
      try await gym.record("1", at: "2024-06-05 10:00")
      try await gym.call("update_streak('ann', challenge_id('g', '2024-06-03', 'streak'), 3)")
      try await gym.stand(at: "2024-06-10 01:00")
      try await gym.close()
      try await gym.run("select reopen_week('g', '2024-06-03', 'a mistake', '1 hour')")
      try await gym.stand(at: "2024-09-10 12:00")
      // The week was never closed again.
      for kind in [ExpiredKind.reopenings, .reportedStreaks] {
        #expect(try await purge(kind, gym) == 0, "\(kind)")
      }
      try await purgeBoards(gym)
      for kind in [ExpiredKind.reopenings, .reportedStreaks] {
        #expect(try await purge(kind, gym) == 1, "\(kind)")
      }
    }
  }

  // MARK: Memberships and groups

  @Test func `an ended group goes a year later, after its members, boards and invites`()
    async throws
  {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.found("bob")
      try await gym.record("1", by: "bob", at: "2024-06-05 12:00")
      #expect(try await gym.lines("select (ended_at is null)::text from groups") == ["true"])
      try await gym.call("delete_group('ann', 'g')")
      #expect(try await gym.lines("select (ended_at = domain_now())::text from groups") == ["true"])
      try await gym.stand(at: "2025-06-05 12:00")
      for kind in ExpiredKind.allCases where kind != .invites && kind != .attempts {
        #expect(try await purge(kind, gym) == 0, "\(kind)")
      }
      try await gym.stand(at: "2025-06-05 12:00:00.000001")
      #expect(try await expired(gym).contains("groups"))
      // The boards of the group have not been deleted yet.
      #expect(try await purge(.memberships, gym) == 0)
      #expect(try await purge(.groups, gym) == 0)
      try await purgeBoards(gym)
      #expect(try await purge(.groups, gym) == 0)
      #expect(try await purge(.memberships, gym) == 2)
      #expect(try await purge(.groups, gym) == 0)
      #expect(try await purge(.invites, gym) == 1)
      #expect(try await purge(.groups, gym) == 1)
      for table in ["groups", "member", "membership"] {
        #expect(try await count(table, gym) == "0", "\(table)")
      }
      // The users continue: the workout is known, and both users found another group.
      #expect(
        try await gym.record("1", by: "bob", at: "2024-06-05 12:00") == "accepted 2024-06-03 again")
      #expect(try await gym.call("delete_workout('bob', '1')").hasPrefix("(accepted"))
      #expect(try await gym.call("create_group('bob', 'h', 'Gym')").hasPrefix("(h,"))
      #expect(try await gym.call("delete_account('ann')") == "")
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `a membership that ended is stored while a board shows its user`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.run("update setting set board_age = '500 days', group_age = '30 days'")
      try await gym.found("bob")
      try await gym.record("1", by: "bob", at: "2024-06-05 12:00")
      try await gym.publishAndTell()
      try await gym.stand(at: "2024-06-10 01:00")
      try await gym.close()
      try await gym.call("leave_group('bob', 'g')")
      try await gym.stand(at: "2025-10-20 00:00")
      #expect(try await purge(.memberships, gym) == 0)
      // The account is deleted, and no board contains its name.
      try await gym.call("delete_account('bob')")
      #expect(
        try await gym.lines("select distinct display_name from standing") == ["Former member"])
    }
  }

  @Test func `who returns after a year is a new member`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.found("bob", "cid")
      try await gym.call("leave_group('bob', 'g')")
      try await gym.stand(at: "2025-06-05 12:00:00.000001")
      // A board that was never closed.
      #expect(try await purge(.memberships, gym) == 0)
      try await purgeBoards(gym)
      #expect(try await purge(.memberships, gym) == 1)
      #expect(try await gym.members().count == 2)
      try await gym.run("select add_member('g', 'bob', 'Bob')")
      #expect(
        try await gym.lines(
          "select (joined_at = domain_now())::text from member where user_id = 'bob'") == ["true"])
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `a member who returns while retention runs stays`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.found("bob")
      try await gym.call("leave_group('bob', 'g')")
      try await gym.stand(at: "2025-06-05 12:00:00.000001")
      try await purgeBoards(gym)
      try await gym.withConnection { other in
        let joining = try await OpenTransaction(other, in: gym)
        try await joining.run(.test("select add_member('g', 'bob', 'Bob')"))
        #expect(try await purge(.memberships, gym) == 0)
        try await joining.commit()
      }
      #expect(try await purge(.memberships, gym) == 0)
      #expect(try await gym.members().count == 2)
      #expect(try await gym.broken() == [])
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "revision_age = '89 days'", "revision_age = '3661 days'", "group_age = '29 days'",
      "group_age = '3661 days'", "workout_age = '364 days'", "workout_age = '36601 days'",
    ])
  func `each age has bounds`(setting: String) async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      let error = await #expect(throws: PostgresError.self) {
        try await gym.run("update setting set \(setting)")
      }
      #expect(error?.sqlState.code == "23514")
    }
  }
}
