import Challenges
import ChallengesPostgres
import ChallengesServer
import TestSupport
import Testing

/// Tests the explanation of a member's rank, which is derived independently of the boards.
@Suite(.timeLimit(.minutes(5)))
struct RankExplanationTests {
  private let monday = "2024-06-03"

  private func explain(
    _ user: String, _ type: ChallengeType, in gym: Gym
  ) async throws -> RankExplanation {
    let weeks = KeptWeeks(gym.connection, schema: gym.schema)
    let kept = try #require(
      try await weeks.week(of: "g", holding: monday, explaining: user))
    return try #require(RankExplanation(of: user, on: type, in: kept))
  }

  private func judged(_ explanation: RankExplanation) -> [String] {
    explanation.workouts.map { "\($0.workout) \($0.because ?? "counts")" }
  }

  @Test func `each workout of the week counts, or it is said why not`() async throws {
    try await Gym.open(at: "2024-06-03 08:00") { gym in
      // A group needs at least one member.
      try await gym.found("bob")
      try await gym.run("update setting set max_checkins_per_day = 1")
      try await gym.stand(at: "2024-06-04 20:00")
      try await gym.record("early", at: "2024-06-03 07:00")
      try await gym.record("first", at: "2024-06-04 09:00")
      try await gym.record("second", at: "2024-06-04 11:00")
      try await gym.call("leave_group('ann', 'g')")
      try await gym.stand(at: "2024-06-05 20:00")
      try await gym.record("alone", at: "2024-06-05 09:00")
      try await gym.call("add_member('g', 'ann', 'Ann')")
      try await gym.record("away", at: "2024-06-05 10:00")
      try await gym.stand(at: "2024-06-06 20:00")
      try await gym.record("gone", at: "2024-06-06 09:00")
      try await gym.delete("gone")
      try await gym.record("ahead", at: "2024-06-07 09:00")
      try await gym.record("third", at: "2024-06-06 10:00")
      try await gym.run("update users set shares_workouts = false")
      try await gym.stand(at: "2024-06-06 21:00")
      try await gym.run("update users set shares_workouts = true")
      try await gym.publishAll()
      try await gym.fold()

      let checkIns = try await explain("ann", .checkIns, in: gym)
      #expect(
        judged(checkIns) == [
          "early it was performed before the member joined", "first counts",
          "second it exceeds the limit of 1 per day", "alone the user was in no group",
          "away it was performed while the user was not a member", "gone it was deleted",
          "third counts", "ahead its time was in the future when it arrived",
        ])
      #expect(checkIns.value == 2 && checkIns.rank == 1 && checkIns.differences == [])
      #expect(checkIns.reachedAt == "2024-06-06T10:00:00Z")
      #expect(
        checkIns.pauses.map { "\($0.from) \($0.until ?? "")" } == [
          "2024-06-06T20:00:00Z 2024-06-06T21:00:00Z"
        ])
      let streak = try await explain("ann", .streak, in: gym)
      #expect(judged(streak)[2] == "second counts")
      #expect(streak.streak?.dates == ["2024-06-04"] && streak.value == 1)

      try await gym.run("update setting set streak_policy = 'lastRun'")
      #expect(try await explain("ann", .streak, in: gym).streak?.dates == ["2024-06-06"])
    }
  }

  @Test func `who is ahead and who is behind, and what decides`() async throws {
    try await Gym.open(at: "2024-06-03 00:00") { gym in
      try await gym.found("bob")
      try await gym.stand(at: "2024-06-03 01:00")
      for user in ["cid", "dan"] { try await gym.call("add_member('g', '\(user)', 'X')") }
      try await gym.stand(at: "2024-06-05 12:00")
      try await gym.record("1", at: "2024-06-05 08:00")
      for user in ["ann", "bob", "cid", "dan"] {
        let hour = user == "bob" ? 10 : 11
        try await gym.record("2", by: user, at: "2024-06-05 \(hour):00")
      }
      try await gym.publishAll()
      try await gym.fold()
      let last = try await explain("dan", .checkIns, in: gym)
      #expect(last.rank == 2 && last.position == 4 && last.behind == nil)
      #expect(
        last.ahead.map { "\($0.user) \($0.rank) \($0.by.rawValue)" } == [
          "cid 2 user_id", "bob 2 reached_at", "ann 1 value",
        ])
      let middle = try await explain("bob", .checkIns, in: gym)
      #expect(middle.behind.map { "\($0.user) \($0.by.rawValue)" } == "cid reached_at")
      try await gym.run(
        "update member set joined_at = '2024-06-03 00:30' where user_id = 'dan'")
      let joined = try await explain("cid", .checkIns, in: gym)
      #expect(joined.ahead.first.map { "\($0.user) \($0.by.rawValue)" } == "dan joined_at")
    }
  }

  @Test func `what differs from the ledger is said, and a board that waits is not held against it`()
    async throws
  {
    try await Gym.open(at: "2024-06-03 00:00") { gym in
      try await gym.found("bob")
      try await gym.stand(at: "2024-06-05 12:00")
      for user in ["ann", "bob"] { try await gym.record("1", by: user, at: "2024-06-05 09:00") }
      try await gym.publishAll()
      try await gym.fold()
      #expect(try await explain("bob", .checkIns, in: gym).differences == [])

      try await gym.withoutTriggers("update entry set value = 7 where user_id = 'bob'")
      #expect(
        try await explain("bob", .checkIns, in: gym).differences == [
          "the entry says 7, the ledger 1"
        ])
      try await gym.withoutTriggers(
        "update entry set value = 1, hidden = true where user_id = 'bob'")
      #expect(
        try await explain("bob", .streak, in: gym).differences == [
          "the entry is hidden, and ought not to be"
        ])
      try await gym.withoutTriggers("update entry set hidden = false")
      try await gym.withoutTriggers("update standing set rank = 5 where user_id = 'bob'")
      #expect(
        try await explain("bob", .checkIns, in: gym).differences == [
          "published is rank 5, by the ledger 1"
        ])
      try await gym.heal()
      try await gym.fold()
      #expect(try await explain("bob", .checkIns, in: gym).differences == [])

      try await gym.record("2", by: "bob", at: "2024-06-05 10:00")
      let waiting = try await explain("bob", .checkIns, in: gym)
      #expect(waiting.isWaiting && waiting.differences == [])
      #expect(waiting.value == 2 && waiting.publishedValue == 1)
    }
  }

  @Test func `who left or does not share is on no board, and it is said why`() async throws {
    try await Gym.open(at: "2024-06-03 00:00") { gym in
      try await gym.found("bob")
      try await gym.stand(at: "2024-06-05 12:00")
      for user in ["ann", "bob"] { try await gym.record("1", by: user, at: "2024-06-05 09:00") }
      try await gym.call("leave_group('bob', 'g')")
      try await gym.run("update users set shares_workouts = false where id = 'ann'")
      try await gym.publishAll()
      try await gym.fold()
      for (user, why) in [("ann", "does not share"), ("bob", "left")] {
        let explanation = try await explain(user, .checkIns, in: gym)
        #expect(explanation.hidden == why && explanation.rank == nil && explanation.value == 1)
        #expect(explanation.differences == [])
      }
    }
  }
}
