import Foundation
import TestSupport
import Testing

/// Tests `gymrats board --at` and `gymrats explain-rank`, as an operator uses them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct KeptBoardCommandTests {
  private static let lines = [
    "group,member,occurred_at",
    // Monday 2024-02-26 to Sunday 2024-03-03, and the following week.
    "runners,ana,2024-02-26T08:00:00Z", "runners,bo,2024-02-27T08:00:00Z",
    "runners,bo,2024-02-29T08:00:00Z", "runners,ana,2024-03-04T08:00:00Z",
    "runners,bo,2024-03-05T08:00:00Z", "runners,ana,2024-03-06T08:00:00Z",
  ]

  /// A replay whose clock is in the second week.
  private func withBoards(
    _ body: (BatonProgram, TestSchema) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("file.csv", lines: Self.lines)
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("replay", path, "--step", "1h")
      // The state is as after the job on Monday.
      try await schema.sql(
        """
        update challenge set state = 'closed', closed_at = '2024-03-04 00:10Z'
        where week_start = '2024-02-26'
        """)
      try await body(schema.gymrats, schema)
    }
  }

  private func places(_ text: String) -> [[String]] {
    text.split(separator: "\n").dropFirst().map {
      Array($0.split(separator: " ").map(String.init).prefix(4))
    }
  }

  @Test(.sampled()) func `a board as it was, with what had moved by then`() async throws {
    try await withBoards { gymrats, _ in
      func board(_ more: String...) async throws -> [[String]] {
        places(try await gymrats.succeed(["board", "runners", "--type", "check-ins"] + more))
      }
      #expect(try await board("--at", "2024-02-26T12:00:00Z") == [["1", "ana", "1", "new"]])
      #expect(
        try await board("--at", "2024-02-28")
          == [["1", "ana", "1", "new"], ["1", "bo", "1", "new"]])
      // The week was closed at that time.
      #expect(
        try await board("--at", "2024-03-04T12:00:00Z", "--week", "2024-02-28")
          == [["1", "bo", "2", "new"], ["2", "ana", "1", "new"]])
      #expect(try await board("--at", "2024-03-04T12:00:00Z") == [["1", "ana", "1", "↑1"]])
      let json = try await gymrats.succeed(
        "board", "runners", "--at", "2024-03-05T12:00:00Z", "--json")
      #expect(json.split(separator: "\n").count == 4)
      #expect(json.contains(#""rank_before":2"#) && json.contains(#""week_start":"2024-03-04""#))
    }
  }

  @Test(.sampled()) func `an instant that is to come, gone, none, or before its week`()
    async throws
  {
    try await withBoards { gymrats, schema in
      for (arguments, status, what, next) in [
        (["--at", "2024-04-01"], 64, "2024-04-01T00:00:00Z is in the future", "up to now"),
        (["--at", "2023-11-01"], 66, "are no longer stored", "from 2023-1"),
        (["--at", "noon"], 64, "'noon' is not an instant", "YYYY-MM-DD"),
        (
          ["--at", "2024-02-28", "--week", "2024-03-05"], 64,
          "the week of 2024-03-04 had not begun", "Omit --week"
        ),
      ] as [([String], Int32, String, String)] {
        expectComplaint(
          try await gymrats.start(["board", "runners"] + arguments).wait(), status: status,
          what: what, place: "--at", next: next)
      }
      expectComplaint(
        try await gymrats.run("board", "nobody", "--at", "2024-02-28"), status: 66,
        what: "no group 'nobody'", place: "DATABASE_URL", next: "gymrats board --all")
      expectComplaint(
        try await gymrats.run("board", "--all", "--at", "2024-02-28"), status: 64,
        what: "--at shows the boards of one group", place: "arguments", next: "--help")
    }
  }

  @Test(.sampled()) func `a rank is explained, for people and for scripts`() async throws {
    try await withBoards { gymrats, schema in
      let text = try await gymrats.succeed("explain-rank", "bo")
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      #expect(lines[0].hasPrefix("bo (") && lines[0].hasSuffix("week of 2024-03-04 · check-ins"))
      #expect(lines[1] == "  rank 2, position 2: value 1, reached at 2024-03-05T08:00:00Z")
      #expect(lines[2].hasPrefix("  2024-03-05  2024-03-05T08:00:00Z  "))
      #expect(lines[2].hasSuffix("  accepted  counts"))
      #expect(lines[3].hasPrefix("  ahead   ana (") && lines[3].hasSuffix("rank 1: value 2"))
      #expect(lines[4] == "  published: rank 2, value 1")
      #expect(text.contains("  streak (peak): 2024-03-05\n"))
      let before = try await gymrats.succeed(
        "explain-rank", "bo", "--week", "2024-02-28", "--type", "streak")
      #expect(before.contains(" · streak · closed\n") && !before.contains("differs"))

      let user = try await schema.sql("select id from users where display_name = 'bo'")[0]
      let json = try await gymrats.succeed("explain-rank", user, "--json").split(separator: "\n")
      let objects = try json.map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      #expect(objects.map { $0["type"] as? String } == ["check-ins", "streak"])
      #expect(objects[0]["differences"] as? [String] == [] && objects[0]["rank"] as? Int == 2)
      let rival = (objects[0]["ahead"] as? [[String: Any]])?.first
      #expect(rival?["by"] as? String == "value" && rival?["joined_at"] is String)

      try await schema.sql("alter table entry disable trigger user")
      try await schema.sql("update entry set value = 5 where user_id = '\(user)'")
      try await schema.sql("alter table entry enable trigger user")
      let drifted = try await gymrats.succeed("explain-rank", "bo", "--type", "check-ins")
      #expect(
        drifted.hasSuffix(
          "  differs: the entry says 5, the ledger 1\n  next: gymrats verify --fix\n")
      )
    }
  }

  @Test(.sampled())
  func `explain-rank refuses unknown users, users without a group and ambiguous names`()
    async throws
  {
    try await withBoards { gymrats, schema in
      expectComplaint(
        try await gymrats.run("explain-rank", "nobody"), status: 66, what: "no user 'nobody'",
        place: "DATABASE_URL", next: "gymrats group ID")
      try await schema.sql(
        "insert into users (id, display_name) values ('u9', 'cy'), ('u8', 'ana')")
      expectComplaint(
        try await gymrats.run("explain-rank", "cy"), status: 66,
        what: "cy (u9) is not a member of a group now", place: "DATABASE_URL", next: "--group")
      expectComplaint(
        try await gymrats.run("explain-rank", "ana"), status: 64, what: "2 users are called 'ana'",
        place: "DATABASE_URL", next: "u8")
      expectComplaint(
        try await gymrats.run("explain-rank", "cy", "--group", "runners"), status: 66,
        what: "cy (u9) was never a member", place: "DATABASE_URL", next: "gymrats group runners")
      expectComplaint(
        try await gymrats.run("explain-rank", "bo", "--group", "x"), status: 66,
        what: "There is no group 'x'", place: "DATABASE_URL", next: "gymrats board --all")
      expectComplaint(
        try await gymrats.run("explain-rank", "bo", "--week", "x"), status: 64,
        what: "'x' is not a date", place: "--week", next: "YYYY-MM-DD")
      #expect(
        try await gymrats.succeed("explain-rank", "bo", "--week", "2023-01-01")
          == "no boards: no member has recorded a workout of that week\n")
    }
  }
}
