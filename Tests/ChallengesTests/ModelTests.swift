import Foundation
import TestSupport
import Testing

private let seeds =
  ProcessInfo.processInfo.environment["BATON_MODEL_SEEDS"].flatMap { Int($0) } ?? 4

/// Thousands of calls, closes, reopenings and notifications against what the rules say of them.
///
/// A few seeds by default; `BATON_MODEL_SEEDS` for more. The first one is `BATON_TEST_SEED`, or printed.
@Suite(.serialized, .timeLimit(.minutes(8 + seeds / 5)))
struct ModelTests {
  private static let steps = 160

  /// What has to have happened: a model that is asked nothing agrees with everything.
  private static let things = [
    "accepted", "acceptedLate", "duplicate", "answered again", "rejected weekClosed", "close",
    "reopen", "rank_change", "week_ended", "share", "ignoredPrivacy", "deletion accepted",
    "leave", "rejoin", "deletion rejected weekClosed", "deletion answered again",
  ]

  @Test func `the database does what the rules say`() async throws {
    let first = Randomness().seed
    var seen = try await run(first..<(first + UInt64(seeds)))
    // What is rare may be missing from a few seeds, and from twenty; a hundred have it.
    var next = first + UInt64(seeds)
    while seeds >= 4, Self.things.contains(where: { seen[$0] == nil }), next < first + 100 {
      seen.merge(try await run(next..<next + 2), uniquingKeysWith: +)
      next += 2
    }
    let list = seen.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    print("answers of the model: \(list.joined(separator: ", "))")
    for thing in Self.things { #expect(seen[thing, default: 0] > 0 || seeds < 4, "\(thing)") }
  }

  /// How often what happened, of seeds up to one that differs from the model.
  private func run(_ numbers: Range<UInt64>) async throws -> [String: Int] {
    var seen: [String: Int] = [:]
    // One for each core; the rest waits for its turn.
    try await withThrowingTaskGroup(of: ModelResult.self) { group in
      var waiting = numbers.makeIterator()
      let begin = { (seed: UInt64) in
        group.addTask { try await ModelRun.run(seed: seed, steps: Self.steps) }
      }
      for _ in 0..<2 { waiting.next().map(begin) }
      for try await result in group {
        seen.merge(result.seen, uniquingKeysWith: +)
        if let difference = result.difference {
          Issue.record("BATON_TEST_SEED=\(result.seed): \(difference)")
          break
        }
        waiting.next().map(begin)
      }
    }
    return seen
  }
}

/// What came of one seed.
private struct ModelResult: Sendable {
  let seed: UInt64
  let seen: [String: Int]
  let difference: String?
}

/// One seed's steps, on a database and on the model.
private struct ModelRun {
  let gym: Gym
  var model: ChallengeModel
  var steps: ModelSteps
  var log: [String] = []
  var seen: [String: Int] = [:]
  var difference: String?

  static func run(seed: UInt64, steps count: Int) async throws -> ModelResult {
    let steps = ModelSteps(seed: seed)
    return try await Gym.open(at: "2026-01-01") { gym in
      var run = ModelRun(
        gym: gym, model: ChallengeModel(at: steps.now, steps.settings), steps: steps)
      try await gym.setUp(for: steps.settings, at: steps.now)
      for number in 1...count where run.difference == nil {
        let step = run.steps.next(closed: run.model.closedWeeks)
        run.log.append("\(number) \(step)")
        try await run.take(step)
        if number % 6 == 0 || number == count { try await run.compare() }
      }
      if let difference = run.difference {
        run.difference = difference + "\n" + run.log.suffix(60).joined(separator: "\n")
      }
      return ModelResult(
        seed: seed, seen: run.seen.merging(run.model.told, uniquingKeysWith: +),
        difference: run.difference)
    }
  }

  // MARK: Steps

  private mutating func take(_ step: ModelStep) async throws {
    let word = step.description.prefix { $0 != " " }
    if word != "record", word != "delete" { seen[String(word), default: 0] += 1 }
    let answer = try await gym.take(step)
    switch step {
    case .record(let call): note(answer, model.record(call))
    case .delete(let deletion): note(answer, model.delete(deletion), as: "deletion ")
    case .advance(let time): model.advance(to: time)
    case .publish: model.publish()
    case .publishAndTell:
      model.publish()
      model.tell()
    case .close: model.close()
    case .purge: model.purge()
    case .reopen(let group, let monday, let seconds):
      model.reopen(group, monday, for: seconds * 1_000_000)
    case .read(let user): model.read(user)
    case .share(let user, let shares): model.share(user, shares)
    case .mute(let user, let isMuted): model.mute(user, isMuted)
    case .join(let user, let group, let time, let zone):
      model.join(user, group, at: time, zone: zone)
    case .move(let user, let group): model.join(user, group, at: model.now)
    case .leave(let user): model.leave(user)
    case .rejoin(let user, let group): model.rejoin(user, group)
    }
  }

  private mutating func note(_ found: String, _ expected: ModelAnswer, as kind: String = "") {
    let word = [expected.outcome, expected.reason].compactMap(\.self).joined(separator: " ")
    seen[kind + (expected.isAgain ? "answered again" : word), default: 0] += 1
    log[log.count - 1] += " -> \(expected)"
    if found != "\(expected)" { difference = "answered '\(found)', the rules say '\(expected)'" }
  }

  // MARK: Tables

  private static let boards =
    "select distinct concat_ws(' ', group_id, week_start, state) from challenge"
  private static let entries =
    """
    select concat_ws(' ', c.group_id, c.week_start, c.type, e.user_id, e.value,
      (extract(epoch from e.reached_at) * 1000000)::bigint,
      (extract(epoch from e.joined_at) * 1000000)::bigint,
      (extract(epoch from e.last_updated) * 1000000)::bigint, e.hidden::text)
    from entry e join challenge c on c.id = e.challenge_id
    """
  private static let standings =
    """
    select concat_ws(' ', group_id, week_start, type, user_id, value, rank, position)
    from leaderboard
    """
  private static let notifications =
    """
    select concat_ws(' ', n.type, n.user_id, n.group_id,
      coalesce(n.week_start::text, n.content ->> 'week_start'),
      coalesce(n.content ->> 'challenge', array_to_string(n.scores, ',', '-')),
      coalesce(n.content ->> 'from', '0'), coalesce(n.content ->> 'to', '0'),
      (extract(epoch from n.created_at) * 1000000)::bigint,
      (extract(epoch from n.changed_at) * 1000000)::bigint, n.is_read::text)
    from notification n join visible_notification v using (partition, created_at, id)
    """

  private mutating func compare() async throws {
    guard difference == nil else { return }
    for (query, expected) in [
      (Self.boards, model.states), (Self.entries, model.entries),
      (Self.standings, model.standings), (Self.notifications, model.visibleNotifications),
    ] {
      let found = try await gym.lines(query).sorted()
      guard found != expected else { continue }
      let (missing, extra) = (Set(expected).subtracting(found), Set(found).subtracting(expected))
      difference = "the rules say \(missing.sorted()), the database \(extra.sorted())"
      return
    }
  }
}
