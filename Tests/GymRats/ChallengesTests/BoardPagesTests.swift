import BatonPostgres
import Challenges
import ChallengesPostgres
import TestSupport
import Testing

/// Tests reading boards in pages.
///
/// If all standings were read at once, the memory of `gymrats board --all` would grow with the
/// number of standings.
@Suite struct BoardPagesTests {
  @Test func `10,000 standings are read in pages of 1,000 of one snapshot`() async throws {
    try await Gym.open(at: "2024-03-05 12:00") { gym in
      try await makeBoards(in: gym)
      let boards = Boards(gym.connection, schema: gym.schema)
      let all = try await boards.standings(group: nil, week: nil, type: nil)
      let before = await gym.connection.roundTrips
      let pages = try await boards.inPages(group: nil, week: nil, type: nil) { pages in
        let first = try await pages.next()
        // The other connection commits, and the later pages do not contain its change.
        try await gym.test.sql("delete from standing where user_id = 'u7'")
        return [first] + (try await rest(of: pages))
      }
      let trips = await gym.connection.roundTrips - before
      #expect(pages.map(\.count) == Array(repeating: 1_000, count: 10))
      #expect(pages.joined().map(\.place) == all.map(\.place))
      #expect(trips <= 15)
    }
  }

  @Test func `the second time, the pages begin again with the first standing`() async throws {
    try await Gym.open(at: "2024-03-05 12:00") { gym in
      try await makeBoards(in: gym)
      let boards = Boards(gym.connection, schema: gym.schema)
      try await boards.inPages(group: "g1", week: "2024-03-08", type: .checkIns) { pages in
        let first = try await rest(of: pages)
        try await gym.test.sql("delete from standing where user_id = 'u7'")
        try await pages.rewind()
        let second = try await rest(of: pages)
        #expect(first.map(\.count) == [20])
        #expect(second.joined().map(\.place) == first.joined().map(\.place))
      }
      try await boards.inPages(group: "g1", week: "2024-03-01", type: nil) { pages in
        let none = try await rest(of: pages)
        #expect(none.isEmpty)
      }
    }
  }

  private func rest(of pages: StandingPages) async throws -> [[Standing]] {
    var all: [[Standing]] = []
    while true {
      let page = try await pages.next()
      guard !page.isEmpty else { return all }
      all.append(page)
    }
  }

  /// Creates 500 boards with 20 standings each.
  private func makeBoards(in gym: Gym) async throws {
    try await gym.run(
      "insert into groups (id, name) select 'g' || n, 'G' from generate_series(1, 500) n")
    try await gym.run(
      """
      insert into challenge (id, group_id, week_start, type)
      select gen_random_uuid(), 'g' || n, '2024-03-04', 'check-ins' from generate_series(1, 500) n
      """)
    try await gym.run(
      """
      insert into standing (challenge_id, user_id, value, rank, position, display_name, last_updated)
      select c.id, 'u' || n, 21 - n, n, n, 'member ' || n, now()
      from challenge c, generate_series(1, 20) n
      """)
  }
}

extension Standing {
  fileprivate var place: [String] { [group, weekStart, type, userID, "\(position)"] }
}
