import BatonPostgres
import Challenges
import ChallengesPostgres
import TestSupport
import Testing

/// Rules 24 and 48 to 53: which rows a recompute publishes, and that it writes no other rows.
@Suite(.serialized)
struct PublishTests {
  private let monday = "2024-06-03"

  /// Creates a group with one board that has the given rows: user, value, reached, joined
  /// (minutes).
  private func withBoard(
    _ rows: [(String, Int, Int, Int)], _ body: (Gym) async throws -> Void
  ) async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.run("insert into groups (id, name) values ('g', 'g')")
      try await gym.run(
        """
        insert into challenge (id, group_id, week_start, type)
        select challenge_id('g', '\(monday)', t), 'g', '\(monday)', t
        from unnest(enum_range(null::challenge_type)) t
        """)
      for (user, value, reached, joined) in rows {
        try await gym.run(
          """
          insert into entry select id, '\(user)', \(value), '\(monday)'::timestamptz
            + \(reached) * interval '1 minute', '2024-01-01'::timestamptz
            + \(joined) * interval '1 minute', '\(user)', null, false, '\(monday)'
          from challenge where type = 'check-ins'
          """)
      }
      try await body(gym)
    }
  }

  private static let ties = [
    ("z", 5, 9, 9), ("c", 3, 2, 1), ("b", 3, 1, 2), ("d", 3, 2, 0), ("a", 1, 0, 0),
  ]

  @Test(
    arguments: [
      ("competition", ["1 1 z 5", "2 2 b 3", "3 2 d 3", "4 2 c 3", "5 5 a 1"]),
      ("dense", ["1 1 z 5", "2 2 b 3", "3 2 d 3", "4 2 c 3", "5 3 a 1"]),
      ("unique", ["1 1 z 5", "2 2 b 3", "3 3 d 3", "4 4 c 3", "5 5 a 1"]),
    ])
  func `ranks follow the policy of the type, positions the total order`(
    policy: String, expected: [String]
  ) async throws {
    try await withBoard(Self.ties) { gym in
      try await gym.run("update setting set check_ins_rank = '\(policy)'")
      try await gym.publish(monday)
      #expect(try await gym.standings(monday) == expected)
    }
  }

  @Test func `the last tie goes by the bytes of the id`() async throws {
    let names = ["a", "B", "_", "aa", "a b", "e\u{301}", "é", "Z", "～", "😀", "ä"]
    try await withBoard(names.map { ($0, 1, 0, 0) }) { gym in
      try await gym.publish(monday)
      let found = try await gym.standings(monday).map {
        String($0.split(separator: " ")[2...].joined(separator: " ").dropLast(2))
      }
      let byBytes = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      #expect(found.map { Array($0.utf8) } == byBytes.map { Array($0.utf8) })
    }
  }

  @Test func `who is hidden or has nothing is not on the board`() async throws {
    try await withBoard(Self.ties) { gym in
      try await gym.publish(monday)
      try await gym.run("update entry set hidden = true where user_id = 'z'")
      try await gym.run("update entry set value = 0 where user_id = 'b'")
      try await gym.run("delete from entry where user_id = 'a'")
      try await gym.publish(monday)
      #expect(try await gym.standings(monday) == ["1 1 d 3", "2 1 c 3"])
      try await gym.run("update entry set hidden = false")
      try await gym.publish(monday)
      #expect(try await gym.standings(monday) == ["1 1 z 5", "2 2 d 3", "3 2 c 3"])
    }
  }

  @Test func `a board whose last entry is gone is empty`() async throws {
    try await withBoard(Self.ties) { gym in
      try await gym.publish(monday)
      try await gym.run("delete from entry")
      try await gym.publish(monday)
      #expect(try await gym.standings(monday) == [])
      #expect(try await gym.version() == ["2"])
    }
  }

  @Test func `the second time writes nothing and leaves the version`() async throws {
    try await withBoard(Self.ties) { gym in
      try await gym.publish(monday)
      let rows = "select xmin || ' ' || s::text from standing s order by s"
      let before = try await gym.lines(rows)
      #expect(before.count == 5)
      #expect(try await gym.version() == ["1"])
      try await gym.publish(monday)
      #expect(try await gym.lines(rows) == before)
      #expect(try await gym.version() == ["1"])
    }
  }

  @Test func `only rows that differ are written`() async throws {
    try await withBoard(Self.ties) { gym in
      try await gym.publish(monday)
      let rows = "select s.user_id || ' ' || xmin from standing s order by 1"
      let before = Set(try await gym.lines(rows))
      try await gym.run("update entry set value = 2 where user_id = 'd'")
      try await gym.publish(monday)
      // Now c is third and d is fourth. The places of z, b and a are unchanged.
      #expect(
        try await gym.standings(monday) == ["1 1 z 5", "2 2 b 3", "3 2 c 3", "4 4 d 2", "5 5 a 1"])
      let kept = before.intersection(try await gym.lines(rows)).map { $0.prefix(1) }
      #expect(Set(kept) == ["z", "b", "a"])
      #expect(try await gym.version() == ["2"])
    }
  }

  @Test func `a new name or photo is published, with the same rank`() async throws {
    try await withBoard(Self.ties) { gym in
      try await gym.publish(monday)
      try await gym.run(
        "update entry set display_name = 'Zoë', photo_url = 'p' where user_id = 'z'")
      try await gym.publish(monday)
      let found = try await gym.lines(
        "select concat_ws(' ', display_name, photo_url, rank) from leaderboard where user_id = 'z'")
      #expect(found == ["Zoë p 1"])
      #expect(try await gym.version() == ["2"])
    }
  }

  @Test(arguments: ["closed", "cancelled"])
  func `a board that is not open is left alone`(state: String) async throws {
    try await withBoard(Self.ties) { gym in
      try await gym.publish(monday)
      try await gym.run("update entry set value = 9 where user_id = 'a'")
      try await gym.run("update challenge set state = '\(state)'")
      let rows = "select xmin || ' ' || s::text from standing s order by s"
      let before = try await gym.lines(rows)
      try await gym.publish(monday)
      #expect(try await gym.lines(rows) == before)
      #expect(try await gym.version() == ["1"])
    }
  }

  @Test func `boards that are not there, none at all, and one named twice are no trouble`()
    async throws
  {
    try await withBoard(Self.ties) { gym in
      let board = try #require(
        ChallengeID(
          try await gym.lines("select challenge_id('g', '\(monday)', 'check-ins')::text")[0]))
      let gone = try #require(ChallengeID("00000000-0000-8000-8000-000000000000"))
      for boards in [[], [gone], [board, gone, board]] {
        try await gym.connection.transaction(in: gym.schema) { transaction in
          try await PostgresLeaderboards(transaction).recomputeRanks(of: boards)
        }
      }
      #expect(try await gym.standings(monday).count == 5)
    }
  }

  @Test func `many boards are published at once, each by itself`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      for group in ["g", "h"] {
        for (user, count) in [("ann", 1), ("bob", 2)] {
          try await gym.join("\(user) \(group)", group)
          for nth in 0..<count {
            try await gym.record("\(nth)", by: "\(user) \(group)", at: "2024-06-0\(4 + nth) 10:00")
          }
        }
      }
      try await gym.publishAll()
      for group in ["g", "h"] {
        for type in ["check-ins", "streak"] {
          #expect(
            try await gym.standings(monday, type, group) == [
              "1 1 bob \(group) 2", "2 2 ann \(group) 1",
            ]
          )
        }
      }
    }
  }

  /// A board is read, ranked again and removed as a whole, so its rows should be in few pages of
  /// the table.
  @Test func `the standings that one batch makes lie board by board`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.run(
        "insert into groups (id, name) select 'g' || n, 'g' from generate_series(1, 60) n")
      try await gym.run(
        """
        insert into challenge (id, group_id, week_start, type)
        select challenge_id(g.id, '\(monday)', 'streak'), g.id, '\(monday)', 'streak' from groups g
        """)
      // The members' entries are written one after another, so that they are spread over many
      // pages.
      try await gym.run(
        """
        insert into entry
        select c.id, 'u' || n, n, '\(monday)', '2024-01-01', 'u' || n, null, false, '\(monday)'
        from generate_series(1, 10) n, challenge c order by n
        """)
      try await gym.publishAll()
      let pages = try await gym.lines(
        """
        select max(pages)::text from (
          select count(distinct split_part(ctid::text, ',', 1)) as pages
          from standing group by challenge_id) board
        """)
      #expect(pages == ["1"] || pages == ["2"])
      #expect(try await gym.lines("select count(*)::text from standing") == ["600"])
    }
  }
}
