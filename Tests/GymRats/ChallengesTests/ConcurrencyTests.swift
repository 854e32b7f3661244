import BatonPostgres
import TestSupport
import Testing

/// Rules 8, 15, 23 and 30 with concurrent transactions.
@Suite(.serialized, .timeLimit(.minutes(5)), .bothWays)
struct ConcurrencyTests {
  private let noon = "2024-06-05 12:00"
  private let close = Call<Void>.test(
    """
    with board as (select id from challenge where week_start = '2024-06-03' order by id for update)
    update challenge c set state = 'closed', closed_at = domain_now() from board b where c.id = b.id
    """)

  @Test(.sampled()) func `of two workouts of one member the second waits, and both count`()
    async throws
  {
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

  @Test(.sampled()) func `the first rolls back, and only the second counts`() async throws {
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

  @Test(.sampled()) func `one id with two payloads at once: one counts, the other is a conflict`()
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

  @Test(.sampled()) func `two members make the boards of a new week at once without a deadlock`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      for user in ["ann", "bob"] { try await gym.join(user) }
      try await gym.withConnection { other in
        let first = try await OpenTransaction(gym.connection, in: gym)
        try await first.run(.record("w", by: "ann"))
        async let second = gym.record("w", by: "bob", on: other)
        // A first write waits only for an uncommitted board of another first write.
        try await gym.waitUntilBlocked()
        try await first.commit()
        #expect(try await second == "accepted 2024-06-03")
      }
      #expect(try await gym.lines("select id::text from challenge").count == 2)
      #expect(try await gym.entries(of: "bob").count == 2)
    }
  }

