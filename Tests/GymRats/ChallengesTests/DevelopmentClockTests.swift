import BatonPostgres
import RunnerSQL
import TestSupport
import Testing

/// Rule 1: domain time is the server's time.
///
/// In a development database, it can be a clock that a replay sets.
@Suite(.serialized)
struct DevelopmentClockTests {
  private let domain = Call.lines("select domain_now()::text")

  private func advance(
    _ gym: Gym, from: Int64, to: Int64, on connection: Connection
  ) async throws -> Int {
    try await connection.atomically(
      in: gym.schema,
      .count(
        SQL.Clock.advance, Timestamp(microseconds: from), Timestamp(microseconds: to)))
  }

  @Test func `in production it is the transaction's own time`() async throws {
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let same = try await connection.atomically(
        in: test.schema, .lines("select (domain_now() = pg_catalog.now())::text"))
      #expect(same == ["true"])
      await connection.close()
    }
  }

  @Test func `a transaction sees one value though another session moves the clock`() async throws {
    try await Gym.open(at: "1970-01-01 00:00:01") { gym in
      try await gym.connection.transaction(in: gym.schema) { transaction in
        let before = try await transaction.run(domain)
        let other = try await gym.test.connect()
        let moved = try await advance(gym, from: 1_000_000, to: 5_000_000, on: other)
        #expect(moved == 1)
        #expect(try await other.atomically(in: gym.schema, domain) == ["1970-01-01 00:00:05+00"])
        await other.close()
        #expect(before == ["1970-01-01 00:00:01+00"])
        #expect(try await transaction.run(domain) == before)
      }
      #expect(
        try await gym.connection.atomically(in: gym.schema, domain) == ["1970-01-01 00:00:05+00"])
    }
  }

  @Test func `the transaction that moves the clock sees the new time`() async throws {
    try await Gym.open(at: "1970-01-01 00:00:01") { gym in
      let (before, moved, after) = try await gym.connection.atomically(
        in: gym.schema, domain,
        .count(
          SQL.Clock.advance, Timestamp(microseconds: 1_000_000),
          Timestamp(microseconds: 1_000_001)),
        domain)
      #expect(before == ["1970-01-01 00:00:01+00"])
      #expect(moved == 1)
      #expect(after == ["1970-01-01 00:00:01.000001+00"])
    }
  }

  @Test func `the clock never goes back, nor on from where it does not stand`() async throws {
    try await Gym.open(at: "1970-01-01 00:00:10") { gym in
      for (from, to): (Int64, Int64) in [
        (10_000_000, 9_999_999), (10_000_000, 10_000_000), (9_000_000, 20_000_000),
        (11_000_000, 20_000_000),
      ] {
        let moved = try await advance(gym, from: from, to: to, on: gym.connection)
        #expect(moved == 0)
      }
      #expect(
        try await gym.connection.atomically(in: gym.schema, domain) == ["1970-01-01 00:00:10+00"])
    }
  }

  @Test(.sampled())
  func `two development databases on one connection keep their clocks apart`() async throws {
    try await TestSchema.besideEachOther { first, second in
      try await Gym.open(in: first, at: "2001-01-01") { one in
        try await Gym.open(in: second, at: "2002-02-02") { two in
          let name = two.schema.name
          let found = try await one.connection.atomically(
            in: one.schema,
            .lines("select domain_now()::date || ' ' || \(name).domain_now()::date"))
          #expect(found == ["2001-01-01 2002-02-02"])
        }
      }
    }
  }

  @Test func `queue time stays the server's`() async throws {
    try await Gym.open(at: "2001-01-01 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("w")
      let found = try await gym.lines(
        """
        select (recorded_at > '2020-01-01')::text from event
        union all select (received_at = '2001-01-01 12:00')::text from workout
        """)
      #expect(Set(found) == ["true"])
    }
  }

  @Test func `a board is dated by domain time`() async throws {
    try await Gym.open(at: "2001-01-01 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("w")
      let created = try await gym.lines("select created_at::text from challenge")
      #expect(Set(created) == ["2001-01-01 12:00:00+00"])
    }
  }
}
