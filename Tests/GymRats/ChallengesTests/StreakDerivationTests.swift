import BatonPostgres
import Challenges
import ChallengesServer
import Foundation
import TestSupport
import Testing

/// Compares the values that apps compute with those of the database and the oracle.
@Suite struct StreakDerivationTests {
  /// A place on a board, in a common form.
  private struct Place: Hashable {
    let week: String
    let type: String
    let member: String
    let value: Int
    let rank: Int
    let position: Int
  }

  private func places(
    of workouts: [String: [Streak.Workout]], in week: Week, _ type: ChallengeType
  ) -> [Place] {
    let contenders = workouts.compactMap { member, all -> Ranking.Contender? in
      let inside = all.map(\.instant).filter { Week(containing: $0 / 1_000_000) == week }
      let counted = inside.max().map { (value: inside.count, reachedAt: $0) }
      let score = type == .checkIns ? counted : Streak(all).score(in: week, by: .peak)
      return score.map {
        Ranking.Contender(id: member, value: $0.value, reachedAt: $0.reachedAt, joinedAt: 0)
      }
    }
    return Ranking.ranked(contenders).enumerated().map { index, ranked in
      Place(
        week: week.monday, type: type.rawValue, member: ranked.contender.id,
        value: ranked.contender.value, rank: ranked.rank, position: index + 1)
    }
  }

  @Test(.sampled())
  func `boards in Swift are the oracle's, over zones, the date line and week edges`() throws {
    let random = Randomness()
    var generator = random.generator
    let monday: Int64 = 1_768_176_000
    let offsets = [0, 3_600, -28_800, -43_200, 50_400, 19_800]
    var seen = 0
    for round in 0..<150 {
      var workouts: [String: [Streak.Workout]] = [:]
      for member in 0..<Int.random(in: 1...8, using: &generator) {
        workouts["m\(member)"] = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
          Streak.Workout(
            // There are few instants, so ties and equal instants are frequent.
            instant: (monday + .random(in: -40..<48, using: &generator) * 21_600) * 1_000_000,
            utcOffset: offsets.randomElement(using: &generator) ?? 0)
        }
      }
      let lines = workouts.flatMap { member, all in
        all.map {
          CheckInLine(
            group: [], member: Array(member.utf8), instant: $0.instant, utcOffset: $0.utcOffset,
            line: 0)
        }
      }
      let expected = Set(
        Oracle.boards(of: lines, joinedAt: 0).map {
          Place(
            week: $0.weekStart, type: $0.type.rawValue,
            member: String(decoding: $0.member.bytes, as: UTF8.self), value: $0.value,
            rank: $0.rank, position: $0.position)
        })
      let weeks = (-3...3).map { Week(containing: monday + $0 * Week.length) }
      let found = weeks.flatMap { week in
        ChallengeType.allCases.flatMap { places(of: workouts, in: week, $0) }
      }
      #expect(Set(found) == expected, "\(random) round \(round)")
      seen += found.count
    }
    #expect(seen > 1_000)
  }

  @Test func `the id of a challenge is the same in Swift and in SQL`() async throws {
    let find = Call.rows(
      Statement(
        "test/challenge_ids",
        """
        select challenge_id(g, '2026-01-12', t)
        from unnest(array['gym', 'ä/ö', '']) as g, unnest(enum_range(null::challenge_type)) as t
        """)
    ) { (row) throws(PostgresError) in try row.decode(UUID.self) }
    try await Gym.open(at: "2026-01-14") { gym in
      let ids = try await gym.connection.atomically(in: gym.schema, find)
        .map { ChallengeID($0) }
      let week = try #require(Week(monday: "2026-01-12"))
      let expected = ["gym", "ä/ö", ""].flatMap { group in
        ChallengeType.allCases.map { ChallengeID(groupId: group, week: week, type: $0) }
      }
      #expect(Set(ids) == Set(expected) && ids.count == 6)
    }
  }
}