  @Test(.sampled()) func `on boards that are there members do not wait for each other`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      for user in ["ann", "bob"] { try await gym.join(user) }
      try await gym.join("cid", "h")
      try await gym.record("warm", by: "ann", at: "2024-06-04 10:00")
      try await gym.withConnection { other in
        let first = try await OpenTransaction(gym.connection, in: gym)
        try await first.run(.record("w", by: "ann"))
        let second = try await OpenTransaction(other, in: gym, limit: "10s")
        #expect(try await second.run(.record("w", by: "bob")) == "accepted 2024-06-03")
        #expect(try await second.run(.record("w", by: "cid")) == "accepted 2024-06-03")
        try await second.commit()
        try await first.commit()
      }
    }
  }

  @Test(.sampled()) func `two members write two boards in opposite order and neither waits`()
    async throws
  {
    try await Gym.open(at: "2024-06-11 12:00") { gym in
      for user in ["ann", "bob"] { try await gym.join(user) }
      for day in ["2024-06-09", "2024-06-10"] {
        try await gym.record(day, by: "ann", at: "\(day) 08:00")
      }
      try await gym.withConnection { other in
        let ann = try await OpenTransaction(gym.connection, in: gym, limit: "10s")
        let bob = try await OpenTransaction(other, in: gym, limit: "10s")
        try await ann.run(.record("1", by: "ann", at: "2024-06-09 09:00"))
        try await bob.run(.record("1", by: "bob", at: "2024-06-10 09:00"))
        try await ann.run(.record("2", by: "ann", at: "2024-06-10 10:00"))
        try await bob.run(.record("2", by: "bob", at: "2024-06-09 10:00"))
        try await bob.commit()
        try await ann.commit()
      }
      #expect(try await gym.entries(of: "bob").count == 4)
      for week in ["2024-06-03", "2024-06-10"] { try await gym.publish(week) }
      #expect(try await gym.standings("2024-06-03") == ["1 1 ann 2", "2 2 bob 1"])
      #expect(try await gym.standings("2024-06-10") == ["1 1 ann 2", "2 2 bob 1"])
    }
  }

  @Test(.sampled())
  func `of two that make two weeks' boards in opposite order one is told to try again`()
    async throws
  {
    try await Gym.open(at: "2024-06-11 12:00") { gym in
      for user in ["ann", "bob"] { try await gym.join(user) }
      try await gym.withConnection { other in
        let ann = try await OpenTransaction(gym.connection, in: gym)
        let bob = try await OpenTransaction(other, in: gym)
        try await ann.run(.record("1", by: "ann", at: "2024-06-09 09:00"))
        try await bob.run(.record("1", by: "bob", at: "2024-06-10 09:00"))
        async let first = attempt(ann, .record("2", by: "ann", at: "2024-06-10 10:00"))
        try await gym.waitUntilBlocked()
        let second = await attempt(bob, .record("2", by: "bob", at: "2024-06-09 10:00"))
        let answers = [await first, second]
        #expect(answers.filter { $0 == "40P01" }.count == 1)
        #expect(SQLState("40P01").isTransient)
      }
      // The calls are repeated, as a client does after such an error.
      for (day, hour) in [("2024-06-09", "09"), ("2024-06-10", "10")] {
        for user in ["ann", "bob"] {
          try await gym.record("again \(day)", by: user, at: "\(day) \(hour):30")
        }
      }
      #expect(try await gym.entries(of: "ann").count == 4)
      #expect(try await gym.entries(of: "bob").count == 4)
    }
  }

  @Test(.sampled()) func `first calls of a week at once make its boards in one order`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      let groups = (0..<8).map { "g\($0)" }
      for group in groups {
        for user in ["ann", "bob"] { try await gym.join("\(user) \(group)", group) }
      }
      // The delay before each board is long enough for the other call to create the other board. A
      // trigger after the insert would wait for the end of the statement.
      try await gym.run(
        """
        create function slow_down() returns trigger language plpgsql as
        'begin perform pg_sleep(0.05); return new; end'
        """)
      try await gym.run(
        """
        create trigger slow_down before insert on challenge
        for each row execute function slow_down()
        """)
      try await gym.withConnection { other in
        for group in groups {
          async let ann = gym.record("w", by: "ann \(group)")
          async let bob = gym.record("w", by: "bob \(group)", on: other)
          let answers = try await [ann, bob]
          #expect(answers == ["accepted 2024-06-03", "accepted 2024-06-03"])
        }
      }
    }
  }

  /// Returns the answer and commits, or returns the SQLSTATE and rolls back.
  private func attempt(_ transaction: OpenTransaction, _ call: Call<String>) async -> String {
    do {
      let answer = try await transaction.run(call)
      try await transaction.commit()
      return answer
    } catch {
      try? await transaction.rollBack()
      return (error as? PostgresError)?.sqlState.code ?? "\(error)"
    }
  }

  @Test(.sampled()) func `many writers of two groups at once lose nothing`() async throws {
    try await Gym.open(at: noon) { gym in
      let users = (0..<8).map { "u\($0)" }
      for (index, user) in users.enumerated() { try await gym.join(user, "g\(index % 2)") }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<6 {
          group.addTask {
            try await gym.withConnection { connection in
              for nth in 0..<40 {
                let user = users[(worker + nth) % users.count]
                // Two connections send each workout.
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

  @Test(.sampled(), arguments: [true, false])
  func `a call that waits for a close is late where that commits, and counts where not`(
    commits: Bool
  ) async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("a", at: "2024-06-05 10:00")
      try await gym.withConnection { other in
        let closing = try await OpenTransaction(gym.connection, in: gym)
        try await closing.run(close)
        async let waiting = gym.record("b", at: "2024-06-05 11:00", on: other)
        try await gym.waitUntilBlocked()
        if commits { try await closing.commit() } else { try await closing.rollBack() }
        #expect(try await waiting == "\(commits ? "acceptedLate" : "accepted") 2024-06-03")
      }
      let left = commits ? "1 at 05 10:00" : "2 at 05 11:00"
      #expect(try await gym.entries().first == "2024-06-03 check-ins \(left)")
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
