import BatonPostgres
import Challenges
import TestSupport
import Testing

/// Rule 24: members without a workout are at the end of a board if the setting says so, and
/// otherwise not on the board.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct IncludeZeroTests {
  private let noon = "2024-06-05 12:00"

  /// Creates five members: Ann with 1, Bob with 1, Cid with 2.
  ///
  /// Eve joined before Dan.
  private func withMembers(_ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: noon) { gym in
      for user in ["ann", "bob", "cid", "dan"] { try await gym.join(user) }
      try await gym.join("eve", at: "1999-01-01")
      try await gym.join("other", "h")
      for (user, name) in [("ann", "1"), ("bob", "1"), ("cid", "1"), ("cid", "2")] {
        try await gym.record(name, by: user)
      }
      try await gym.publishAll()
      try await body(gym)
    }
  }

  private func rows(_ gym: Gym, _ condition: String = "type = 'check-ins'") async throws
    -> [String]
  {
    try await gym.lines(
      """
      select concat_ws(' ', position, rank, user_id, value) from leaderboard
      where group_id = 'g' and week_start = '2024-06-03' and \(condition) order by position
      """)
  }

  @Test(
    .sampled(),
    arguments: [
      ("competition", ["1 1 cid 2", "2 2 ann 1", "3 2 bob 1", "4 4 eve 0", "5 4 dan 0"]),
      ("dense", ["1 1 cid 2", "2 2 ann 1", "3 2 bob 1", "4 3 eve 0", "5 3 dan 0"]),
      ("unique", ["1 1 cid 2", "2 2 ann 1", "3 3 bob 1", "4 4 eve 0", "5 5 dan 0"]),
    ])
  func `they share the last rank, as the policy has it`(policy: String, expected: [String])
    async throws
  {
    try await withMembers { gym in
      try await gym.run("update setting set check_ins_rank = '\(policy)'")
      try await gym.publishAll()
      #expect(try await rows(gym) == Array(expected.prefix(3)))
      try await gym.run("update setting set include_zero = true")
      #expect(try await rows(gym) == expected)
      #expect(
        try await gym.lines(
          """
          select concat_ws(' ', position, rank, user_id, value)
          from leaderboard('ann', challenge_id('g', '2024-06-03', 'check-ins'))
          """) == expected)
      // The row of one member is the same as in the whole list.
      #expect(try await rows(gym, "type = 'check-ins' and user_id = 'dan'") == [expected[4]])
    }
  }

  @Test func `who left, does not share or is ranked is not behind it`() async throws {
    try await withMembers { gym in
      try await gym.run("update setting set include_zero = true")
      try await gym.run("update member set left_at = domain_now() where user_id = 'dan'")
      try await gym.run("select update_privacy_settings('eve', false)")
      #expect(try await rows(gym) == ["1 1 cid 2", "2 2 ann 1", "3 2 bob 1"])
      // A value of 0 counts as no workout.
      try await gym.delete("1", by: "bob")
      try await gym.publishAll()
      #expect(try await rows(gym) == ["1 1 cid 2", "2 2 ann 1", "3 3 bob 0"])
    }
  }

  @Test func `a closed board has the members of then`() async throws {
    try await withMembers { gym in
      try await gym.run("update setting set include_zero = true")
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      try await gym.run("update member set left_at = domain_now() where user_id = 'dan'")
      try await gym.join("new", at: "2024-06-10 00:05")
      #expect(
        try await rows(gym) == ["1 1 cid 2", "2 2 ann 1", "3 2 bob 1", "4 4 eve 0", "5 4 dan 0"])
    }
  }

  @Test func `a board without a workout lists all first`() async throws {
    try await withMembers { gym in
      try await gym.run("update setting set include_zero = true")
      try await gym.run("select lock_boards('g', '2024-06-10')")
      let next = try await gym.lines(
        """
        select concat_ws(' ', position, rank, user_id) from leaderboard
        where challenge_id = challenge_id('g', '2024-06-10', 'streak') order by position
        """)
      #expect(next == ["1 1 eve", "2 1 ann", "3 1 bob", "4 1 cid", "5 1 dan"])
    }
  }
}
