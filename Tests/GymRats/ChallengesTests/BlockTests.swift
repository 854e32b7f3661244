import BatonPostgres
import ChallengesPostgres
import ChallengesSQL
import Foundation
import ProductPostgres
import TestSupport
import Testing

/// Tests blocks and reports.
///
/// docs/gymrats/groups.md has the rules.
@Suite(.timeLimit(.minutes(5))) struct BlockTests {
  private let noon = "2024-06-05 12:00"

  /// Returns the answers of Bob's calls, and the counters of his attempts.
  private func answers(_ gym: Gym, to token: String) async throws -> [String] {
    var answers: [String] = []
    for call in [
      "select refusal from preview_invite('bob', '\(token)')",
      "select coalesce(name, 'none') from preview_invite('bob', '\(token)')",
      "select refusal from join_group('bob', '\(token)')",
      "select attempts from invite_attempt where user_id = 'bob'",
      "badge('bob')", "select count(*) from notifications('bob')",
      "select count(*) from usage_log where user_id = 'bob'", "get_group('bob', 'g')",
      "select string_agg(m::text, ' ') from get_members('bob', 'g') m",
      "block_user('bob', 'ann')", "unblock_user('bob', 'ann')",
      "select count(*) from blocked_users('bob')", "get_user('bob')",
    ] { answers.append(try await gym.call(call)) }
    try await gym.run("delete from invite_attempt where user_id = 'bob'")
    return answers
  }

  @Test func `a blocked user gets the answers to an unknown invite, in all calls`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob", "cid")
      try await gym.call("leave_group('bob', 'g')")
      let unknown = String(repeating: "f", count: 32)
      let before = try await answers(gym, to: unknown)
      #expect(before.prefix(4) == ["inviteInvalid", "none", "inviteInvalid", "3"])
      try await gym.call("block_user('ann', 'bob')")
      #expect(try await answers(gym, to: Gym.token) == before)
      #expect(try await answers(gym, to: unknown) == before)
      // The invite stays valid for all other users, and for Bob after the end of the block.
      try await gym.users("dan")
      #expect(
        try await gym.call("select group_id from join_group('dan', '\(Gym.token)')") == "g")
      try await gym.call("unblock_user('ann', 'bob')")
      #expect(
        try await gym.call("select group_id from join_group('bob', '\(Gym.token)')") == "g")
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `a group's id invites a blocked user too, because it has no creator`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      try await gym.run("update setting set legacy_invites = true")
      try await gym.call("leave_group('bob', 'g')")
      try await gym.call("block_user('ann', 'bob')")
      #expect(try await gym.call("select group_id from join_group('bob', 'g')") == "g")
    }
  }

  @Test func `a user blocks a number of users`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob", "cid")
      try await gym.run("update setting set blocks_of_user = 1")
      #expect(try await gym.call("block_user('ann', 'bob')") == "")
      #expect(try await gym.call("block_user('ann', 'cid')") == "limitReached blocks_of_user")
      #expect(try await gym.call("block_user('ann', 'bob')") == "")
      #expect(try await gym.call("block_user('cid', 'ann')") == "")
      try await gym.call("unblock_user('ann', 'bob')")
      #expect(try await gym.call("block_user('ann', 'cid')") == "")
    }
  }

  @Test func `two users who block each other at once do not deadlock`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      let other = try await gym.test.connect()
      for _ in 0..<20 {
        async let first = gym.call("block_user('ann', 'bob')")
        async let second = gym.call("block_user('bob', 'ann')", on: other)
        #expect(try await [first, second] == ["", ""])
        try await gym.run("delete from user_block")
      }
      await other.close()
    }
  }

  @Test func `of two last reports of an hour at once, one is stored`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      try await gym.run("update setting set reports_an_hour = 1")
      let other = try await gym.test.connect()
      let report = "report_user('ann', gen_random_uuid(), 'g', 'bob', 'spam')"
      async let first = gym.call(report)
      async let second = gym.call(report, on: other)
      #expect(try await Set([first, second]) == ["", "limitReached reports_an_hour"])
      await other.close()
      #expect(try await gym.lines("select count(*)::text from user_report") == ["1"])
    }
  }

  @Test func `an id of another user's report is a conflict, and a reason needs a known word`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob", "cid")
      let id = "'00000000-0000-0000-0000-000000000001'"
      #expect(try await gym.call("report_user('ann', \(id), 'g', 'bob', 'spam', 'x')") == "")
      #expect(
        try await gym.call("report_user('cid', \(id), 'g', 'bob', 'spam', 'x')")
          == "conflictingRepeat")
      for call in [
        "report_user('ann', null, 'g', 'bob', 'spam')",
        "report_user('ann', gen_random_uuid(), 'g', 'bob', null)",
        "report_user('ann', gen_random_uuid(), 'g', 'bob', 'Spam')",
        "report_user('ann', gen_random_uuid(), 'g', null, 'spam')",
        "report_user('ann', gen_random_uuid(), 'g', 'bob', 'spam', repeat('x', 1001))",
        "report_user('ann', gen_random_uuid(), 'g', 'bob', 'spam', repeat('x', 70000))",
        "block_user('ann', null)", "block_user('ann', repeat('x', 70000))",
      ] { #expect(try await gym.call(call) == "invalidInput", "\(call)") }
      #expect(
        try await gym.call("report_user('ann', gen_random_uuid(), null, 'bob', 'spam')")
          == "groupNotFound")
      #expect(try await gym.lines("select count(*)::text from user_report") == ["1"])
    }
  }

  @Test func `reports are listed page by page, closed once, and deleted after a year`() async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      try await gym.run(
        """
        insert into user_report (id, reporter, reported, group_id, reason, note, created_at)
        select gen_random_uuid(), 'ann', 'bob', 'g', 'spam', 'note ' || n,
          domain_now() - interval '1 day'
        from generate_series(1, 1001) n
        """)
      let list = ReportList(
        gym.connection, schema: gym.schema,
        .init(list: SQL.Reports.listReports, close: SQL.Reports.closeReport))
      let first = try await list.reports(all: false, after: nil)
      let second = try await list.reports(all: false, after: first.last)
      #expect(Set((first + second).map(\.note)).count == 1_001 && second.count == 1)
      let one = try #require(second.first)
      #expect(one.reporterName == "Ann" && one.reportedName == "Bob" && one.state == "open")
      #expect(one.messageId == nil && one.message == nil)
      let id = try #require(UUID(uuidString: one.id))
      let sayWho = Call<Void>.test("select 1")
      #expect(try await list.close(id, sayWho: sayWho) == true)
      #expect(try await list.close(id, sayWho: sayWho) == false)
      #expect(try await list.close(UUID(), sayWho: sayWho) == nil)
      #expect(
        try await gym.lines(
          "select concat_ws(' ', action, before, after) from audit where action = 'reports close'")
          == [#"reports close {"state": "open"} {"state": "closed"}"#])
      #expect(try await list.reports(all: false, after: first.last).isEmpty)
      #expect(try await list.reports(all: true, after: first.last).map(\.state) == ["closed"])
      let purge = SQL.Retention.purgeReports
      func purged() async throws -> Int64 {
        let call = Call<(Int64, Timestamp?)>.row(purge, Int64(5_000), Timestamp?.none) {
          (row) throws(PostgresError) in try row.decode(Int64.self, Timestamp?.self)
        }
        return try await gym.connection.atomically(in: gym.schema, call).0
      }
      try await gym.stand(at: "2025-06-04 12:00")
      #expect(try await purged() == 0)
      try await gym.stand(at: "2025-06-04 12:00:00.000001")
      #expect(try await purged() == 1_001)
    }
  }
}
