import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesServer
import TestSupport
import Testing

/// Tests the boundary of a week with concurrent transactions.
///
/// docs/gymrats/weeks.md has the table.
@Suite(.serialized, .timeLimit(.minutes(5)), .bothWaysAtFullSize)
struct WeekRaceTests {
  private let boundary = "2024-06-10 00:10"

  /// Creates two groups with an ended week: Ann and Bob in `g`, Zoe in `h`.
  private func withDueWeek(_ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: "2024-06-09 12:00") { gym in
      try await gym.join("ann")
      try await gym.join("bob")
      try await gym.join("zoe", "h")
      for user in ["ann", "bob", "zoe"] {
        try await gym.record("1", by: user, at: "2024-06-05 10:00")
      }
      try await gym.stand(at: boundary)
      try await body(gym)
    }
  }

  @Test func `a writer that is open across the close is left out, counts, and is closed next`()
    async throws
  {
    try await withDueWeek { gym in
      try await gym.withConnection { other in
        let writer = try await OpenTransaction(other, in: gym)
        let answer = try await writer.run(.record("2", by: "ann", at: "2024-06-09 20:00"))
        #expect(answer == "accepted 2024-06-03")
        let chunk = try await gym.close()
        #expect((chunk.groups, chunk.held, chunk.closed) == (2, 1, 1))
        #expect(try await gym.states() == ["g 2024-06-03 open", "h 2024-06-03 closed"])
        try await writer.commit()
      }
      #expect(try await gym.close().closed == 1)
      #expect(try await gym.standings("2024-06-03").first == "1 1 ann 2")
      #expect(try await gym.ended().count == 3)
    }
  }

  @Test func `a writer that comes during the close waits for it and is too late`() async throws {
    try await withDueWeek { gym in
      try await gym.withConnection { other in
        let closing = try await OpenClose(gym.connection, in: gym)
        async let late = gym.record("2", by: "ann", at: "2024-06-09 20:00", on: other)
        try await gym.waitUntilBlocked()
        try await closing.commit()
        #expect(try await late == "acceptedLate 2024-06-03")
      }
      #expect(try await gym.standings("2024-06-03") == ["1 1 ann 1", "2 1 bob 1"])
    }
  }

  @Test func `a close that is rolled back leaves the writer in time`() async throws {
    try await withDueWeek { gym in
      try await gym.withConnection { other in
        let closing = try await OpenClose(gym.connection, in: gym)
        async let answer = gym.record("2", by: "ann", at: "2024-06-09 20:00", on: other)
        try await gym.waitUntilBlocked()
        try await closing.rollBack()
        #expect(try await answer == "accepted 2024-06-03")
      }
      #expect(try await gym.ended() == [])
    }
  }

  /// The writer has locked `g` and waits for `h`.
  ///
  /// The closing transaction has locked `h` and skips `g`, so no deadlock occurs.
  @Test func `a writer of two groups and the close never wait for each other crosswise`()
    async throws
  {
    try await withDueWeek { gym in
      try await gym.withConnection { other in
        let writer = try await OpenTransaction(other, in: gym)
        try await writer.run(.record("2", by: "ann", at: "2024-06-09 20:00"))
        let closing = try await OpenClose(gym.connection, in: gym)
        async let second = writer.run(.record("2", by: "zoe", at: "2024-06-09 20:00"))
        try await gym.waitUntilBlocked()
        try await closing.commit()
        #expect(try await second == "acceptedLate 2024-06-03")
        try await writer.commit()
      }
      #expect(try await gym.states() == ["g 2024-06-03 open", "h 2024-06-03 closed"])
      #expect(try await gym.entries(of: "ann").first == "2024-06-03 check-ins 2 at 09 20:00")
    }
  }

  @Test(.sampled(), arguments: ["check-ins", "streak"])
  func `one held board leaves its whole group for later`(type: String) async throws {
    try await withDueWeek { gym in
      try await gym.withConnection { other in
        let holder = try await OpenTransaction(other, in: gym)
        try await holder.run(
          .test(
            "select from challenge where id = challenge_id('g', '2024-06-03', '\(type)') for key share"
          ))
        #expect(try await gym.close().held == 1)
        #expect(try await gym.states() == ["g 2024-06-03 open", "h 2024-06-03 closed"])
        try await holder.rollBack()
      }
    }
  }

  @Test func `a held board keeps the later weeks of its group, in the chunks behind it too`()
    async throws
  {
    try await withDueWeek { gym in
      try await gym.stand(at: "2024-06-12 12:00")
      for user in ["ann", "zoe"] {
        try await gym.record("2", by: user, at: "2024-06-12 10:00")
      }
      try await gym.stand(at: "2024-06-17 00:10")
      try await gym.withConnection { other in
        let writer = try await OpenTransaction(other, in: gym)
        try await writer.run(
          .test(
            "select from challenge where id = challenge_id('g', '2024-06-03', 'streak') for key share"
          ))
        let held = try await gym.close(of: 1)
        #expect((held.groups, held.held, held.isGapless) == (1, 1, false))
        let second = try await gym.close(of: 1, after: held)
        let third = try await gym.close(of: 1, after: second)
        let last = try await gym.close(of: 1, after: third)
        #expect([second.closed, third.closed, last.closed] == [1, 1, 0])
        #expect(
          try await gym.states() == [
            "g 2024-06-03 open", "g 2024-06-10 open", "h 2024-06-03 closed", "h 2024-06-10 closed",
          ])
        try await writer.commit()
      }
      #expect(try await gym.close().closed == 1)
      #expect(try await gym.close().closed == 1)
    }
  }

  @Test func `of two closes the second passes by what the first has, and tells nobody again`()
    async throws
  {
    try await withDueWeek { gym in
      try await gym.withConnection { other in
        let first = try await OpenClose(other, in: gym)
        let second = try await gym.close()
        #expect((second.held, second.closed, second.told) == (2, 0, 0))
        try await first.commit()
      }
      #expect(try await gym.close().closed == 0)
      #expect(try await gym.ended() == ["ann 2024-06-03", "bob 2024-06-03", "zoe 2024-06-03"])
    }
  }

  @Test func `a close waits for whoever publishes the board, and publishes what that did not see`()
    async throws
  {
    try await withDueWeek { gym in
      try await gym.withConnection { other in
        let boards = try await gym.boards("2024-06-03")
        let publisher = try await OpenTransaction(other, in: gym)
        for call in Gym.publishing(boards) { try await publisher.run(call) }
        try await gym.record("2", by: "bob", at: "2024-06-09 21:00")
        async let chunk = gym.close()
        try await gym.waitUntilBlocked()
        try await publisher.commit()
        #expect(try await chunk.closed == 2)
      }
      #expect(try await gym.standings("2024-06-03") == ["1 1 bob 2", "2 2 ann 1"])
    }
  }

  @Test func `a recompute that waits for the close changes nothing`() async throws {
    try await withDueWeek { gym in
      let boards = try await gym.boards("2024-06-03")
      try await gym.withConnection { other in
        let closing = try await OpenClose(other, in: gym)
        async let recompute: Void = gym.publish(boards: boards)
        try await gym.waitUntilBlocked()
        try await closing.commit()
        try await recompute
      }
      #expect(try await gym.version() == ["1"])
    }
  }

  @Test func `the next week is open while the last one is being closed`() async throws {
    try await withDueWeek { gym in
      try await gym.record("next", by: "bob", at: "2024-06-10 00:01")
      try await gym.withConnection { other in
        let closing = try await OpenClose(other, in: gym)
        #expect(
          try await gym.record("m", by: "ann", at: "2024-06-10 00:05") == "accepted 2024-06-10")
        try await closing.commit()
      }
      #expect(try await gym.states().contains("g 2024-06-10 open"))
    }
  }
}
