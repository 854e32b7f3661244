import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesServer
import TestSupport
import Testing

/// Rules 23 and 27: workouts, edits and deletions may arrive in any order that leaves the answers
/// equal.
///
/// Between the same switches and closed weeks, all these orders create the same boards, which equal
/// the model's boards.
@Suite(.serialized, .timeLimit(.minutes(10)), .bothWaysAtFullSize)
struct EditConfluenceTests {
  private static let sets = 30
  private static let orders = 4

  /// Executes one round of a set in all orders, and returns the answers and the resulting boards.
  private func take(
    _ round: EditRound, _ set: Int, in gym: Gym, _ model: inout ChallengeModel,
    _ others: [Connection], using generator: inout SeededGenerator
  ) async throws {
    let expected = round.answers(by: "\(set)-0", of: model)
    for order in 0..<Self.orders {
      let user = "\(set)-\(order)"
      var changes = order == 0 ? round.inTurn : round.shuffledByWorkout(using: &generator)
      if order == 2 {
        let anyhow = changes.shuffled(using: &generator)
        if round.answers(to: anyhow, by: user, of: model) == expected { changes = anyhow }
      }
      let found =
        order == 3
        ? try await concurrently(round, by: user, in: gym, others)
        : try await inOrder(changes, by: user, in: gym)
      #expect(found == expected, "set \(set), order \(order)")
      for change in changes { _ = change.made(by: user, in: &model) }
    }
  }

  private func inOrder(_ changes: [EditChange], by user: String, in gym: Gym) async throws
    -> [EditChange: String]
  {
    var answers: [EditChange: String] = [:]
    for change in changes {
      answers[change] = try await gym.connection.atomically(
        in: gym.schema, change.call(by: user))
    }
    return answers
  }

  /// Every connection executes the changes of its workouts at the same time.
  private func concurrently(
    _ round: EditRound, by user: String, in gym: Gym, _ connections: [Connection]
  ) async throws -> [EditChange: String] {
    try await withThrowingTaskGroup(of: [EditChange: String].self) { group in
      for (index, connection) in connections.enumerated() {
        let share = round.chains.enumerated().filter { $0.offset % connections.count == index }
        group.addTask {
          var answers: [EditChange: String] = [:]
          for change in share.flatMap(\.element) {
            answers[change] = try await connection.atomically(
              in: gym.schema, change.call(by: user))
          }
          return answers
        }
      }
      return try await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
  }

  /// Returns a user's entries in the database or the model, without user, group and time of
  /// writing.
  ///
  /// For a value of 0, which no board displays, the time depends on the order and is left out.
  private func entries(_ lines: [String], of user: String) -> [String] {
    lines.filter { $0.hasPrefix(user + " ") }.compactMap { line in
      let words = line.split(separator: " ")
      return words[4] == "0"
        ? nil : (words[1...2] + words[4...6] + words[8...]).joined(separator: " ")
    }.sorted()
  }

  private func compare(_ set: Int, in gym: Gym, _ model: ChallengeModel) async throws {
    let found = try await gym.lines(
      """
      select concat_ws(' ', c.group_id, c.week_start, c.type, e.user_id, e.value,
        (extract(epoch from e.reached_at) * 1000000)::bigint,
        (extract(epoch from e.joined_at) * 1000000)::bigint, '-', e.hidden::text)
      from entry e join challenge c on c.id = e.challenge_id where e.user_id like '\(set)-%'
      """)
    let base = entries(model.entries, of: "\(set)-0")
    for order in 0..<Self.orders {
      #expect(entries(found, of: "\(set)-\(order)") == base, "set \(set), order \(order)")
    }
  }

  @Test(.sampled()) func `boards do not depend on the order of edits and deletions`()
    async throws
  {
    let random = Randomness()
    var generator = random.generator
    var seen: Set<String> = []
    var settings = ModelSettings()
    settings.limit = [0, 1].randomElement(using: &generator) ?? 0
    settings.streak = ["peak", "lastRun", "weekOnly"].randomElement(using: &generator) ?? ""
    try await Gym.open(at: "2000-01-01") { gym in
      try await gym.run(
        """
        update setting set max_checkins_per_day = \(settings.limit),
          streak_policy = '\(settings.streak)'
        """)
      var others: [Connection] = []
      for _ in 0..<3 { others.append(try await gym.test.connect()) }
      for set in 0..<Self.sets {
        var script = EditScript(set: set)
        var model = ChallengeModel(at: 0, settings)
        for order in 0..<Self.orders {
          try await gym.join("\(set)-\(order)", "\(set)-\(order)", at: "1970-01-01")
          model.join("\(set)-\(order)", "\(set)-\(order)", at: 0)
        }
        for _ in 0..<4 {
          let round = script.round(using: &generator)
          try await gym.connection.atomically(
            in: gym.schema,
            .run(
              Statement("test/clock", "update development set clock = $1"),
              Timestamp(microseconds: round.clock)))
          model.advance(to: round.clock)
          seen.formUnion(round.answers(by: "\(set)-0", of: model).values)
          try await take(round, set, in: gym, &model, others, using: &generator)
          try await end(round, set, in: gym, &model)
          try await compare(set, in: gym, model)
        }
      }
      for other in others { await other.close() }
    }
    let words = Set(seen.map { $0.split(separator: " ")[0] })
    // If no change is refused or late, the order hardly matters.
    #expect(words.isSuperset(of: ["accepted", "acceptedLate", "rejected"]), "\(random) \(seen)")
  }

  /// Executes the switch, the leaving or joining, and the closing after a round, for all orders.
  private func end(
    _ round: EditRound, _ set: Int, in gym: Gym, _ model: inout ChallengeModel
  ) async throws {
    if round.closes {
      while try await gym.close().closed > 0 {}
      model.close()
    }
    for user in (0..<Self.orders).map({ "\(set)-\($0)" }) {
      if let shares = round.shares {
        try await gym.run("select update_privacy_settings('\(user)', \(shares))")
        model.share(user, shares)
      }
      if let isMember = round.isMember {
        try await gym.run(
          """
          update member set left_at = \(isMember ? "null" : "domain_now()") where user_id = '\(user)'
          """)
        if isMember { model.rejoin(user, user) } else { model.leave(user) }
      }
    }
  }
}
