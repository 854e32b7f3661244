import BatonPostgres
import Challenges
import ChallengesPostgres
import RunnerSQL
import TestSupport
import Testing

/// Tests groups, invites, notifications, reports and corrections in two sessions that share only
/// the schema.
@Suite(.timeLimit(.minutes(5))) struct SessionCallTests {
  @Test(.sampled())
  func `groups, notifications, reports and healing are the same in both sessions`()
    async throws
  {
    let plain = try await transcript(SettingsCaller.plain)
    let foreign = try await transcript(SettingsCaller.foreign)
    for change in foreign.difference(from: plain).prefix(6) { Issue.record("\(change)") }
    for answer in [
      // 14 days of 24 hours.
      #"invite (\#(Gym.token),"2026-03-15 23:30:00+00")"#, "preview_before (,\"Early birds\",1,f)",
      "preview_after (inviteInvalid,,,)", "told_again (f)", "badge (1)", "emptied (f)",
      "reported_again (f)", "streak (accepted,,2026-03-09,f)", "days (1)", "weeks (1)",
      "weeks_out_of_reach (0)",
    ] { #expect(plain.contains(answer), "\(answer)") }
  }

  private func transcript(_ settings: [String]) async throws -> [String] {
    try await Gym.open(at: "2026-03-01 23:30") { gym in
      try await gym.users("ann", "bob", "cid")
      let caller = try await SettingsCaller(settings, to: gym.test.configuration, in: gym.schema)
      let product = Gym(test: gym.test, connection: caller.connection)
      var lines = try await groups(caller, product)
      lines += try await weekLater(caller, product)
      lines += try await streaks(caller, product)
      lines += try await healing(caller, product)
      await caller.connection.close()
      lines += try await SettingsCaller.kept { try await gym.lines($0) }
      for table in [
        "groups", "member", "membership", "usage_log", "notification", "client_event", "workout",
        "workout_day", "reported_streak", "challenge", "entry", "standing",
      ] {
        // An invite has a random id.
        lines += try await gym.lines(
          "select (to_jsonb(t) - 'invite_id')::text from \(table) t order by 1")
      }
      return lines
    }
  }

  private func groups(_ caller: SettingsCaller, _ product: Gym) async throws -> [String] {
    var lines: [String] = []
    for name in ["made", "again"] {
      lines += try await caller.keep(name, "create_group('ann', 'g', 'Early birds')")
    }
    for id in ["\\x01", "\\x1f", "\\\\", "x01"] {
      lines += try await caller.ask("select id from create_group('cid', e'\(id)', e'A\(id)')")
    }
    lines += try await caller.keep(
      "invite", "(select token, expires_at from create_invite('ann', 'g', '\(Gym.token)')) i")
    lines += try await caller.keep(
      "invites", "(select created_by, created_at, expires_at from list_invites('ann', 'g')) i")
    lines += try await caller.keep("told", "create_notification('k', 'ann', 'g', 'Hello')")
    try await product.stand(at: "2026-03-02 09:00")
    lines += try await caller.keep("recorded", "record_workout('ann', '1', '2026-03-02 08:00Z')")
    try await product.stand(at: "2026-03-03 09:00")
    return try await lines
      + caller.keep("recorded_next", "record_workout('ann', '2', '2026-03-03 08:00Z')")
  }

  /// A row that is 167.5 hours old is 7 days old by the clocks of New York.
  private func weekLater(_ caller: SettingsCaller, _ product: Gym) async throws -> [String] {
    try await product.stand(at: "2026-03-08 23:00")
    var lines = try await caller.keep("told_again", "create_notification('k', 'ann', 'g', 'Hello')")
    lines += try await caller.keep("badge", "badge('ann')")
    lines += try await caller.keep("page", "notifications('ann')")
    lines += try await caller.keep(
      "marked", "mark_read('ann', array(select id from notifications('ann')))")
    lines += try await caller.keep(
      "emptied",
      "truncate_notifications('notification_' || day_partition('2026-03-01 23:30Z'), 'infinity')")
    // One event per day of UTC. A day of New York begins at four.
    try await product.run("update setting set client_events_a_day = 1")
    for (name, id, time) in [("reported", 1, "03:00"), ("reported_again", 2, "12:00")] {
      try await product.stand(at: "2026-03-09 \(time)")
      lines += try await caller.keep(
        name,
        """
        report_client_event('ann', '00000000-0000-4000-8000-00000000000\(id)', 'board_fetched', 9)
        """)
    }
    return lines
  }

  private func streaks(_ caller: SettingsCaller, _ product: Gym) async throws -> [String] {
    let board = "challenge_id('g', '2026-03-09', 'streak')"
    var lines = try await caller.keep("week", "current_week_challenges('ann', 'g')")
    try await product.run("update setting set streak_source = 'reported'")
    lines += try await caller.keep("streak", "update_streak('ann', \(board), 5)")
    try await product.publishAndTell()
    lines += try await caller.keep("board", "leaderboard('ann', \(board))")
    lines += try await caller.keep("running", "running_boards('{g}', '{streak}')")
    try await product.run("update setting set streak_source = 'ledger'")
    try await product.stand(at: "2026-03-15 23:00")
    lines += try await caller.keep("preview_before", "preview_invite('bob', '\(Gym.token)')")
    lines += try await caller.keep("joined", "join_group('bob', '\(Gym.token)')")
    try await product.stand(at: "2026-03-15 23:30")
    lines += try await caller.keep("preview_after", "preview_invite('cid', '\(Gym.token)')")
    lines += try await caller.keep("members", "get_members('ann', 'g')")
    lines += try await caller.keep("user", "get_user('ann')")
    let begin = try #require(CivilDate.days(year: 2026, month: 3, day: 1))
    let summary = try await Analytics(product.connection, schema: product.schema)
      .summary(of: begin...begin + 20)
    return lines + summary.days.map { "\($0)" } + ["\(summary.invites)"]
  }

  /// A correction covers the last 84 days.
  ///
  /// On 26 May at 02:00, these begin on 3 March in UTC, and one day earlier in New York.
  private func healing(_ caller: SettingsCaller, _ product: Gym) async throws -> [String] {
    try await product.stand(at: "2026-05-26 02:00")
    var lines = try await product.drift()
    lines += try await caller.keep("days", "derive_days('g', 'ann', '2026-04-27')")
    lines += try await caller.keep("weeks", "derive_weeks('g', 'ann', '2026-04-27')")
    try await product.withoutTriggers("update workout_day set workouts = 7, streak = 9")
    lines += try await caller.keep("healed_days", "derive_days('g', 'ann', '2026-04-27')")
    lines += try await caller.keep("healed_weeks", "derive_weeks('g', 'ann', '2026-04-27')")
    lines += try await product.drift()
    // One day later, the week is out of range, except for New York.
    try await product.stand(at: "2026-05-27 02:00")
    return try await lines
      + caller.keep("weeks_out_of_reach", "derive_weeks('g', 'ann', '2026-04-27')")
  }

  /// Such a body is parsed at each call with the caller's settings, and `'\s'` differs between
  /// settings.
  @Test func `a backslash stands in no literal of a function that is read when it is called`() {
    let objects = ([SQL.runner] + TestSchema.parts).flatMap(\.objects)
    let bodies = objects.filter { $0.kind == .function && $0.statement.text.contains("$$") }
    #expect(bodies.count > 100)
    for body in bodies {
      #expect(SettingsCaller.bareBackslashes(in: body.statement) == [], "\(body.name)")
    }
    for (literal, isBare) in [(#"'\s'"#, true), (#"e'\\s'"#, false), ("'s'", false)] {
      let found = SettingsCaller.bareBackslashes(in: Statement("test/s", "a ~ \(literal)"))
      #expect(found.isEmpty != isBare, "\(literal)")
    }
  }
}
