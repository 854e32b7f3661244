import BatonPostgres
import Foundation
import JobTesting
import Presence
import TestSupport
import Testing

/// Tests numbers that are counted when visits are written.
///
/// They equal a count of all rows at the end.
@Suite(.timeLimit(.minutes(5))) struct StatsTests {
  private static let users = ["ann", "bob", "cid", "dan"]

  /// Returns statements, each committed separately and in a random order: stays of several users in
  /// one insert, ends of stays, and messages.
  private static func steps(_ random: inout SeededGenerator) -> [[String]] {
    (0..<120).map { number in
      if number % 10 == 9 {
        let authors = (1...3).map { _ in "('\(users.randomElement(using: &random) ?? "ann")')" }
        return ["insert into sent (user_id) values \(authors.joined(separator: ", "))"]
      }
      // A longer stay. A user has only one stay at a time in a group, so each of these stays has a
      // separate group.
      if number % 10 == 8 {
        let user = users.randomElement(using: &random) ?? "ann"
        let visit = row(user, "g\(13 + number)", stay: nil, &random)
        return [
          Places.insertVisits + visit,
          """
          update visit set departure = arrival + interval '\(Int.random(in: 0...50_000, using: &random))s'
          where departure is null and group_id = 'g\(13 + number)'
          """,
        ]
      }
      let rows = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        row(
          users.randomElement(using: &random) ?? "ann",
          "g\(Int.random(in: 1...12, using: &random))",
          stay: .random(in: 0...40_000, using: &random), &random)
      }
      return [Places.insertVisits + rows.joined(separator: ", ")]
    }
  }

  private static func row(
    _ user: String, _ group: String, stay: Int?, _ random: inout SeededGenerator
  ) -> String {
    let day = LocalDate(day: 19_879 + .random(in: -25...1, using: &random))
    let arrival = "'\(day) \(Int.random(in: 0...23, using: &random)):00:00.25Z'::timestamptz"
    let departure = stay.map { "\(arrival) + interval '\($0).5 seconds'" } ?? "null"
    return
      "('\(user)', '\(group)', \(arrival), \(departure), '\(day)', \(Bool.random(using: &random)))"
  }

  @Test(.sampled())
  func `whatever is committed in whatever order, the numbers are those of the visits`()
    async throws
  {
    let randomness = Randomness()
    var random = randomness.generator
    let steps = Self.steps(&random)
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.manyGroups(140)
      try await places.accounts("ann", "bob", "cid", "dan")
      try await places.countMessages()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for share in 0..<4 {
          group.addTask {
            for (number, step) in steps.enumerated() where number % 4 == share {
              for statement in step {
                try await places.alone(statement, end: number % 7 == 3 ? "rollback" : "commit")
              }
            }
          }
        }
        try await group.waitForAll()
      }
      for user in Self.users {
        let messages = try await places.sql("select count(*) from sent where user_id = '\(user)'")
        let expected = try await places.expectedStats(
          user, messages: Int(messages[0]) ?? 0, today: "2024-06-05")
        #expect(expected.checkIns > 10 && expected.longestStreak > 1)
        #expect(try await places.stats(user) == expected, "\(randomness), \(user)")
        // Runs of dates have no gaps.
        let runs = try await places.sql(
          "select begins, ends from visit_streak where user_id = '\(user)' order by 1")
        let dates = try await places.sql(
          """
          select lower(d), upper(d) - 1
          from (
            select unnest(range_agg(daterange(local_date, local_date, '[]'))) as d
            from visit where user_id = '\(user)') r
          order by 1
          """)
        #expect(runs == dates, "\(randomness), \(user)")
      }
    }
  }

  @Test func `visits that are counted at once know of each other`() async throws {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.manyGroups(3)
      try await places.accounts("ann", "bob", "cid")
      func insert(_ rows: String...) -> String {
        let values = rows.map { row in
          let words = row.split(separator: " ")
          let at = "'2024-06-0\(words[2]) 10:00Z'::timestamptz"
          return
            "('\(words[0])', '\(words[1])', \(at), \(at) + interval '1h', '2024-06-0\(words[2])', true)"
        }
        return Places.insertVisits + values.joined(separator: ", ")
      }
      // The group and date of the first transaction are not new to the second, which waits. This
      // holds if the user is new to both, and if the first transaction has the row but has counted
      // nothing yet.
      for (first, second) in [
        ([insert("bob g1 3"), ""], insert("bob g1 4")),
        (["select hold_stats('{bob}')", insert("bob g2 5") + "; "], insert("bob g2 1")),
      ] {
        try await places.withOpen(first[0]) { open in
          async let other: [String] = places.sql(second)
          try await open.waitUntilItBlocks()
          try await open.end(first[1] + "commit")
          _ = try await other
        }
      }
      #expect(
        try await places.stats("bob")
          == UserStats(
            checkIns: 4, firstArrivals: 4, groupsVisited: 2, currentStreak: 3, longestStreak: 3,
            longestStay: 3_600))
      // Both transactions count for two users, in opposite order. No deadlock occurs.
      for _ in 0..<2 {
        try await places.withOpen(insert("cid g1 5", "ann g1 5")) { open in
          async let other: [String] = places.sql(insert("ann g2 5", "cid g2 5"))
          try await open.waitUntilItBlocks()
          try await open.end("commit")
          _ = try await other
        }
      }
      #expect(try await places.stats("ann").checkIns == 4)
      // A rolled-back stay is not counted.
      try await places.withOpen(insert("ann g3 1")) { open in try await open.end("rollback") }
      #expect(try await places.stats("ann").groupsVisited == 2)
    }
  }

  @Test func `dates are joined late, and today is the user's own`() async throws {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.manyGroups(2)
      try await places.accounts("ann", "bob", "cid", "eve")
      func runs(_ user: String) async throws -> [String] {
        try await places.sql(
          "select begins, ends from visit_streak where user_id = '\(user)' order by 1")
      }
      try await places.stayed("ann g1 2024-06-01 60", "ann g1 2024-06-03 60")
      #expect(try await runs("ann") == ["2024-06-01,2024-06-01", "2024-06-03,2024-06-03"])
      #expect(try await places.stats("ann").currentStreak == 0)
      try await places.stayed("ann g2 2024-06-02 60", "ann g1 2024-06-02 60")
      #expect(try await runs("ann") == ["2024-06-01,2024-06-03"])
      try await places.stayed("ann g2 2024-05-30 60", "ann g2 2024-05-31 60")
      #expect(try await runs("ann") == ["2024-05-30,2024-06-03"])
      #expect(try await places.stats("ann").longestStreak == 5)
      // On the 5th, the 3rd is too long ago, because the day in between has no visit.
      #expect(try await places.stats("ann").currentStreak == 0)

      // Noon in Greenwich is the 6th on Kiritimati, and before dawn on the 5th on Midway. A streak
      // also continues with a date of a place whose zone is ahead of the user's.
      for (user, dates) in [("bob", ["04"]), ("cid", ["05", "06"])] {
        for date in dates { try await places.stayed("\(user) g1 2024-06-\(date) 60") }
      }
      for (user, zone, streak) in [
        ("bob", "null", 1), ("bob", "'Pacific/Midway'", 1), ("bob", "'Pacific/Kiritimati'", 0),
        ("cid", "'Pacific/Midway'", 2), ("cid", "'Pacific/Kiritimati'", 2),
      ] {
        try await places.sql("update users set time_zone = \(zone) where id = '\(user)'")
        #expect(try await places.stats(user).currentStreak == streak, "\(user) \(zone)")
      }
      // A user without any activity has no row, and the answer contains all numbers.
      #expect(try await places.stats("eve") == UserStats())
      #expect(
        try await places.sql("select count(*) from user_stats where user_id = 'eve'") == ["0"])
    }
  }
}
