import BatonPostgres
import TestSupport
import Testing

/// Rules 30 to 35: a board does not change after its week is closed.
@Suite(.serialized, .bothWaysAtFullSize)
struct ClosedBoardTests {
  private static let close = "update challenge set state = 'closed' where week_start = '2024-06-03'"
  private let entryState = "select e::text from entry e order by e"

  /// Creates a closed board of the week of 3 June with one check-in of Ann's on Sunday.
  private func withClosedWeek(_ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: "2024-06-09 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("sunday", at: "2024-06-09 10:00")
      try await gym.stand(at: "2024-06-10 12:00")
      try await gym.run(Self.close)
      try await body(gym)
    }
  }

  @Test func `until the close commits a workout of the week counts`() async throws {
    try await Gym.open(at: "2024-06-10 12:00") { gym in
      try await gym.join("ann")
      #expect(try await gym.record("w", at: "2024-06-09 10:00") == "accepted 2024-06-03")
      #expect(try await gym.entries().first == "2024-06-03 check-ins 1 at 09 10:00")
    }
  }

  @Test func `afterwards it is accepted late: stored, final, and the board unchanged`()
    async throws
  {
    try await withClosedWeek { gym in
      let before = try await gym.lines(entryState)
      let events = try await gym.lines("select id::text from event")
      #expect(try await gym.record("w", at: "2024-06-08 10:00") == "acceptedLate 2024-06-03")
      #expect(try await gym.record("w", at: "2024-06-08 10:00") == "acceptedLate 2024-06-03 again")
      #expect(try await gym.lines(entryState) == before)
      #expect(try await gym.lines("select id::text from event") == events)
      #expect(
        try await gym.lines("select outcome::text from workout where workout_id = 'w'")
          == ["acceptedLate"])
    }
  }

  @Test func `it still carries the streak into the open week`() async throws {
    try await withClosedWeek { gym in
      try await gym.record("monday", at: "2024-06-10 10:00")
      #expect(try await gym.entries().last == "2024-06-10 streak 2 at 10 10:00")
      let closed = try await gym.entries().prefix(2)
      #expect(try await gym.record("late", at: "2024-06-08 10:00") == "acceptedLate 2024-06-03")
      #expect(try await gym.entries().prefix(2) == closed)
      #expect(try await gym.entries().last == "2024-06-10 streak 3 at 10 10:00")
    }
  }

  @Test func `an edit takes nothing from a closed board`() async throws {
    try await withClosedWeek { gym in
      let closed = try await gym.lines(entryState)
      let answer = try await gym.record("sunday", at: "2024-06-08 10:00", revision: 1)
      #expect(answer == "acceptedLate 2024-06-03")
      #expect(try await gym.lines(entryState) == closed)
    }
  }

  @Test func `a cancelled board takes nothing either`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("a", at: "2024-06-05 10:00")
      try await gym.run("update challenge set state = 'cancelled'")
      let before = try await gym.lines(entryState)
      #expect(try await gym.record("b", at: "2024-06-05 11:00") == "acceptedLate 2024-06-03")
      #expect(try await gym.lines(entryState) == before)
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "update entry set value = value + 1", "update entry set hidden = true",
      "update entry set reached_at = reached_at - interval '1 s'",
      "update entry set joined_at = joined_at - interval '1 s'",
      "update entry set value = 9, display_name = 'x'", "delete from entry",
      """
      insert into entry select challenge_id, 'bob', value, reached_at, joined_at, 'bob', null,
        false, last_updated from entry
      """,
      """
      insert into entry select * from entry on conflict (challenge_id, user_id)
      do update set value = entry.value + 1
      """,
      "with gone as (delete from entry returning *) select count(*)::text from gone",
    ])
  func `a write by hand is refused, whatever it is`(statement: String) async throws {
    try await withClosedWeek { gym in
      let before = try await gym.lines(entryState)
      let error = await #expect(throws: PostgresError.self) { try await gym.run(statement) }
      #expect(error?.sqlState == "ZB010")
      #expect(error?.hint?.isEmpty == false)
      #expect(try await gym.lines(entryState) == before)
    }
  }

  @Test func `an entry cannot be moved to a closed board, nor away from it`() async throws {
    try await withClosedWeek { gym in
      try await gym.join("bob")
      try await gym.record("w", by: "bob", at: "2024-06-10 10:00")
      for (from, to) in [("2024-06-10", "2024-06-03"), ("2024-06-03", "2024-06-10")] {
        let error = await #expect(throws: PostgresError.self) {
          try await gym.run(
            """
            update entry set challenge_id = challenge_id('g', '\(to)', 'streak')
            where challenge_id = challenge_id('g', '\(from)', 'streak')
            """)
        }
        #expect(error?.sqlState == "ZB010")
      }
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "update entry set display_name = 'Former member'", "update entry set photo_url = null",
      "update entry set value = value", "update entry set value = 5 where false",
      "delete from entry where false",
    ])
  func `a name may still change, and what changes nothing is no change`(statement: String)
    async throws
  {
    try await withClosedWeek { gym in
      try await gym.run(statement)
      #expect(try await gym.lines("select value::text from entry") == ["1", "1"])
    }
  }

  @Test func `one closed board among several stops the whole statement`() async throws {
    try await withClosedWeek { gym in
      try await gym.record("monday", at: "2024-06-10 10:00")
      let before = try await gym.lines(entryState)
      let error = await #expect(throws: PostgresError.self) {
        try await gym.run("update entry set value = value + 1")
      }
      #expect(error?.sqlState == "ZB010")
      #expect(try await gym.lines(entryState) == before)
    }
  }
}
