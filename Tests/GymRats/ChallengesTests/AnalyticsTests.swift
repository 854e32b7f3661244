import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesServer
import Foundation
import TestSupport
import Testing

/// Tests the counts by day: docs/gymrats/analytics.md.
@Suite(.timeLimit(.minutes(5))) struct AnalyticsTests {
  private func summary(
    _ gym: Gym, from first: Int64 = 8, to last: Int64 = 12
  ) async throws -> AnalyticsSummary {
    let begin = try #require(CivilDate.days(year: 2024, month: 6, day: first))
    let end = try #require(CivilDate.days(year: 2024, month: 6, day: last))
    return try await Analytics(gym.connection, schema: gym.schema).summary(of: begin...end)
  }

  /// Returns a day's numbers of groups and invites: `day created joined by-invite made looked-at`.
  private func groups(_ gym: Gym) async throws -> [String] {
    try await summary(gym).days.map {
      "\($0.day) \($0.groupsCreated) \($0.groupsJoined) \($0.joinedByInvite) \($0.invitesMade) \($0.invitesPreviewed)"
    }.filter { !$0.hasSuffix(" 0 0 0 0 0") }
  }

  // MARK: Groups and invites

  @Test func `groups, who joins them and how, and what became of the invites`() async throws {
    try await Gym.open(at: "2024-06-08 23:59:59") { gym in
      try await gym.found()
      try await gym.call("create_invite('ann', 'g')")
      try await gym.users("bob", "cid", "dan", "eve")
      for _ in 0..<2 { try await gym.call("preview_invite('bob', '\(Gym.token)')") }
      try await gym.call("preview_invite('cid', '\(Gym.token)')")
      try await gym.stand(at: "2024-06-09 00:00")
      try await gym.call("preview_invite('bob', '\(Gym.token)')")
      try await gym.call("join_group('bob', '\(Gym.token)')")
      try await gym.call("join_group('dan', '\(Gym.token)')")
      try await gym.call("add_member('g', 'eve', 'Eve')")
      #expect(try await groups(gym) == ["2024-06-08 1 0 0 2 2", "2024-06-09 0 3 2 0 0"])
      let first = try await summary(gym, from: 8, to: 8).invites
      #expect([first.made, first.previewed, first.accepted, first.joins] == [2, 1, 1, 2])
      let second = try await summary(gym, from: 9, to: 9).invites
      #expect([second.made, second.previewed, second.accepted, second.joins] == [0, 0, 0, 0])
    }
  }

  @Test func `what is refused, repeated or rolled back counts nowhere`() async throws {
    try await Gym.open(at: "2024-06-08 12:00") { gym in
      try await gym.found("bob")
      let before = try await groups(gym)
      try await gym.call("create_group('ann', 'g', 'Early birds')")
      try await gym.call("create_group('ann', 'h', 'Late birds')")
      try await gym.call("create_invite('ann', 'g', '\(Gym.token)')")
      try await gym.call("join_group('bob', '\(Gym.token)')")
      try await gym.users("cid")
      for call in ["preview_invite", "join_group"] {
        try await gym.call("\(call)('cid', '\(String(repeating: "0", count: 32))')")
      }
      try await gym.call("add_member('g', 'bob', 'Bob')")
      await expectSQLState("P0001") {
        try await gym.run(
          "do $$ begin perform join_group('cid', '\(Gym.token)'); raise 'no'; end $$")
      }
      #expect(try await groups(gym) == before)
      // A group's id, as in links of earlier versions, is not an invite with a known origin.
      try await gym.run("update setting set legacy_invites = true")
      for _ in 0..<2 { try await gym.call("preview_invite('cid', 'g')") }
      try await gym.call("join_group('cid', 'g')")
      #expect(try await groups(gym) == ["2024-06-08 1 2 1 1 0"])
    }
  }

  // MARK: Workouts

  @Test func `workouts by their outcome, and those that privacy refused by their day alone`()
    async throws
  {
    try await Gym.open(at: "2024-06-09 23:30") { gym in
      try await gym.join("ann")
      try await gym.join("bob")
      try await gym.record("a", at: "2024-06-09 10:00Z")
      try await gym.record("b")
      try await gym.delete("b")
      try await gym.record("old", at: "2024-05-20 10:00Z")
      try await gym.call("update_privacy_settings('bob', false)")
      try await gym.record("secret", by: "bob")
      try await gym.stand(at: "2024-06-10 00:30")
      try await gym.call("update_privacy_settings('bob', true)")
      #expect(try await gym.record("late", by: "bob", at: "2024-06-09 23:45Z") == "ignoredPrivacy")
      #expect(try await gym.record("after", by: "bob") == "accepted 2024-06-10")
      let days = try await summary(gym).days
      let lines = days.map { day in
        ([day.day] + day.workouts.map { "\($0.outcome) \($0.workouts)" } + ["\(day.ignoredPrivacy)"])
          .joined(separator: " ")
      }
      #expect(
        lines == [
          "2024-06-08 0", "2024-06-09 accepted 1 deleted 1 rejected 1 1",
          "2024-06-10 accepted 1 1", "2024-06-11 0", "2024-06-12 0",
        ])
      #expect(
        try await gym.lines("select t::text from ignored_workout t order by 1")
          == ["(1,2024-06-09,1)", "(2,2024-06-10,1)"])
    }
  }

  @Test func `a call that privacy refuses waits for no other, nor a recorded one for it`()
    async throws
  {
    try await Gym.open(at: "2024-06-09 12:00") { gym in
      for user in ["ann", "bob", "cid"] { try await gym.join(user) }
      try await gym.run("update users set shares_workouts = false where id in ('ann', 'bob')")
      try await gym.withConnection { one in
        let open = try await OpenTransaction(one, in: gym)
        #expect(try await open.run(.record("w", by: "ann")) == "ignoredPrivacy")
        try await gym.withConnection { two in
          let beside = try await OpenTransaction(two, in: gym, limit: "5s")
          #expect(try await beside.run(.record("w", by: "bob")) == "ignoredPrivacy")
          #expect(try await beside.run(.record("w", by: "cid")) == "accepted 2024-06-03")
          try await beside.commit()
        }
        try await open.commit()
      }
      #expect(try await summary(gym).days[1].ignoredPrivacy == 2)
    }
  }

  // MARK: Phones

  @Test func `what phones report, with the times in which boards came`() async throws {
    try await Gym.open(at: "2024-06-08 22:00") { gym in
      try await gym.users("ann", "bob")
      func report(_ user: String, _ kind: String, _ time: Int? = nil) async throws -> String {
        try await gym.call(
          "report_client_event('\(user)', gen_random_uuid(), '\(kind)', \(time.map { "\($0)" } ?? "null"))"
        )
      }
      for time in 1...100 { #expect(try await report("ann", "board_fetched", time) == "true") }
      try await gym.stand(at: "2024-06-09 02:00")
      #expect(try await report("ann", "write_failed") == "true")
      #expect(try await report("bob", "link_failed") == "true")
      let wrong: [(String, Int?)] = [
        ("write_failed", 5), ("board_fetched", nil), ("board_fetched", 600_001), ("other", nil),
      ]
      for (kind, time) in wrong { #expect(try await report("ann", kind, time) == "invalidInput") }
      let days = try await summary(gym).days
      #expect(
        days.map { "\($0.writesFailed) \($0.linksFailed) \($0.boardsFetched)" }
          == ["0 0 100", "1 1 0", "0 0 0", "0 0 0", "0 0 0"])
      #expect(days[0].fetchP50Ms == 50 && days[0].fetchP95Ms == 95)
      #expect(days[1].fetchP50Ms == nil && days[1].fetchP95Ms == nil)
    }
  }

  @Test func `a phone that reports without end fills nothing, however many calls come at once`()
    async throws
  {
    try await Gym.open(at: "2024-06-08 12:00") { gym in
      try await gym.users("ann")
      try await gym.run("update setting set client_events_a_day = 20")
      let counted = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<6 {
          group.addTask {
            try await gym.withConnection { connection in
              var counted = 0
              for _ in 0..<8 {
                let answer = try await gym.call(
                  "report_client_event('ann', gen_random_uuid(), 'link_failed')", on: connection)
                counted += answer == "true" ? 1 : 0
              }
              return counted
            }
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(counted == 20)
      #expect(try await gym.lines("select count(*)::text from client_event") == ["20"])
    }
  }

  @Test func `of two phones that send a day's last report at once one is counted`() async throws {
    try await Gym.open(at: "2024-06-08 12:00") { gym in
      try await gym.users("ann")
      try await gym.run("update setting set client_events_a_day = 1")
      let report = "report_client_event('ann', gen_random_uuid(), 'link_failed')"
      try await gym.withConnection { other in
        let first = try await OpenTransaction(gym.connection, in: gym)
        #expect(try await first.run(.lines("select (\(report))::text")) == ["true"])
        async let second = gym.call(report, on: other)
        try await gym.waitUntilBlocked()
        try await first.commit()
        #expect(try await second == "false")
      }
    }
  }

  // MARK: Keeping and forgetting

  @Test func `what is counted goes after its time, and refused workouts become one row a day`()
    async throws
  {
    try await Gym.open(at: "2024-06-08 12:00") { gym in
      try await gym.found("bob")
      try await gym.call("report_client_event('ann', gen_random_uuid(), 'link_failed')")
      try await gym.run("update users set shares_workouts = false")
      for number in 0..<3 { try await gym.record("w\(number)") }
      try await gym.stand(at: "2024-06-09 12:00")
      for number in 0..<2 { try await gym.record("w\(number)") }
      func purge() async throws -> [Int] {
        try await gym.connection.transaction(in: gym.schema) { transaction in
          let expired = PostgresExpiredData(transaction)
          return [
            try await expired.purge(.usageLog, limit: 10, from: nil).deleted,
            try await expired.purge(.clientEvents, limit: 10, from: nil).deleted,
            try await expired.foldIgnored(limit: 10),
          ]
        }
      }
      let ignored = "select concat_ws(' ', day, workouts) from ignored_workout order by id"
      #expect(try await purge() == [0, 0, 3])
      #expect(
        try await gym.lines(ignored) == ["2024-06-09 1", "2024-06-09 1", "2024-06-08 3"])
      #expect(try await purge() == [0, 0, 0])
      // The limit is 400 days, to the microsecond. For days without a time, it is exact to the day.
      try await gym.stand(at: "2025-07-13 12:00")
      #expect(try await purge() == [0, 0, 2])
      #expect(try await gym.lines(ignored) == ["2024-06-08 3", "2024-06-09 2"])
      try await gym.stand(at: "2025-07-13 12:00:00.000001")
      #expect(try await purge() == [3, 1, 0])
      try await gym.stand(at: "2025-07-14 00:00")
      let rows = try await gym.connection.transaction(in: gym.schema) {
        try await PostgresExpiredData($0).rows()
      }
      #expect(rows.filter { $0.table == "ignored_workout" }.map(\.rows) == [1])
      #expect(try await purge() == [0, 0, 1])
      #expect(try await gym.lines(ignored) == ["2024-06-09 2"])
    }
  }

  @Test func `an account that goes leaves numbers without its name`() async throws {
    try await Gym.open(at: "2024-06-08 12:00") { gym in
      try await gym.found()
      try await gym.users("bob")
      try await gym.call("preview_invite('bob', '\(Gym.token)')")
      try await gym.call("join_group('bob', '\(Gym.token)')")
      try await gym.call("report_client_event('bob', gen_random_uuid(), 'link_failed')")
      let before = try await groups(gym)
      try await gym.call("delete_account('bob')")
      #expect(try await groups(gym) == before)
      #expect(try await summary(gym).days[0].linksFailed == 1)
      #expect(
        try await gym.lines(
          """
          select count(*)::text from (
            select user_id from usage_log union all select user_id from client_event) u
          where user_id = 'bob'
          """) == ["0"])
    }
  }

  // MARK: A beta

  @Test(.sampled())
  func `who is in a beta is said alike by Swift and SQL, and a larger share loses nobody`()
    async throws
  {
    try await Gym.open(at: "2024-06-08 12:00") { gym in
      let odd = ["é", "e\u{301}", "用户", "a b", String(repeating: "x", count: 256)]
      let ids = odd + (0..<1_000).map { "user-\($0)" }
      try await gym.run(
        """
        insert into users (id, display_name) select id, 'U'
        from unnest(array[\(ids.map { "'\($0)'" }.joined(separator: ","))]) id
        """)
      var last: Set<Bytes> = []
      for percent in [0, 1, 10, 50, 99, 100] {
        try await gym.run("update setting set beta_share = \(percent)")
        let inside = Set(
          try await gym.lines("select id::text from users where is_beta(id)").map { Bytes($0) })
        let share = try #require(BetaShare(percent: percent))
        #expect(inside == Set(ids.filter(share.contains).map { Bytes($0) }))
        #expect(last.isSubset(of: inside))
        #expect(abs(inside.count - percent * ids.count / 100) < 60)
        last = inside
      }
      #expect(BetaShare(percent: 101) == nil && BetaShare(percent: -1) == nil)
    }
  }

  /// A text that is compared by its bytes, because Swift treats two spellings of a letter as equal.
  private struct Bytes: Hashable {
    let bytes: [UInt8]
    init(_ text: String) { bytes = Array(text.utf8) }
  }

  // MARK: Cost

  @Test func `a recompute costs the rows of its board, as often as it was published`() async throws
  {
    try await Gym.open(at: "2024-06-10 12:00") { gym in
      #expect(try await summary(gym).recompute.rowsRead == nil)
      for user in ["ann", "bob"] { try await gym.join(user) }
      try await gym.record("a1")
      try await gym.publishAll()
      try await gym.record("b1", by: "bob")
      try await gym.publishAll()
      let cost = try await summary(gym).recompute
      // Two boards were each published twice, and now have two entries and two standings.
      #expect(cost.published == 4 && cost.rowsRead == 5 && cost.mostRowsWritten == 3)
    }
  }
}
