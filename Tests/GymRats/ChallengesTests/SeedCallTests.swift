import BatonPostgres
import TestSupport
import Testing

/// Rules 19 and 20: the calls of the specification that name a challenge.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SeedCallTests {
  private let noon = "2024-06-05 12:00"

  private func board(_ type: String, _ week: String = "2024-06-03", _ group: String = "g") -> String
  {
    "challenge_id('\(group)', '\(week)', '\(type)')"
  }

  private func ask(_ call: String, _ gym: Gym) async throws -> String {
    try await gym.lines(
      """
      select concat_ws(' ', outcome, reason, week_start, case when is_replayed then 'again' end)
      from \(call)
      """)[0]
  }

  private func increment(_ key: String?, by user: String = "ann", _ gym: Gym) async throws
    -> String
  {
    let key = key.map { "'\($0)'" } ?? "null"
    return try await ask("increment_check_in('\(user)', \(board("check-ins")), \(key))", gym)
  }

  private func streak(_ days: Int, by user: String = "ann", _ gym: Gym) async throws -> String {
    try await ask("update_streak('\(user)', \(board("streak")), \(days))", gym)
  }

  // MARK: Check-ins

  @Test func `a check-in is one more, once for each key`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("w", at: "2024-06-04 10:00")
      #expect(try await increment("k", gym) == "accepted 2024-06-03")
      #expect(try await increment("k", gym) == "accepted 2024-06-03 again")
      #expect(try await gym.entries().first == "2024-06-03 check-ins 2 at 05 12:00")
      #expect(try await gym.entries().last == "2024-06-03 streak 2 at 05 12:00")
      // Without a key, a retry counts again.
      for _ in 0..<2 { #expect(try await increment(nil, gym) == "accepted 2024-06-03") }
      #expect(try await gym.entries().first == "2024-06-03 check-ins 4 at 05 12:00")
      // Any workout with that id is the workout of the call.
      #expect(try await gym.delete("k") == "accepted 2024-06-03")
      #expect(try await gym.entries().first == "2024-06-03 check-ins 3 at 05 12:00")
    }
  }

  @Test func `a retry gets its first answer when the week is over`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("w")
      _ = try await increment("k", gym)
      try await gym.stand(at: "2024-06-11")
      #expect(try await increment("k", gym) == "accepted 2024-06-03 again")
    }
  }

  @Test func `a streak takes a number of changes in each week`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.run("update setting set streak_source = 'reported', edits_a_workout = 2")
      try await gym.join("ann")
      try await gym.record("w")
      for days in [3, 4] { #expect(try await streak(days, gym) == "accepted 2024-06-03") }
      #expect(try await streak(5, gym) == "rejected tooManyEdits 2024-06-03")
      #expect(try await streak(4, gym) == "accepted 2024-06-03 again")
      #expect(try await gym.lines("select count(*)::text from reported_streak") == ["2"])
    }
  }

  @Test func `what the calls cannot do has a name`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.run("update setting set streak_source = 'reported'")
      for user in ["ann", "bob"] { try await gym.join(user, user == "ann" ? "g" : "h") }
      for user in ["ann", "bob"] { try await gym.record("w", by: user) }
      try await gym.run("select lock_boards('g', '2024-06-10')")
      let calls = [
        ("nobody", board("check-ins"), "ZG001", "notAuthenticated"),
        ("ann", "gen_random_uuid()", "ZG006", "challengeNotFound"),
        ("ann", "null", "ZG006", "challengeNotFound"),
        ("ann", board("check-ins", "2024-06-10"), "ZG012", "invalidInput"),
        ("bob", board("check-ins"), "ZG011", "notAMember"),
        ("ann", board("streak"), "ZG007", "invalidChallengeType"),
      ]
      for (user, board, code, name) in calls {
        let error = await #expect(throws: PostgresError.self) {
          _ = try await ask("increment_check_in('\(user)', \(board), 'k')", gym)
        }
        #expect(error?.sqlState.code == code)
        #expect(error?.constraint == name)
      }
      for days in [-1, 3651] {
        let error = await #expect(throws: PostgresError.self) { _ = try await streak(days, gym) }
        #expect(error?.sqlState.code == "ZG012")
      }
      let wrong = await #expect(throws: PostgresError.self) {
        _ = try await ask("update_streak('ann', \(board("check-ins")), 3)", gym)
      }
      #expect(wrong?.sqlState.code == "ZG007")
      try await gym.stand(at: "2024-06-10")
      for call in [
        "increment_check_in('ann', \(board("check-ins")))",
        "update_streak('ann', \(board("streak")), 3)",
      ] {
        let error = await #expect(throws: PostgresError.self) { _ = try await ask(call, gym) }
        #expect(error?.sqlState.code == "ZG008")
      }
    }
  }

  @Test func `nothing is counted of who does not share`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.run("update setting set streak_source = 'reported'")
      try await gym.join("ann")
      try await gym.record("w")
      try await gym.run("select update_privacy_settings('ann', false)")
      #expect(try await increment(nil, gym) == "ignoredPrivacy")
      #expect(try await streak(4, gym) == "ignoredPrivacy")
      #expect(try await gym.lines("select user_id from reported_streak") == [])
    }
  }

  // MARK: Streaks

  @Test func `the ledger's streaks are not set by hand`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("w")
      let error = await #expect(throws: PostgresError.self) { _ = try await streak(4, gym) }
      #expect(error?.sqlState.code == "ZG014")
      #expect(try await gym.entries().last == "2024-06-03 streak 1 at 05 12:00")
    }
  }

  @Test func `a reported streak is what was said last, also downwards`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.run("update setting set streak_source = 'reported'")
      try await gym.join("ann")
      try await gym.record("w", at: "2024-06-05 10:00")
      // In this mode, workouts do not change the streak.
      #expect(try await gym.entries() == ["2024-06-03 check-ins 1 at 05 10:00"])
      #expect(try await streak(15, gym) == "accepted 2024-06-03")
      #expect(try await gym.entries().last == "2024-06-03 streak 15 at 05 12:00")
      try await gym.stand(at: "2024-06-05 13:00")
      // The same value was reached at the earlier time.
      #expect(try await streak(15, gym) == "accepted 2024-06-03 again")
      try await gym.record("x", at: "2024-06-05 11:00")
      #expect(try await gym.entries().last == "2024-06-03 streak 15 at 05 12:00")
      #expect(try await streak(3, gym) == "accepted 2024-06-03")
      #expect(try await gym.entries().last == "2024-06-03 streak 3 at 05 13:00")
      #expect(try await streak(0, gym) == "accepted 2024-06-03")
      try await gym.delete("x")
      try await gym.publishAll()
      #expect(try await gym.standings("2024-06-03", "streak") == [])
      #expect(try await gym.entries().first == "2024-06-03 check-ins 1 at 05 10:00")
    }
  }

  @Test func `a reopened week shows the streak that was reported`() async throws {
    try await Gym.open(at: "2024-06-09 12:00") { gym in
      try await gym.run("update setting set streak_source = 'reported'")
      try await gym.join("ann")
      try await gym.record("w")
      _ = try await streak(9, gym)
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      try await gym.run("select reopen_week('g', '2024-06-03', 'a mistake', '1 hour')")
      #expect(try await gym.entries().last == "2024-06-03 streak 9 at 09 12:00")
    }
  }
}
