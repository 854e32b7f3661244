import JobRunner
import JobTesting
import TestSupport
import Testing

@testable import ChallengeJobs
@testable import GymRats

@Suite struct RecomputeRanksTests {
  private let job = GymRats.register(RecomputeRanks.self)

  /// Creates two members of one group, on a Wednesday.
  private func withGroup(_ body: (JobTest) async throws -> Void) async throws {
    try await TestSchema.run([job]) { test in
      try await test.setClock(to: "2024-05-15 12:00Z")
      try await test.sql("insert into groups (id, name) values ('g', 'Morning Runners')")
      try await test.sql("insert into users (id, display_name) values ('a', 'Ana'), ('b', 'Ben')")
      try await test.sql(
        "insert into member (group_id, user_id, joined_at) select 'g', id, '2024-05-01' from users")
      try await body(test)
    }
  }

  @Test func `a workout becomes a rank on both boards`() async throws {
    try await withGroup { test in
      try await test.sql("select record_workout('a', '1')")
      #expect(try await test.events().count == 2)
      #expect(try await test.drain() == 0)
      #expect(try await test.runs().isEmpty)
      let board = try await test.sql(
        "select type, display_name, value, rank from leaderboard order by 1")
      #expect(board == ["check-ins,Ana,1,1", "streak,Ana,1,1"])
    }
  }

  @Test func `many writes of one board are one recompute`() async throws {
    try await withGroup { test in
      for n in 1...5 {
        try await test.sql("select record_workout('a', '\(n)')")
        try await test.sql("select record_workout('b', '\(n)')")
      }
      try await test.drain()
      #expect(try await test.sql("select runs from job_activity") == ["2"])
      #expect(
        try await test.sql(
          "select value, rank, position from leaderboard where type = 'check-ins' order by 3")
          == ["5,1,1", "5,1,2"])
    }
  }

  @Test func `the next week has boards of its own`() async throws {
    try await withGroup { test in
      try await test.sql("select record_workout('a', '1')")
      try await test.setClock(to: "2024-05-20 00:00Z")
      try await test.sql("select record_workout('a', '2')")
      try await test.drain()
      let boards = try await test.sql(
        "select week_start, type, value from leaderboard order by 1, 2")
      #expect(
        boards == [
          "2024-05-13,check-ins,1", "2024-05-13,streak,1", "2024-05-20,check-ins,1",
          "2024-05-20,streak,1",
        ])
    }
  }

  @Test(.sampled()) func `a key that is no board fails alone`() async throws {
    try await withGroup { test in
      try await test.sql("select record_workout('a', '1')")
      try await test.sql("select enqueue('recompute-ranks', 'nonsense')")
      // The job retries a run for two days, with thousands of attempts.
      let error = await #expect(throws: (any Error).self) {
        try await test.drain(mostAttempts: 20)
      }
      #expect(error.map { "\($0)" }?.contains("with the key 'nonsense'") == true)
      #expect(try await test.runs().map(\.key) == ["nonsense"])
      #expect(try await test.sql("select count(*) from standing") == ["2"])
    }
  }
}
