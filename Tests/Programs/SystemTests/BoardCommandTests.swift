import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests `gymrats board` with a small replay whose results are known.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct BoardCommandTests {
  private static let lines = [
    "group,member,occurred_at",
    // Monday 2024-02-26 to Sunday 2024-03-03.
    "runners,ana,2024-02-26T08:00:00Z", "runners,ana,2024-02-27T08:00:00Z",
    "runners,bo,2024-02-29T08:00:00Z",
    // The following week.
    "runners,bo,2024-03-04T08:00:00Z", "runners,bo,2024-03-06T08:00:00Z",
    "runners,ana,2024-03-05T08:00:00Z", "runners,cy,2024-03-07T08:00:00Z",
    "\"names, with \"\"quotes\"\"\",Ελένη,2024-03-05T08:00:00Z",
  ]

  private func withBoards(_ body: (BatonProgram) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("file.csv", lines: Self.lines)
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("replay", path, "--step", "24h")
      try await body(schema.gymrats)
    }
  }

  private func rows(_ output: String) throws -> [BoardRow] {
    try output.split(separator: "\n").map { try BoardRow(jsonLine: String($0)) }
  }

  @Test(.sampled()) func `a group's newest week is shown as text`() async throws {
    try await withBoards { gymrats in
      let text = try await gymrats.succeed("board", "runners")
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      #expect(lines.contains("runners · week of 2024-03-04 · check-ins"))
      #expect(lines.contains("runners · week of 2024-03-04 · streak"))
      #expect(!text.contains("2024-02-26"))
      // Bo was second the week before, and is first now. For ana it is the opposite, and cy is new.
      let board = lines.dropFirst().prefix(3).map { $0.split(separator: " ").map(String.init) }
      #expect(
        board.map { Array($0.prefix(4)) } == [
          ["1", "bo", "2", "↑1"], ["2", "ana", "1", "↓1"], ["2", "cy", "1", "new"],
        ])
    }
  }

  @Test(.sampled())
  func `two members of one name are told apart, and what moved is in the JSON too`()
    async throws
  {
    try await withBoards { gymrats in
      // The display name equals the name on the board, and does not identify the user.
      let schema = try #require(Schema(gymrats.environment["BATON_SCHEMA"] ?? ""))
      let connection = try await Connection.open(
        ConnectionConfiguration(address: gymrats.environment["DATABASE_URL"] ?? ""))
      try await connection.sql(
        "update standing set display_name = 'bo' where display_name = 'ana'", in: schema)
      await connection.close()
      let text = try await gymrats.succeed("board", "runners", "--type", "check-ins")
      let board = text.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
      #expect(board.map { $0[1] } == ["bo", "bo", "cy"])
      #expect(Set(board.prefix(2).map { $0[2] }).count == 2, "\(text)")
      #expect(board[0][2].hasPrefix("(") && board[0][4] == "↑1" && board[2][3] == "new", "\(text)")

      let rows = try await gymrats.succeed(
        "board", "runners", "--json", "--week", "2024-03-04", "--type", "check-ins"
      ).split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      #expect(Set(rows.compactMap { $0["user_id"] as? String }).count == 3)
      #expect(rows.map { $0["rank_before"] as? Int } == [2, 1, nil])
      #expect(rows[2]["rank_before"] is NSNull)
    }
  }

  @Test(.sampled()) func `a group's JSON has every week`() async throws {
    try await withBoards { gymrats in
      let all = try await gymrats.boards()
      let group = try rows(try await gymrats.succeed("board", "runners", "--json"))
      #expect(group == all.filter { $0.group == "runners" })
      #expect(Set(group.map(\.weekStart)) == ["2024-02-26", "2024-03-04"])
    }
  }

  @Test(.sampled()) func `any day names its week`() async throws {
    try await withBoards { gymrats in
      for day in 26...32 {
        let date = day <= 29 ? "2024-02-\(day)" : "2024-03-0\(day - 29)"
        let week = try rows(try await gymrats.succeed("board", "--all", "--json", "--week", date))
        #expect(!week.isEmpty)
        #expect(Set(week.map(\.weekStart)) == ["2024-02-26"], "\(date)")
      }
    }
  }

  @Test(.sampled(), arguments: ["check-ins", "streak"])
  func `a type alone`(type: String) async throws {
    try await withBoards { gymrats in
      let all = try await gymrats.boards()
      let some = try rows(try await gymrats.succeed("board", "--all", "--json", "--type", type))
      #expect(some == all.filter { $0.type.rawValue == type })
      #expect(!some.isEmpty && some.count < all.count)
      let text = try await gymrats.succeed("board", "runners", "--type", type)
      #expect(text.hasPrefix("runners · week of 2024-03-04 · \(type)\n"))
      #expect(text.components(separatedBy: "week of").count == 2)
    }
  }

  @Test(.sampled()) func `all boards as text have a heading each`() async throws {
    try await withBoards { gymrats in
      let text = try await gymrats.succeed("board", "--all")
      #expect(text.components(separatedBy: "week of").count == 7)
      #expect(text.contains("names, with \"quotes\" · week of 2024-03-04 · check-ins\n"))
    }
  }

  @Test func `boards that begin on one page and end on the next page are complete`() async throws {
    try await TestSchema.with { schema in
      try await schema.sql(
        "insert into groups (id, name) select 'g' || n, 'G' from generate_series(1, 400) n")
      try await schema.sql(
        """
        insert into challenge (id, group_id, week_start, type)
        select gen_random_uuid(), 'g' || n, '2024-03-04', 'check-ins' from generate_series(1, 400) n
        """)
      // The longest name is on the last page. The board has two members with the same name, so the
      // ids follow the names.
      try await schema.sql(
        """
        insert into standing (challenge_id, user_id, value, rank, position, display_name, last_updated)
        select c.id, 'u' || n, 8 - n, n, n,
          case when c.group_id = 'g99' and n > 5 then 'twin' else 'm' || n end, now()
        from challenge c, generate_series(1, 7) n
        """)
      let line = "   7  m7            1  new ▪"
      let twins = ["   6  twin (u6)     2  new ▪▪", "   7  twin (u7)     1  new ▪"]
      let text = try await schema.gymrats.succeed("board", "--all")
      let boards = text.components(separatedBy: "\n\n")
      #expect(boards.count == 400)
      #expect(boards.allSatisfy { $0.hasPrefix("g") && $0.split(separator: "\n").count == 8 })
      #expect(boards.dropLast().allSatisfy { $0.hasSuffix("\n" + line) })
      #expect(boards.last?.hasPrefix("g99 ") == true)
      #expect(boards.last?.hasSuffix(twins.joined(separator: "\n") + "\n") == true)
    }
  }

  @Test(.sampled()) func `a week without boards is empty and no error`() async throws {
    try await withBoards { gymrats in
      let text = try await gymrats.succeed("board", "runners", "--week", "2023-01-01")
      #expect(text == "no standings\n")
      let json = try await gymrats.succeed("board", "--all", "--json", "--week", "2023-01-01")
      #expect(json == "")
    }
  }

  @Test(.sampled()) func `a group that is not there`() async throws {
    try await withBoards { gymrats in
      for options in [[], ["--json"], ["--week", "2024-03-04"]] {
        expectComplaint(
          try await gymrats.start(["board", "nobody"] + options).wait(), status: 66,
          what: "no group 'nobody'", place: "DATABASE_URL", next: "gymrats board --all")
      }
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "yesterday", "2024-3-4", "04.03.2024", "2024-02-30", "2023-02-29", "2024-13-01", "20240304",
      "2024-03-04T00:00:00Z", "2024-W10",
    ])
  func `a week that is no date`(week: String) async throws {
    try await withBoards { gymrats in
      for arguments in [
        ["board", "--all"], ["board", "runners"], ["board", "runners", "--json"],
      ] {
        expectComplaint(
          try await gymrats.start(arguments + ["--week", week]).wait(), status: 64,
          what: "'\(week)' is not a date", place: "--week", next: "YYYY-MM-DD")
      }
    }
  }

  @Test(.sampled(), arguments: ["checkins", "STREAK", "ranks"])
  func `a type that is none`(type: String) async throws {
    try await withBoards { gymrats in
      expectComplaint(
        try await gymrats.run("board", "--all", "--type", type), status: 64, what: "'\(type)'",
        place: "--type", next: "check-ins or streak")
    }
  }
}
