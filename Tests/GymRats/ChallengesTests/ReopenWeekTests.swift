import BatonPostgres
import Challenges
import ChallengesServer
import TestSupport
import Testing

/// Rule 36: a reopened week immediately displays the contents of the ledger.
@Suite(.serialized, .timeLimit(.minutes(5)), .bothWaysAtFullSize)
struct ReopenWeekTests {
  /// Creates Ann and Bob with one check-in each in the closed week of 3 June.
  private func withClosedWeek(_ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: "2024-06-09 12:00") { gym in
      for user in ["ann", "bob"] {
        try await gym.join(user)
        try await gym.record("1", by: user, at: "2024-06-05 10:00")
      }
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      try await body(gym)
    }
  }

  private func reopen(_ gym: Gym) async throws {
    try await gym.run("select reopen_week('g', '2024-06-03', 'phone was offline', '1 hour')")
  }

  @Test func `late workouts count without another call of their member`() async throws {
    try await withClosedWeek { gym in
      try await gym.record("late", by: "bob", at: "2024-06-06 09:00")
      try await gym.record("1", by: "ann", at: "2024-06-05 08:00", revision: 1)
      try await reopen(gym)
      #expect(
        try await gym.entries(of: "bob") == [
          "2024-06-03 check-ins 2 at 06 09:00", "2024-06-03 streak 2 at 06 09:00",
        ])
      #expect(
        try await gym.entries(of: "ann") == [
          "2024-06-03 check-ins 1 at 05 08:00", "2024-06-03 streak 1 at 05 08:00",
        ])
      try await gym.stand(at: "2024-06-10 01:10")
      #expect(try await gym.close().closed == 1)
      #expect(try await gym.standings("2024-06-03") == ["1 1 bob 2", "2 2 ann 1"])
      // The current rows of the board do not change any more.
      #expect(
        try await gym.record("late", by: "bob", at: "2024-06-10 01:00", revision: 1)
          == "rejected weekClosed 2024-06-03")
    }
  }

  @Test func `somebody whose only workout came late is on the board then`() async throws {
    try await withClosedWeek { gym in
      try await gym.join("cid")
      try await gym.record("late", by: "cid", at: "2024-06-06 09:00")
      #expect(try await gym.entries(of: "cid") == [])
      try await reopen(gym)
      #expect(try await gym.entries(of: "cid").first == "2024-06-03 check-ins 1 at 06 09:00")
      #expect(
        try await gym.lines("select distinct key from event where topic = 'entry.changed'").count
          == 2)
    }
  }

  @Test func `a workout that is being recorded is waited for, and counts`() async throws {
    try await withClosedWeek { gym in
      try await gym.withConnection { other in
        let writer = try await OpenTransaction(other, in: gym)
        let answer = try await writer.run(.record("late", by: "bob", at: "2024-06-06 09:00"))
        #expect(answer == "acceptedLate 2024-06-03")
        async let reopened: Void = reopen(gym)
        try await gym.waitUntilBlocked()
        try await writer.commit()
        try await reopened
      }
      #expect(try await gym.entries(of: "bob").first == "2024-06-03 check-ins 2 at 06 09:00")
    }
  }

  @Test func `a workout that comes while a week is being reopened waits and is in time`()
    async throws
  {
    try await withClosedWeek { gym in
      try await gym.withConnection { other in
        let operatorSession = try await OpenTransaction(other, in: gym)
        try await operatorSession.run(
          .test("select reopen_week('g', '2024-06-03', 'phone was offline', '1 hour')"))
        async let answer = gym.record("late", by: "bob", at: "2024-06-06 09:00")
        try await gym.waitUntilBlocked()
        try await operatorSession.commit()
        #expect(try await answer == "accepted 2024-06-03")
      }
      #expect(try await gym.entries(of: "bob").first == "2024-06-03 check-ins 2 at 06 09:00")
    }
  }
}
