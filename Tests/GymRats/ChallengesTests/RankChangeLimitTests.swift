import ChallengesServer
import TestSupport
import Testing

/// Rule 68: the limit on notifications about changed ranks in 24 hours.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RankChangeLimitTests {
  @Test func `a daily cap of one holds if the ranks on both boards of a group change at once`()
    async throws
  {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      for user in ["ann", "bob"] {
        try await gym.join(user)
        try await gym.record("1", by: user, at: "2024-06-05 10:00")
      }
      try await gym.publishAndTell()
      try await gym.run("update setting set rank_change_daily_cap = 1")
      try await gym.run("update standing set told_rank = rank + 1")
      try await gym.run("update board_version set is_told = false")
      var told = try await gym.tell()
      #expect((told.boards, told.written, told.waiting) == (2, 2, 2))
      #expect(Set(try await gym.told()) == ["ann 2 1", "bob 2 1"])
      // A day later, the members are notified of the rank on the other board.
      try await gym.stand(at: "2024-06-06 12:00")
      told = try await gym.tell()
      #expect((told.boards, told.written, told.waiting) == (1, 2, 0))
      #expect(try await gym.told().count == 4)
    }
  }
}
