import Challenges
import ChallengesPostgres
import ChallengesServer
import TestSupport
import Testing

/// Compares boards of earlier times, derived from the stored data, with copies that were made at
/// these times.
@Suite(.timeLimit(.minutes(20)))
struct KeptWeekTests {
  /// Every board as it was published at an instant.
  private struct Copy {
    let at: Int64
    /// `group week`, with the displayed rows of its boards.
    let boards: [String: Set<String>]
  }

  private static let published = """
    select concat_ws(' ', c.group_id, c.week_start) || '|'
      || concat_ws(' ', c.type, s.user_id, s.value, s.rank, s.position)
    from standing s join challenge c on c.id = s.challenge_id
    """

  /// Executes steps, each at a separate instant, and copies the boards after each step.
  private func copies(
    of gym: Gym, _ steps: inout ModelSteps, count: Int, seen: inout Set<String>
  ) async throws -> [Copy] {
    var copies: [Copy] = []
    for number in 1...count {
      let closed = try await gym.lines(
        """
        select distinct group_id || ' ' || week_start from challenge where state = 'closed' order by 1
        """
      ).map { $0.split(separator: " ").map(String.init) }
      let step = steps.next(closed: closed.map { (group: $0[0], monday: $0[1]) })
      let at = steps.now + Int64(number)
      try await gym.stand(atMicroseconds: at)
      // The places of a deleted account are no longer stored.
      let isErased = if case .erase = step { true } else { false }
      let answer = isErased ? "" : try await gym.take(step)
      if case .advance = step { try await gym.stand(atMicroseconds: at) }
      seen.insert("\(step.description.prefix { $0 != " " }) \(answer.prefix { $0 != " " })")
      try await gym.publishAll()
      var boards: [String: Set<String>] = [:]
      for line in try await gym.lines(Self.published) {
        let parts = ModelName.plain(line: line).split(separator: "|").map(String.init)
        boards[parts[0], default: []].insert(parts[1])
      }
      copies.append(Copy(at: at, boards: boards))
    }
    return copies
  }

  private func difference(
    _ expected: Set<String>, _ found: Set<String>, _ comment: String
  ) -> String? {
    guard found != expected else { return nil }
    return "\(comment): it showed \(expected.subtracting(found).sorted()), "
      + "not \(found.subtracting(expected).sorted())"
  }

  /// Returns the displayed rows of a week's boards at an instant, and the rows without stored data.
  private func places(_ kept: KeptWeek, at instant: Int64) -> (
    shown: Set<String>, derived: Set<String>
  ) {
    let shown = kept.places(at: instant).map {
      "\($0.type.rawValue) \(ModelName.plain($0.user)) \($0.value) \($0.rank) \($0.position)"
    }
    let derived = ChallengeType.allCases.flatMap { type -> [String] in
      let places = DerivedBoard(type, of: kept, at: instant)?.places ?? []
      return places.map {
        "\(type.rawValue) \(ModelName.plain($0.user)) \($0.value) \($0.rank) \($0.position)"
      }
    }
    return (Set(shown), Set(derived))
  }

  /// Returns the differences between a board of the week and its copy.
  private func differences(_ kept: KeptWeek, _ copies: [Copy]) -> [String] {
    let week = "\(kept.group) \(kept.weekStart)"
    var found: [String] = []
    for (index, copy) in copies.enumerated() {
      let expected = copy.boards[week] ?? []
      // The boards at that time, and immediately before the next step.
      let end = index + 1 < copies.count ? copies[index + 1].at - 1 : copy.at
      for at in [copy.at, end] {
        let (shown, derived) = places(kept, at: at)
        let other =
          difference(expected, shown, "\(week) at \(at)")
          ?? difference(expected, derived, "\(week) at \(at), derived")
        if let other { found.append(other) }
      }
    }
    return found
  }

