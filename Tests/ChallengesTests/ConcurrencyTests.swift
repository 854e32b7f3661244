import Postgres
import TestSupport
import Testing

/// Rules 8, 15, 23 and 30 with real transactions side by side.
@Suite(.serialized, .timeLimit(.minutes(2)), .bothWays)
struct ConcurrencyTests {
  private let noon = "2024-06-05 12:00"
  private let close = Call<Void>.test(
    """
    with board as (select id from challenge where week_start = '2024-06-03' order by id for update)
    update challenge c set state = 'closed', closed_at = domain_now() from board b where c.id = b.id
    """)

  @Test func `of two workouts of one member the second waits, and both count`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.withConnection { other in
        let first = try await OpenTransaction(gym.connection, in: gym)
        try await first.run(.record("a", by: "ann", at: "2024-06-05 10:00"))
        async let second = gym.record("b", at: "2024-06-05 11:00", on: other)
        try await gym.waitUntilBlocked()
        try await first.commit()
        #expect(try await second == "accepted 2024-06-03")
      }
      #expect(try await gym.entries().first == "2024-06-03 check-ins 2 at 05 11:00")
    }
  }

  @Test func `the first rolls back, and only the second counts`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.withConnection { other in
        let first = try await OpenTransaction(gym.connection, in: gym)
        try await first.run(.record("a", by: "ann", at: "2024-06-05 10:00"))
        async let second = gym.record("b", at: "2024-06-05 11:00", on: other)
        try await gym.waitUntilBlocked()
        try await first.rollBack()
        #expect(try await second == "accepted 2024-06-03")
      }
      #expect(try await gym.entries().first == "2024-06-03 check-ins 1 at 05 11:00")
    }
  }

  @Test(arguments: ["repeatable read", "serializable"])
  func `under a higher level the second gets 40001, never a wrong count`(level: String)
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("warm", at: "2024-06-04 10:00")
      try await gym.withConnection { other in
        let first = try await OpenTransaction(gym.connection, in: gym, level: level)
        let second = try await OpenTransaction(other, in: gym, level: level)
        // Takes the snapshot.
        _ = try await second.run(.lines("select user_id from member"))
        try await first.run(.record("a", by: "ann", at: "2024-06-05 10:00"))
        async let failure = #expect(throws: PostgresError.self) {
          try await second.run(.record("b", by: "ann", at: "2024-06-05 11:00"))
        }
        try await gym.waitUntilBlocked()
        try await first.commit()
        #expect(await failure?.sqlState == "40001")
        try await second.rollBack()
      }
      #expect(try await gym.entries().first == "2024-06-03 check-ins 2 at 05 10:00")
    }
  }

  @Test func `the same call twice at once is one row and one answer`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.withConnection { other in
        let first = try await OpenTransaction(gym.connection, in: gym)
        let answer = try await first.run(.record("w", by: "ann", at: "2024-06-05 10:00"))
        async let again = gym.record("w", at: "2024-06-05 10:00", on: other)
        try await gym.waitUntilBlocked()
        try await first.commit()
        #expect(answer == "accepted 2024-06-03")
        #expect(try await again == "accepted 2024-06-03 again")
      }
      #expect(try await gym.lines("select workout_id from workout") == ["w"])
      #expect(try await gym.entries().first == "2024-06-03 check-ins 1 at 05 10:00")
    }
  }

  @Test func `one id with two payloads at once: one counts, the other is a conflict`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.withConnection { other in
        let first = try await OpenTransaction(gym.connection, in: gym)
        try await first.run(.record("w", by: "ann", at: "2024-06-05 10:00"))
        async let second = gym.record("w", at: "2024-06-05 11:00", on: other)
        try await gym.waitUntilBlocked()
        try await first.commit()
        #expect(try await second == "rejected idempotencyConflict 2024-06-03")
      }
      #expect(try await gym.entries().first == "2024-06-03 check-ins 1 at 05 10:00")
    }
  }

  @Test func `the same call of who is in no group, twice at once, is one row`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.run("insert into users (id, display_name) values ('ann', 'ann')")
      try await gym.withConnection { other in
        let first = try await OpenTransaction(gym.connection, in: gym)
        try await first.run(.record("w", by: "ann"))
        async let again = gym.record("w", on: other)
        try await gym.waitUntilBlocked()
        try await first.commit()
        #expect(try await again == "noActiveGroup 2024-06-03 again")
      }
      #expect(try await gym.lines("select workout_id from workout") == ["w"])
    }
  }

  @Test func `two members make the boards of a new week at once without a deadlock`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      for user in ["ann", "bob"] { try await gym.join(user) }
      try await gym.withConnection { other in
        let first = try await OpenTransaction(gym.connection, in: gym)
        try await first.run(.record("w", by: "ann"))
        async let second = gym.record("w", by: "bob", on: other)
        // The one uncommitted board that a first write may wait for is another first write's.
        try await gym.waitUntilBlocked()
        try await first.commit()
        #expect(try await second == "accepted 2024-06-03")
      }
      #expect(try await gym.lines("select id::text from challenge").count == 2)
      #expect(try await gym.entries(of: "bob").count == 2)
    }
  }

  @Test func `on boards that are there members do not wait for each other`() async throws {
    try await Gym.open(at: noon) { gym in
      for user in ["ann", "bob"] { try await gym.join(user) }
      try await gym.join("cid", "h")
      try await gym.record("warm", by: "ann", at: "2024-06-04 10:00")
      try await gym.withConnection { other in
        let first = try await OpenTransaction(gym.connection, in: gym)
        try await first.run(.record("w", by: "ann"))
        let second = try await OpenTransaction(other, in: gym, limit: "1s")
        #expect(try await second.run(.record("w", by: "bob")) == "accepted 2024-06-03")
        #expect(try await second.run(.record("w", by: "cid")) == "accepted 2024-06-03")
        try await second.commit()
        try await first.commit()
      }
    }
  }

  @Test func `many writers of two groups at once lose nothing`() async throws {
    try await Gym.open(at: noon) { gym in
      let users = (0..<8).map { "u\($0)" }
      for (index, user) in users.enumerated() { try await gym.join(user, "g\(index % 2)") }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<6 {
          group.addTask {
            try await gym.withConnection { connection in
              for nth in 0..<40 {
                let user = users[(worker + nth) % users.count]
                // Each workout is sent by two connections.
                let id = "\(worker / 2)-\(nth / users.count)"
                let day = 3 + (nth / users.count) % 3
                _ = try await gym.record(
                  id, by: user, at: "2024-06-0\(day) 0\(worker / 2):00", on: connection)
              }
            }
          }
        }
        try await group.waitForAll()
      }
      for user in users {
        #expect(
          try await gym.entries(of: user) == [
            "2024-06-03 check-ins 15 at 05 02:00", "2024-06-03 streak 3 at 05 00:00",
          ])
      }
    }
  }

  @Test func `a call that waits for a close is accepted late`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("a", at: "2024-06-05 10:00")
      try await gym.withConnection { other in
        let closing = try await OpenTransaction(gym.connection, in: gym)
        try await closing.run(close)
        async let late = gym.record("b", at: "2024-06-05 11:00", on: other)
        try await gym.waitUntilBlocked()
        try await closing.commit()
        #expect(try await late == "acceptedLate 2024-06-03")
      }
      #expect(try await gym.entries().first == "2024-06-03 check-ins 1 at 05 10:00")
    }
  }

  @Test func `a close that rolls back lets the waiting call count`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("a", at: "2024-06-05 10:00")
      try await gym.withConnection { other in
        let closing = try await OpenTransaction(gym.connection, in: gym)
        try await closing.run(close)
        async let late = gym.record("b", at: "2024-06-05 11:00", on: other)
        try await gym.waitUntilBlocked()
        try await closing.rollBack()
        #expect(try await late == "accepted 2024-06-03")
      }
      #expect(try await gym.entries().first == "2024-06-03 check-ins 2 at 05 11:00")
    }
  }

  @Test func `a close waits for the call ahead of it, whose workout then counts`() async throws {
    try await Gym.open(at: noon) { gym in
      for user in ["ann", "bob"] { try await gym.join(user) }
      try await gym.record("a", by: "bob", at: "2024-06-05 10:00")
      try await gym.withConnection { other in
        let writing = try await OpenTransaction(gym.connection, in: gym)
        #expect(try await writing.run(.record("w", by: "ann")) == "accepted 2024-06-03")
        async let closed: Void = other.atomically(in: gym.schema, close)
        try await gym.waitUntilBlocked()
        try await writing.commit()
        try await closed
      }
      let before = try await gym.lines("select e::text from entry e order by e")
      #expect(before.count == 4)
      #expect(try await gym.record("late", by: "ann") == "acceptedLate 2024-06-03")
      #expect(try await gym.lines("select e::text from entry e order by e") == before)
    }
  }

  @Test func `a write by hand that waits for a close is refused`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("a", at: "2024-06-05 10:00")
      try await gym.withConnection { other in
        let closing = try await OpenTransaction(gym.connection, in: gym)
        try await closing.run(close)
        async let failure = #expect(throws: PostgresError.self) {
          try await gym.run("update entry set value = value + 1", on: other)
        }
        try await gym.waitUntilBlocked()
        try await closing.commit()
        #expect(await failure?.sqlState == "ZB010")
      }
      #expect(try await gym.entries().first == "2024-06-03 check-ins 1 at 05 10:00")
    }
  }
}
