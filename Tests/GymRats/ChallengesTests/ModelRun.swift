import BatonPostgres
import ChallengesPostgres
import TestSupport

/// The result of one seed.
struct ModelResult: Sendable {
  let seed: UInt64
  let seen: [String: Int]
  let difference: String?
  /// The number of workers that were killed during their work.
  let kills: Int
}

/// The steps of one seed, on a database and on the model.
struct ModelRun {
  let gym: Gym
  var model: ChallengeModel
  var steps: ModelSteps
  var log: [String] = []
  var seen: [String: Int] = [:]
  var difference: String?
  /// The workers that publish and close boards, or nil.
  ///
  /// Workers may notify members of intermediate ranks.
  var workers: DyingWorkers?

  /// Executes the steps of a seed until the results differ.
  ///
  /// - Parameter isKilled: whether workers publish and close boards, and are killed during this
  ///   work.
  static func run(
    seed: UInt64, steps count: Int, isKilled: Bool = false
  ) async throws -> ModelResult {
    let steps = ModelSteps(seed: seed)
    return try await Gym.open(at: "2026-01-01") { gym in
      var run = ModelRun(
        gym: gym, model: ChallengeModel(at: steps.now, steps.settings), steps: steps)
      try await gym.setUp(for: steps.settings, at: steps.now)
      if isKilled {
        run.workers = DyingWorkers(gym: gym, seed: seed)
        try await run.workers?.prepare()
      }
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
        difference: run.difference, kills: run.workers?.kills ?? 0)
    }
  }

  // MARK: Steps

  private mutating func take(_ step: ModelStep) async throws {
    let word = step.description.prefix { $0 != " " }
    if word != "record", word != "delete" { seen[String(word), default: 0] += 1 }
    if workers != nil, try await isWorked(step) { return }
    let before = try await versions(around: step)
    let answer = try await gym.take(step)
    try await compare(before, with: try await versions(around: step))
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
    case .erase(let user): model.erase(user)
    }
  }

  /// Lets the workers execute a step, if it is a step of workers.
  ///
  /// If the clock advances, the workers have work before the next call.
  private mutating func isWorked(_ step: ModelStep) async throws -> Bool {
    switch step {
    case .publish, .publishAndTell, .close: break
    case .advance(let time):
      _ = try await gym.take(step)
      model.advance(to: time)
    default: return false
    }
    try await workers?.work()
    model.publish()
    model.close()
    return true
  }

  private mutating func note(_ found: String, _ expected: ModelAnswer, as kind: String = "") {
    let word = [expected.outcome, expected.reason].compactMap(\.self).joined(separator: " ")
    seen[kind + (expected.isAgain ? "answered again" : word), default: 0] += 1
    log[log.count - 1] += " -> \(expected)"
    if found != "\(expected)" { difference = "answered '\(found)', the rules say '\(expected)'" }
  }

  // MARK: Versions

  /// Returns the displayed rows and the version of each board.
  ///
  /// Workouts are skipped, because they change no displayed board.
  private func versions(around step: ModelStep) async throws -> [String: (Substring, Substring)] {
    switch step {
    case .record, .delete, .advance: return [:]
    default:
      let lines = try await gym.lines(
        """
        select concat_ws(' ', v.challenge_id, v.rank_version, md5(string_agg(concat_ws('/', s.user_id,
          s.display_name, s.photo_url, s.value, s.rank, s.position, s.last_updated), ','
          order by s.position)))
        from board_version v left join standing s using (challenge_id) group by v.challenge_id
        """)
      return Dictionary(
        uniqueKeysWithValues: lines.map { line in
          let parts = line.split(separator: " ")
          return (String(parts[0]), (parts[1], parts.count > 2 ? parts[2] : ""))
        })
    }
  }

  /// Rule 52: the version of a board changes exactly if its displayed rows change.
  private mutating func compare(
    _ before: [String: (Substring, Substring)], with after: [String: (Substring, Substring)]
  ) async throws {
    for (board, old) in before {
      guard let new = after[board], (old.0 == new.0) != (old.1 == new.1) else { continue }
      difference = "board \(board) went from \(old) to \(new)"
    }
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
      var (found, expected) = (
        try await gym.lines(query).map { ModelName.plain(line: $0) }.sorted(), expected
      )
      if workers != nil {
        found.removeAll { $0.hasPrefix("rank_change ") }
        expected.removeAll { $0.hasPrefix("rank_change ") }
      }
      guard found != expected else { continue }
      let (missing, extra) = (Set(expected).subtracting(found), Set(found).subtracting(expected))
      difference = "the rules say \(missing.sorted()), the database \(extra.sorted())"
      return
    }
    // Rule 55: closed and open boards must follow from the ledger.
    let drift = try await gym.drift()
    if !drift.isEmpty { difference = "verify finds drift where there is none: \(drift)" }
  }
}
