import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesServer
import TestSupport
import Testing

/// Rule 48: ids are compared by bytes, even if Swift's `==` treats two texts as equal.
@Suite(.timeLimit(.minutes(5))) struct TwoSpellingsTests {
  private let composed = "\u{e9}"
  private let decomposed = "e\u{301}"

  /// Creates two members with such ids, with one workout and with two workouts.
  private func withBoth(_ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      for user in [composed, decomposed] { try await gym.join(user) }
      try await gym.record("w1", by: composed, at: "2024-06-04 10:00")
      try await gym.record("w1", by: decomposed, at: "2024-06-04 11:00")
      try await gym.record("w2", by: decomposed, at: "2024-06-05 11:00")
      try await gym.publishAll()
      try await body(gym)
    }
  }

  private func week(of gym: Gym) async throws -> KeptWeek {
    let weeks = KeptWeeks(gym.connection, schema: gym.schema)
    return try #require(try await weeks.week(of: "g", holding: "2024-06-03"))
  }

  @Test func `a board as of a time gives each member their own workouts`() async throws {
    try await withBoth { gym in
      let kept = try await week(of: gym)
      let places = kept.places(at: kept.now).filter { $0.type == .checkIns }
      #expect(places.map(\.value) == [2, 1])
      #expect(places.map { Array($0.user.utf8) } == [decomposed, composed].map { Array($0.utf8) })
      let standings = kept.standings(at: kept.now, before: kept, type: .checkIns)
      #expect(standings.map(\.rankBefore) == [1, 2])
    }
  }

  @Test func `an explanation is about one of the two`() async throws {
    try await withBoth { gym in
      let kept = try await week(of: gym)
      for (user, value) in [(composed, 1), (decomposed, 2)] {
        let explained = try #require(RankExplanation(of: user, on: .checkIns, in: kept))
        #expect(explained.value == value)
        #expect(explained.workouts.count == value)
        #expect(explained.differences == [])
      }
    }
  }

  @Test func `a repair repairs both`() async throws {
    try await withBoth { gym in
      try await gym.withoutTriggers("update entry set value = 7")
      #expect(try await gym.drift().count == 4)
      try await gym.heal()
      #expect(try await gym.drift() == [])
    }
  }
}
