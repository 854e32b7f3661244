import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesServer
import TestSupport
import Testing

/// Tests the same calls in two sessions that share only the schema.
///
/// Answers, displayed rows and stored rows must be identical in every byte.
@Suite struct SessionSettingsTests {
  private static let visible =
    """
    select concat_ws(' ', user_id, type, extract(epoch from created_at)::bigint, content)
    from visible_notification order by id
    """

  @Test(.sampled())
  func `two very different sessions get the same answers and leave the same rows`()
    async throws
  {
    let plain = try await transcript(SettingsCaller.plain)
    let foreign = try await transcript(SettingsCaller.foreign)
    for change in foreign.difference(from: plain).prefix(6) { Issue.record("\(change)") }
    for answer in [
      "ann young accepted 2026-02-23 f", "ann old rejected tooOld 2026-02-16 f",
      "bob local accepted 2026-02-23 f",
    ] { #expect(plain.contains(answer), "\(answer)") }
    #expect(plain.contains { $0.hasPrefix("ann rank_change 1772407800 ") })
  }

  /// Returns all answers and displayed rows of the calls, followed by every stored row.
  private func transcript(_ settings: [String]) async throws -> [String] {
    try await Gym.open(at: "2026-03-01 23:30") { gym in
      for user in ["ann", "bob"] {
        try await gym.join(user, at: "2026-02-01", zone: user == "bob" ? "America/New_York" : nil)
      }
      let caller = try await SettingsCaller(
        settings, to: gym.test.configuration, in: gym.schema)
      let product = Gym(test: gym.test, connection: caller.connection)
      var lines = try await callsOfWeek(caller, product)
      lines += try await closeAndReopen(caller, product)
      lines += try await limits(caller, product)
      await caller.connection.close()
      for table in [
        "setting", "users", "sharing_pause", "member", "workout", "workout_revision",
        "workout_day", "challenge", "entry", "standing", "board_version", "notification",
        "closed_week", "week_reopening", "schedule_delay",
      ] { lines += try await gym.lines("select t::text from \(table) t order by 1") }
      return lines
    }
  }

  /// Calls with ages of 7 days.
  ///
  /// In New York, one of these days has 23 hours.
  private func callsOfWeek(_ caller: SettingsCaller, _ product: Gym) async throws -> [String] {
    var lines = try await caller.record("ann", "1", "2026-03-01 23:00Z")
    lines += try await caller.record("bob", "local", "2026-02-28 03:00Z")
    lines += try await caller.record("bob", "1", "2026-03-01 23:10Z")
    try await product.publishAndTell()
    lines += try await caller.record("ann", "2", "2026-03-01 23:20Z")
    lines += try await caller.record("ann", "3", "2026-03-01 23:21Z")
    try await product.publishAndTell()
    try await product.stand(at: "2026-03-08 23:00Z")
    lines += try await caller.record("ann", "young", "2026-03-01 23:30Z")
    lines += try await caller.record("ann", "young", "2026-03-08 22:00Z", revision: 1)
    lines += try await caller.ask(Self.visible)
    // If a standing is deleted, its unread notification is deleted as well while the notification
    // is visible.
    lines += try await caller.ask("delete from standing where user_id = 'bob' returning user_id")
    return try await lines + caller.ask(Self.visible)
  }

  private func closeAndReopen(_ caller: SettingsCaller, _ product: Gym) async throws -> [String] {
    let chunk = try await product.close()
    var lines = ["\(chunk)"]
    lines += try await caller.ask(Self.visible)
    for (hold, week) in [("9 days 01:00", "2026-02-23"), ("1 day", "2026-02-16")] {
      lines += try await caller.ask("select reopen_week('g', '\(week)', 'why', '\(hold)')::text")
    }
    try await product.stand(at: "2026-03-07 12:00Z")
    lines += try await caller.ask("select reopen_week('g', '2026-02-23', 'why', '2 days')::text")
    try await product.stand(at: "2026-03-10 01:00Z")
    let first = try await product.close(of: 1)
    lines += ["\(first)", "\(try await product.close(of: 1, after: first))"]
    lines += try await product.connection.transaction(in: product.schema) {
      try await PostgresWeeks($0).livelyGroups(after: "", limit: 10).map(\.monday)
    }
    let boards = Boards(product.connection, schema: product.schema)
    lines += try await boards.standings(group: "g", week: "2026-02-25", type: nil).map {
      "\($0.weekStart) \($0.member) \($0.value) \($0.rank)"
    }
    lines.append(try await boards.newestWeek(of: "g").week ?? "none")
    let weeks = WeekList(product.connection, schema: product.schema)
    lines += try await weeks.weeks(limit: 10).map { "\($0)" }
    let list = NotificationList(product.connection, schema: product.schema)
    return try await lines
      + list.notifications(for: nil, isUnreadOnly: false, limit: 100).map { "\($0)" }
  }

  /// Calls with ages of months, refused calls, and values that the tables refuse.
  private func limits(_ caller: SettingsCaller, _ product: Gym) async throws -> [String] {
    try await product.stand(at: "2026-05-20 12:00Z")
    var lines = try await caller.record("ann", "old", "2026-02-19 12:30Z")
    for id in ["x01", "\\\\", "\\x01", "\\x1f", "\\x7f"] {
      lines += try await caller.record("ann", id, "2026-05-20 11:00Z")
    }
    for id in ["x01", "\\\\", "\\x01", "\\x7f", "young", "3"] {
      lines += try await caller.ask(
        "select concat_ws(' ', outcome, reason, is_replayed) from delete_workout('ann', e'\(id)')")
      lines += try await caller.ask("select 'done' from update_profile('ann', e'\(id)', null)")
    }
    for shares in [false, true] {
      lines += try await caller.ask("select 'done' from update_privacy_settings('bob', \(shares))")
    }
    for key in ["x01", "\\\\", "\\x01", "\\x7f"] {
      lines += try await caller.ask("select coalesce(enqueue('none', e'\(key)')::text, '')")
    }
    for age in ["168:00:00", "7 days", "6 days 23:00", "14 days", "13 days 25:00", "1 month"] {
      lines += try await caller.ask(
        "update setting set notification_age = '\(age)' returning 'kept'")
    }
    try await product.run("update development set fires_schedules = true")
    lines += try await caller.ask("insert into schedule_delay values ('j', '1 day') returning job")
    lines += try await caller.ask(
      """
      insert into schedule (job, expression, missed, next_at, in_development)
      values ('j', 'every 1 s', 'all', '2026-03-08 06:00Z', true) returning job
      """)
    lines += try await caller.ask(
      "select extract(epoch from fires_at)::bigint::text from waiting_schedule")
    lines += try await product.connection.transaction(in: product.schema) {
      try await PostgresExpiredData($0).rows().map { "\($0)" }
    }
    lines += try await product.connection.transaction(in: product.schema) {
      ["\(try await PostgresExpiredData($0).purgeBoards(limit: 10, from: nil)) boards removed"]
    }
    return lines
  }
}

extension SettingsCaller {
  fileprivate func record(
    _ user: String, _ workout: String, _ time: String, revision: Int = 0
  ) async throws -> [String] {
    try await ask(
      """
      select concat_ws(' ', '\(user)', e'\(workout)', outcome, reason,
        to_char(week_start, 'YYYY-MM-DD'), is_replayed)
      from record_workout('\(user)', e'\(workout)', '\(time)', null, \(revision))
      """)
  }
}