  @Test(.sampled())
  func `each board is what it was at each time, whatever has happened since`() async throws {
    let random = Randomness()
    var seen: Set<String> = []
    var compared = 0
    for seed in random.seed..<(random.seed + (TestSize.isFull ? 40 : 2)) {
      var steps = ModelSteps(seed: seed)
      var settings = steps.settings
      settings.boardAge = ModelSettings().boardAge
      try await Gym.open(at: "2026-01-01") { gym in
        try await gym.setUp(for: settings, at: steps.now)
        let copies = try await copies(of: gym, &steps, count: 160, seen: &seen)
        try await gym.fold()
        for week in try await gym.lines(
          "select distinct group_id || ' ' || week_start from challenge order by 1")
        {
          let parts = week.split(separator: " ").map(String.init)
          let weeks = KeptWeeks(gym.connection, schema: gym.schema)
          let kept = try #require(try await weeks.week(of: parts[0], holding: parts[1]))
          let differences = differences(kept, copies).prefix(3)
          #expect(differences.isEmpty, "BATON_TEST_SEED=\(seed): \(differences)")
          compared += copies.count { !($0.boards[week] ?? []).isEmpty }
          guard kept.boards.allSatisfy({ $0.state == "open" }) else { continue }
          // Every current row has an explanation.
          for type in ChallengeType.allCases {
            for member in kept.members {
              let explanation = RankExplanation(of: member.user, on: type, in: kept)
              #expect(explanation?.differences == [], "BATON_TEST_SEED=\(seed)")
            }
          }
        }
      }
    }
    print("boards that were compared: \(compared), after \(seen.count) kinds of steps")
    #expect(compared > 100)
    for step in ["record accepted", "delete accepted", "leave ", "rejoin ", "share ", "close "] {
      #expect(seen.contains(step) || !TestSize.isFull, "\(step): \(seen.sorted())")
    }
  }

  @Test func `a week that was reopened twice is known as of each of its closes`() async throws {
    try await Gym.open(at: "2024-06-03 00:00") { gym in
      try await gym.found("bob")
      try await gym.stand(at: "2024-06-05 12:00")
      try await gym.record("1", at: "2024-06-05 09:00")
      try await gym.stand(at: "2024-06-10 01:00")
      try await gym.close()
      try await gym.stand(at: "2024-06-10 02:00")
      try await gym.record("late", by: "bob", at: "2024-06-06 09:00")
      try await gym.stand(at: "2024-06-11 00:00")
      try await gym.run("select reopen_week('g', '2024-06-03', 'one', '1 hour')")
      try await gym.stand(at: "2024-06-12 00:00")
      try await gym.close()
      try await gym.stand(at: "2024-06-13 00:00")
      try await gym.run("select reopen_week('g', '2024-06-03', 'two', '1 hour')")
      try await gym.delete("1")
      let weeks = KeptWeeks(gym.connection, schema: gym.schema)
      let kept = try #require(try await weeks.week(of: "g", holding: "2024-06-03"))
      for (day, hour, users) in [
        (5, 0, []), (5, 12, ["ann"]), (10, 12, ["ann"]), (11, 0, ["ann", "bob"]),
        (12, 12, ["ann", "bob"]), (13, 0, ["bob"]),
      ] as [(Int64, Int64, [String])] {
        let at = (kept.week.start + (day - 3) * 86_400 + hour * 3_600) * 1_000_000
        let shown = kept.places(at: at).filter { $0.type == .checkIns }.map(\.user)
        #expect(shown == users, "\(day) June, \(hour):00")
      }
    }
  }

  @Test(.sampled())
  func `of a streak whose beginning is not read, or not there any more, a day says the rest`()
    async throws
  {
    try await Gym.open(at: "2024-01-01 00:00") { gym in
      try await gym.found()
      let first = try #require(Week(monday: "2024-01-01")).startDay + 1
      for day in first..<(first + 110) {
        let at = "\(CivilDate.text(ofDay: day)) 09:00"
        try await gym.stand(at: at)
        try await gym.record("\(day)", at: at)
        try await gym.close()
      }
      let weeks = KeptWeeks(gym.connection, schema: gym.schema)
      let now = try #require(try await weeks.week(of: "g"))
      #expect(now.weekStart == "2024-04-15")
      #expect(now.places(at: now.now).map(\.value) == [6, 110])
      let explanation = RankExplanation(of: "ann", on: .streak, in: now)
      #expect(explanation?.streak.map { $0.dates.count + $0.earlier } == 110)
      #expect(explanation?.streak?.earlier == 19)
      #expect(explanation?.streak?.dates.last == "2024-04-20")

      // A Wednesday at noon, before and after the ledger deleted workouts that no call can reach.
      let noon = (try #require(Week(monday: "2024-01-29")).start + 60 * 3600) * 1_000_000
      for removes in [false, true] {
        if removes {
          try await gym.withoutTriggers("delete from challenge where week_start < '2024-01-15'")
          try await gym.run("delete from workout where local_date < '2024-01-15'")
        }
        let then = try #require(try await weeks.week(of: "g", holding: "2024-01-31"))
        #expect(then.places(at: noon).map(\.value) == [3, 30], "\(removes)")
      }
    }
  }
}
