import BatonPostgres
import Challenges
import TestSupport
import Testing

/// Rules 34, 52, 55 and 87: the drift that `verify` finds on closed boards, and the versions of
/// these boards.
@Suite(.timeLimit(.minutes(5))) struct ClosedBoardDriftTests {
  private let version =
    """
    select rank_version::text from board_version v join challenge c on c.id = v.challenge_id
    order by c.type
    """

  /// Creates Ann and Bob with two workouts each in the closed week of 3 June.
  private func withClosedWeek(limit: Int = 0, _ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: "2024-06-09 12:00") { gym in
      try await gym.run("update setting set max_checkins_per_day = \(limit)")
      try await gym.found("bob")
      try await gym.run("update member set joined_at = '2024-06-01'")
      for user in ["ann", "bob"] {
        try await gym.record("1", by: user, at: "2024-06-05 10:00")
        try await gym.record("2", by: user, at: "2024-06-06 10:00")
      }
      try await gym.publishAll()
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      try await gym.stand(at: "2024-06-10 01:00")
      try await gym.fold()
      try await body(gym)
    }
  }

  @Test(.sampled()) func `the entry of a deleted account is right on a board that is reopened`()
    async throws
  {
    try await withClosedWeek { gym in
      try await gym.call("delete_account('bob')")
      #expect(try await gym.drift() == [])
      try await gym.run("select reopen_week('g', '2024-06-03', 'test', '1 hour')")
      #expect(try await gym.drift() == [])
      // Another drift is still found.
      try await gym.withoutTriggers("update entry set value = 7 where user_id = 'ann'")
      #expect(
        try await gym.drift() == ["check-ins value ann 7 2", "streak value ann 7 2"])
      try await gym.heal()
      #expect(try await gym.drift() == [])
      #expect(
        try await gym.standings("2024-06-03").map { $0.split(separator: " ").last } == ["2", "2"])
    }
  }

  @Test func `an entry whose id only looks like one of a deleted account drifts`() async throws {
    try await withClosedWeek { gym in
      try await gym.run("insert into users (id, display_name) values ('former-x', 'X')")
      try await gym.withoutTriggers("update entry set user_id = 'former-x' where user_id = 'bob'")
      #expect(try await gym.drift().contains { $0.contains("value former-x") })
    }
  }

  @Test func `an edit inside a closed week is no drift, with check-ins limited per day`()
    async throws
  {
    try await withClosedWeek(limit: 1) { gym in
      // Now both workouts are on one day, so only one of them would count.
      let answer = try await gym.record("2", by: "bob", at: "2024-06-05 11:00", revision: 1)
      #expect(answer == "acceptedLate 2024-06-03")
      #expect(try await gym.drift() == [])
      try await gym.withoutTriggers("update entry set value = 7 where user_id = 'ann'")
      #expect(try await gym.drift().contains("check-ins value ann 7 2"))
    }
  }

  @Test func `a name that leaves a closed board gives the board a new version`() async throws {
    try await withClosedWeek { gym in
      let before = try await gym.lines(version).compactMap { Int($0) }
      try await gym.call("delete_account('bob')")
      #expect(try await gym.lines(version).compactMap { Int($0) } == before.map { $0 + 1 })
    }
  }
}
