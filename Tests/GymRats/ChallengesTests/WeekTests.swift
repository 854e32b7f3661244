import BatonPostgres
import Challenges
import TestSupport
import Testing

/// Rules 2 and 3: the week in Swift equals the week in SQL.
@Suite(.serialized)
struct WeekTests {
  private static let monday: Int64 = 1_717_372_800  // 2024-06-03

  /// Returns the Monday, in seconds, that SQL computes for each instant.
  private func sqlWeeks(_ instants: [Timestamp], _ gym: Gym) async throws -> [Int64] {
    let find = Call.rows(
      Statement(
        "test/weeks",
        """
        select (week_of(t) - date '1970-01-01')::bigint * 86400
        from unnest($1::timestamptz[]) with ordinality as u (t, n) order by n
        """), instants
    ) { (row) throws(PostgresError) in try row.decode(Int64.self) }
    return try await gym.connection.atomically(in: gym.schema, find)
  }

  private func swiftWeek(_ instant: Timestamp) -> Week {
    Week(containing: instant.microseconds.dividedDown(by: 1_000_000))
  }

  @Test func `Swift and SQL agree on thousands of instants of three centuries`() async throws {
    let random = Randomness()
    var generator = random.generator
    // Instants from 1900 to 2200.
    var instants = (0..<20_000).map { _ in
      Timestamp(
        microseconds: .random(
          in: -2_208_988_800_000_000..<7_258_118_400_000_000, using: &generator))
    }
    for _ in 0..<2_000 {
      let edge = Int64.random(in: -3_652...12_000, using: &generator) * Week.length - 259_200
      for offset: Int64 in [-1_000_000, -1, 0, 1, 1_000_000] {
        instants.append(Timestamp(microseconds: edge * 1_000_000 + offset))
      }
    }
    try await Gym.open(at: "2024-06-05") { [instants] gym in
      let found = try await sqlWeeks(instants, gym)
      let differing = zip(instants, found).filter { swiftWeek($0).start != $1 }
      #expect(differing.isEmpty, "\(random)")
      #expect(found.count == instants.count)
    }
  }

  @Test func `a week begins on Monday 00:00 UTC, to the microsecond`() async throws {
    let week = Self.monday * 1_000_000
    let (length, day) = (Week.length * 1_000_000, Int64(86_400_000_000))
    let cases: [(Int64, Int64)] = [
      (week - 1, Self.monday - Week.length), (week, Self.monday), (week + 1, Self.monday),
      (week + 6 * day, Self.monday), (week + length - 1, Self.monday),
      (week + length - 1_000_000, Self.monday), (week + length, Self.monday + Week.length),
    ]
    let instants = cases.map { Timestamp(microseconds: $0.0) }
    #expect(instants.map { swiftWeek($0).start } == cases.map(\.1))
    try await Gym.open(at: "2024-06-05") { gym in
      let found = try await sqlWeeks(instants, gym)
      #expect(found == cases.map(\.1))
    }
  }

  @Test(
    .sampled(),
    arguments: [
      // The first days of 2021 and the last days of 2024 and 2019 are in weeks of another year.
      ("2021-01-03 23:59:59.999999", "2020-12-28"), ("2021-01-04 00:00", "2021-01-04"),
      ("2024-12-31 12:00", "2024-12-30"), ("2025-01-01 00:00", "2024-12-30"),
      ("2019-12-29 23:59:59.999999", "2019-12-23"), ("2020-02-29 00:00", "2020-02-24"),
      ("1969-12-31 23:59:59.999999", "1969-12-29"), ("1900-01-01 00:00", "1900-01-01"),
      ("0001-01-01 00:00", "0001-01-01"), ("2100-03-01 00:00", "2100-03-01"),
    ])
  func `weeks run through the ends of years and leap days`(
    instant: String, monday: String
  ) async throws {
    try await Gym.open(at: "2024-06-05") { gym in
      let found = try await gym.lines(
        "select week_of('\(instant)')::text || ' ' || extract(epoch from timestamptz '\(instant)')")
      let parts = try #require(found.first).split(separator: " ")
      #expect(parts.first.map(String.init) == monday)
      let seconds = try #require(Double(parts[1])).rounded(.down)
      let start = try await gym.lines("select extract(epoch from date '\(monday)')::bigint::text")
      #expect(Week(containing: Int64(seconds)).start.description == start.first)
    }
  }

  @Test func `weeks follow each other without a gap`() {
    let week = Week(containing: Self.monday)
    #expect(week.end == Week(containing: week.end).start)
    #expect(Week(containing: week.end - 1) == week)
    #expect(week < Week(containing: week.end))
    #expect(Week(containing: -259_201) < Week(containing: -259_200))
  }

  @Test func `the database's columns of a board say the same`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("w")
      let found = try await gym.lines("select starts_at || ' ' || ends_at from challenge")
      #expect(Set(found) == ["2024-06-03 00:00:00+00 2024-06-10 00:00:00+00"])
      let error = await #expect(throws: PostgresError.self) {
        try await gym.run(
          """
          insert into challenge (id, group_id, week_start, type)
          values (gen_random_uuid(), 'g', '2024-06-04', 'streak')
          """)
      }
      #expect(error?.sqlState == "23514")
      #expect(error?.message.contains("challenge_week_start_check") == true)
    }
  }
}

extension Int64 {
  /// Returns the quotient rounded down, also for negative numbers.
  func dividedDown(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
