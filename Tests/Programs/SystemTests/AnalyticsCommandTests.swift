import Foundation
import TestSupport
import Testing

/// Tests `gymrats analytics`, as an operator uses it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AnalyticsCommandTests {
  @Test(.sampled()) func `days, what became of invites, and what a recompute costs`()
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let empty = try await schema.gymrats.succeed("analytics")
      #expect(
        empty == """
          nothing on these days
          conversion: no invite was made on these days
          recompute: nothing was published yet

          """)
      try await schema.sql(
        "insert into users (id, display_name) values ('ann', 'Ann'), ('bob', 'Bob')")
      let token = String(repeating: "0123456789abcdef", count: 2)
      for call in [
        "create_group('ann', 'g', 'Early birds')", "create_invite('ann', 'g', '\(token)')",
        "preview_invite('bob', '\(token)')", "join_group('bob', '\(token)')",
        "create_invite('bob', 'g')", "record_workout('bob', 'w')",
        "report_client_event('bob', gen_random_uuid(), 'board_fetched', 120)",
      ] { try await schema.sql("select \(call)") }
      try await schema.sql("update users set shares_workouts = false where id = 'ann'")
      try await schema.sql("select record_workout('ann', 'w')")
      try await schema.gymrats.succeed("worker", "--until-idle")
      let text = try await schema.gymrats.succeed("analytics").split(separator: "\n").map(
        String.init)
      let day = try #require(text.first)
      #expect(
        text.dropFirst().prefix(5) == [
          "  groups: 1 created, 1 joined, 1 of them by invite", "  invites: 2 made, 1 looked at",
          "  workouts: 1 accepted, 1 ignoredPrivacy",
          "  phones: 1 fetched board (p50 120 ms, p95 120 ms)",
          "conversion: of 2 invites made, 1 (50 %) was looked at, 1 (50 %) brought a member; 1 joined",
        ])
      #expect(
        text.last?.hasPrefix(
          "recompute: about 3.0 rows read, at most 2.0 written; 2 times published, ") == true)
      let json = try await schema.gymrats.succeed(
        "analytics", "--from", day, "--to", day, "--json"
      ).split(separator: "\n")
      #expect(
        json.prefix(2) == [
          """
          {"boards_fetched":1,"day":"\(day)","fetch_p50_ms":120,"fetch_p95_ms":120,"groups_created":1,\
          "groups_joined":1,"ignored_privacy":1,"invites_made":2,"invites_previewed":1,\
          "joined_by_invite":1,"links_failed":0,"workouts":[{"outcome":"accepted","workouts":1}],\
          "writes_failed":0}
          """, #"{"invites":{"accepted":1,"joins":1,"made":2,"previewed":1}}"#,
        ])
      #expect(json.count == 3)
      for arguments in [["--from", "yesterday"], ["--to", "2024-02-30"]] {
        expectComplaint(
          try await schema.gymrats.start(["analytics"] + arguments).wait(), status: 64,
          what: "'\(arguments[1])' is not a date", place: arguments[0], next: "YYYY-MM-DD")
      }
      for (from, to) in [("2024-06-02", "2024-06-01"), ("2000-01-01", "2024-01-01")] {
        expectComplaint(
          try await schema.gymrats.run("analytics", "--from", from, "--to", to), status: 64,
          what: "From \(from) to \(to) is not a valid period", place: "--from, --to",
          next: "the maximum is 3660 days")
      }
    }
  }
}
