import BatonPostgres
import Challenges
import ChallengesPostgres
import TestSupport
import Testing

/// Rule 53 and the first principle: publishers wait for each other, and users wait for no worker.
@Suite(.serialized, .timeLimit(.minutes(5)), .bothWaysAtFullSize)
struct PublishLockTests {
  private let monday = "2024-06-03"

  /// Creates two members with one workout each on Tuesday.
  private func withGroup(_ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      for user in ["ann", "bob"] {
        try await gym.join(user)
        try await gym.record("tuesday", by: user, at: "2024-06-04 10:00")
      }
      try await body(gym)
    }
  }

  /// Records a workout.
  ///
  /// A statement that waits longer than ten seconds is an error.
  private func recordAtOnce(_ workout: String, by user: String, _ gym: Gym) async throws {
    try await gym.withConnection { writer in
      let began = ContinuousClock.now
      let writing = try await OpenTransaction(writer, in: gym, limit: "10s")
      let answer = try await writing.run(.record(workout, by: user, at: "2024-06-05 10:00"))
      try await writing.commit()
      #expect(answer == "accepted 2024-06-03")
      #expect(ContinuousClock.now - began < .seconds(10) * patience)
    }
  }

  @Test(.sampled(), arguments: [true, false])
  func `a publisher that waited publishes what was committed meanwhile`(
    wasPublishedBefore: Bool
  ) async throws {
    try await withGroup { gym in
      if wasPublishedBefore { try await gym.publish(monday) }
      try await gym.withConnection { other in
        let first = try await HeldPublisher(gym, week: monday)
        async let second: Void = gym.publish(monday, on: other)
        try await gym.waitUntilBlocked()
        // The first statements of the second publisher have begun. This call commits after them.
        try await recordAtOnce("wednesday", by: "bob", gym)
        try await first.commit()
        try await second
      }
      #expect(try await gym.standings(monday) == ["1 1 bob 2", "2 2 ann 1"])
      #expect(
        try await gym.lines("select distinct rank_version::text from board_version") == ["2"])
    }
  }

  @Test func `a publisher that rolls back leaves the work to the next`() async throws {
    try await withGroup { gym in
      try await gym.withConnection { other in
        let first = try await HeldPublisher(gym, week: monday)
        async let second: Void = gym.publish(monday, on: other)
        try await gym.waitUntilBlocked()
        try await first.rollBack()
        try await second
      }
      #expect(try await gym.standings(monday) == ["1 1 ann 1", "2 1 bob 1"])
    }
  }

  @Test func `a write neither waits for a worker in its work transaction nor deadlocks with it`()
    async throws
  {
    try await withGroup { gym in
      try await gym.publish(monday)
      try await gym.join("new")
      try await recordAtOnce("early", by: "bob", gym)
      let worker = try await HeldPublisher(gym, week: monday)
      // An update of entries, the insert of a new member's entry, and an edit.
      try await recordAtOnce("wednesday", by: "ann", gym)
      try await recordAtOnce("wednesday", by: "new", gym)
      try await gym.withConnection { writer in
        let writing = try await OpenTransaction(writer, in: gym, limit: "10s")
        try await writing.run(
          .record("wednesday", by: "ann", at: "2024-06-05 09:00", revision: 1))
        try await writing.run(.test("update users set display_name = 'Ann'"))
        try await writing.run(
          .test("update entry set display_name = 'Ann' where user_id = 'ann'"))
        try await writing.commit()
      }
      // The worker continues with its boards, although rows that it read have changed.
      try await worker.publishAgain()
      try await worker.commit()
      try await gym.publish(monday)
      #expect(try await gym.standings(monday) == ["1 1 ann 2", "2 1 bob 2", "3 3 new 1"])
    }
  }

  @Test func `a worker does not wait for a write that is still open`() async throws {
    try await withGroup { gym in
      try await gym.withConnection { other in
        let writing = try await OpenTransaction(other, in: gym)
        try await writing.run(.record("wednesday", by: "bob"))
        let worker = try await HeldPublisher(gym, week: monday, limit: "10s")
        try await worker.commit()
        #expect(try await gym.standings(monday) == ["1 1 ann 1", "2 1 bob 1"])
        try await writing.commit()
      }
      try await gym.publish(monday)
      #expect(try await gym.standings(monday) == ["1 1 bob 2", "2 2 ann 1"])
    }
  }

  @Test func `a publisher locks its boards in order of their ids`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      for nth in 0..<6 {
        try await gym.join("u\(nth)", "g\(nth)")
        try await gym.record("w", by: "u\(nth)")
      }
      try await gym.publish(monday)
      try await gym.withConnection { other in
        let holder = try await OpenTransaction(try await gym.test.connect(), in: gym)
        let first = "select challenge_id::text from board_version order by challenge_id"
        try await holder.run(.lines("\(first) limit 1 for update"))
        async let waiting: Void = gym.publish(monday, on: other)
        try await gym.waitUntilBlocked()
        // A publisher that waits for the first board has locked none of the others.
        let free = try await gym.withConnection { observer in
          try await gym.lines("\(first) for update skip locked", on: observer)
        }
        #expect(free.count == 11)
        try await holder.rollBack()
        try await waiting
        await holder.connection.close()
      }
    }
  }

  @Test(.sampled()) func `many publishers and writers of the same boards end without an error`()
    async throws
  {
    try await withGroup { gym in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for user in ["ann", "bob"] {
          group.addTask {
            try await gym.withConnection { connection in
              for nth in 0..<60 {
                try await gym.record(
                  "\(nth)", by: user, at: "2024-06-05 0\(nth % 10):00", on: connection)
              }
            }
          }
        }
        for _ in 0..<3 {
          group.addTask {
            try await gym.withConnection { connection in
              for _ in 0..<30 { try await gym.publish(monday, on: connection) }
            }
          }
        }
        try await group.waitForAll()
      }
      try await gym.publish(monday)
      #expect(try await gym.standings(monday) == ["1 1 ann 61", "2 1 bob 61"])
    }
  }
}

/// A worker that has published and not yet committed.
private struct HeldPublisher {
  private let transaction: OpenTransaction
  private let boards: String

  init(_ gym: Gym, week: String, limit: String = "0") async throws {
    let connection = try await gym.test.connect()
    transaction = try await OpenTransaction(connection, in: gym, limit: limit)
    boards = week
    try await publishAgain()
  }

  func publishAgain() async throws {
    let ids = try await transaction.run(
      .lines("select id::text from challenge where week_start = '\(boards)'"))
    for call in Gym.publishing(ids.compactMap { ChallengeID($0) }) {
      try await transaction.run(call)
    }
  }

  func commit() async throws {
    try await transaction.commit()
    await transaction.connection.close()
  }

  func rollBack() async throws {
    try await transaction.rollBack()
    await transaction.connection.close()
  }
}
