import JobRunner
import JobTesting
import TestSupport
import Testing

@testable import ChallengeJobs
@testable import GymRats

/// Tests that each night a share of the groups is compared with the ledger, and corrected without
/// notifications.
@Suite struct VerifyBoardsTests {
  private let jobs = [
    GymRats.register(RecomputeRanks.self), GymRats.register(NotifyRankChanges.self),
    GymRats.register(VerifyBoards.self),
  ]

  /// Creates groups of two members with workouts and ranks, on a Wednesday.
  private func withGroups(_ count: Int, _ body: (JobTest) async throws -> Void) async throws {
    try await TestSchema.run(jobs) { test in
      try await test.setClock(to: "2024-05-15 12:00Z")
      let numbers = "from generate_series(1, \(count)) n"
      try await test.sql("insert into groups (id, name) select 'g' || n, 'G' \(numbers)")
      for user in ["a", "b"] {
        try await test.sql(
          "insert into users (id, display_name) select '\(user)' || n, 'U' \(numbers)")
        try await test.sql(
          """
          insert into member (group_id, user_id, joined_at)
          select 'g' || n, '\(user)' || n, '2024-05-01' \(numbers)
          """)
        try await test.sql("select record_workout('\(user)' || n, '1') \(numbers)")
      }
      #expect(try await test.drain() == 0)
      try await body(test)
    }
  }

  /// Writes an entry as an owner who has disabled the triggers.
  private func plantDrift(_ test: JobTest, of users: String) async throws {
    try await test.sql("alter table entry disable trigger user")
    try await test.sql("update entry set value = 9 where user_id \(users)")
    try await test.sql("alter table entry enable trigger user")
  }

  /// Verifies all groups at once, as requested by an operator who does not wait for a month of
  /// nights.
  private func verify(_ test: JobTest, _ more: String = "") async throws -> [String: Int] {
    try await test.sql(
      "select enqueue('verify-boards', 'scheduled', '{\"nights\": 1\(more)}')")
    #expect(try await test.drain() == 0)
    return try await test.history().last { $0.job == "verify-boards" }?.report ?? [:]
  }

  @Test(.enabled(if: TestSize.isFull, "thirty nights: make test-all"))
  func `over thirty nights each group is looked at once, and what drifted is healed`() async throws
  {
    try await withGroups(24) { test in
      try await plantDrift(test, of: "like 'b%'")
      for night in 16...45 {
        let day = night <= 31 ? "2024-05-\(night)" : "2024-06-\(night < 41 ? "0" : "")\(night - 31)"
        try await test.setClock(to: "\(day) 04:00Z")
        #expect(try await test.drain() == 0)
      }
      let nights = try await test.history().filter { $0.job == "verify-boards" }.map(\.report)
      #expect(nights.count == 30)
      for count in ["weeks compared", "groups counted"] {
        let numbers = nights.compactMap { $0[count] }
        #expect(numbers.reduce(0, +) == 24, "\(count): \(numbers)")
        #expect(numbers.filter { $0 > 0 }.count > 5, "\(count): \(numbers)")
      }
      #expect(nights.compactMap { $0["healed"] }.reduce(0, +) >= 48)
      #expect(try await test.sql("select distinct value from entry") == ["1"])
      #expect(try await test.sql("select distinct value from standing") == ["1"])
      #expect(try await test.sql("select id from notification") == [])
    }
  }

  @Test(.sampled())
  func `a closed board is reported and left, and so is all where nothing is to be healed`()
    async throws
  {
    try await withGroups(2) { test in
      try await test.sql(
        """
        update challenge set state = 'closed', closed_at = '2024-05-15 14:00Z'
        where group_id = 'g1'
        """)
      try await plantDrift(test, of: "in ('a1', 'a2')")
      let values =
        "select user_id, value from entry where user_id like 'a%' group by 1, 2 order by 1"

      let reported = try await verify(test, ", \"heals\": false")
      #expect(reported["healed"] == 0 && reported["left"] == reported["drifts"])
      #expect(try await test.sql(values) == ["a1,9", "a2,9"])

      let healed = try await verify(test)
      let left = try #require(healed["left"])
      #expect(left > 0 && healed["healed"] == (healed["drifts"] ?? 0) - left)
      #expect(try await test.sql(values) == ["a1,9", "a2,1"])
      let again = try await verify(test)
      #expect(again["drifts"] == left && again["healed"] == 0 && again["left"] == left)
    }
  }

  @Test(.sampled()) func `a number of nights that is none is no reason to try again`() async throws
  {
    try await withGroups(1) { test in
      try await test.sql("select enqueue('verify-boards', 'scheduled', '{\"nights\": 0}')")
      #expect(try await test.drain() == 1)
      #expect(try await test.runs().first?.error?.contains("nights is 1 to 10,000") == true)
    }
  }
}
