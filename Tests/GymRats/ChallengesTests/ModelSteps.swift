import TestSupport

/// The next step for both the database and the model.
enum ModelStep: CustomStringConvertible {
  case record(ModelCall)
  case delete(ModelDeletion)
  case advance(to: Int64)
  case publish, publishAndTell, close, purge
  case reopen(group: String, monday: String, seconds: Int64)
  case read(String)
  case share(String, Bool)
  case mute(String, Bool)
  case join(String, group: String, at: Int64, zone: String?)
  case move(String, group: String)
  case leave(String)
  case rejoin(String, group: String)
  /// The account is deleted.
  case erase(String)

  var description: String {
    switch self {
    case .record(let call):
      let time = call.time.map { "\($0)" } ?? "now"
      let offset = call.offset.map { "\($0)" } ?? "-"
      return "record \(call.key.user) \(call.key.workout) r\(call.revision) \(time) \(offset)"
    case .delete(let deletion):
      let revision = deletion.revision.map { "r\($0)" } ?? "-"
      return "delete \(deletion.key.user) \(deletion.key.workout) \(revision)"
    case .advance(let time): return "clock \(time)"
    case .publish: return "publish"
    case .publishAndTell: return "publish and tell"
    case .close: return "close"
    case .purge: return "purge"
    case .reopen(let group, let monday, let seconds):
      return "reopen \(group) \(monday) \(seconds) s"
    case .read(let user): return "read \(user)"
    case .share(let user, let shares): return "share \(user) \(shares)"
    case .mute(let user, let isMuted): return "mute \(user) \(isMuted)"
    case .join(let user, let group, let time, let zone):
      return "join \(user) \(group) \(time) \(zone ?? "-")"
    case .move(let user, let group): return "move \(user) \(group)"
    case .leave(let user): return "leave \(user)"
    case .rejoin(let user, let group): return "rejoin \(user) \(group)"
    case .erase(let user): return "erase \(user)"
    }
  }
}

/// Creates random steps from a seed.
///
/// Many steps are close to boundaries of weeks, dates, ages and limits.
struct ModelSteps {
  private static let day: Int64 = 86_400_000_000
  private static let hour: Int64 = 3_600_000_000
  private static let zones = [
    nil, nil, "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati", "Europe/Athens",
  ]

  private var generator: SeededGenerator
  /// Whether most workouts are at the boundary of two weeks, on one local date in both weeks.
  private let isAtEdge: Bool
  let settings: ModelSettings
  private(set) var now: Int64
  private var users: [String] = []
  private var joined = 0
  private var groupsOf: [String: Set<String>] = [:]
  private var groupNow: [String: String] = [:]
  private var leftGroup: [String: String] = [:]
  private var calls: [ModelCall] = []
  private var deletions: [ModelDeletion] = []
  private var revisions: [ModelCall.Key: Int] = [:]

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    isAtEdge = Bool.random(using: &generator)
    var settings = ModelSettings()
    settings.limit = [0, 1, 1, 2].randomElement(using: &generator) ?? 0
    settings.grace = [0, 600_000_000, 12 * Self.hour].randomElement(using: &generator) ?? 0
    settings.ranks = ["competition", "unique", "dense"].randomElement(using: &generator) ?? ""
    settings.streak =
      ["peak", "peak", "lastRun", "weekOnly"].randomElement(using: &generator) ?? ""
    settings.cooldown = [0, 0, Self.hour].randomElement(using: &generator) ?? 0
    settings.dailyCap = [0, 0, 1, 2].randomElement(using: &generator) ?? 0
    settings.boardAge = [90, 20, 7].randomElement(using: &generator).map { $0 * Self.day } ?? 0
    self.settings = settings
    // Monday, 2026-02-23, and any time of its week. Two weeks later, clocks change in New York.
    now = 1_771_804_800_000_000 + Int64.random(in: 0..<(7 * Self.day), using: &generator)
  }

  private mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
    .random(in: range, using: &generator)
  }

  private mutating func any<C: Collection>(_ items: C) -> C.Element? {
    items.randomElement(using: &generator)
  }

  /// Returns the next step.
  ///
  /// - Parameter closed: the weeks that can be reopened.
  mutating func next(closed: [(group: String, monday: String)]) -> ModelStep {
    guard users.count >= 2, let user = any(users) else { return join() }
    switch number(0...99) {
    case 0..<51: return .record(call(of: user))
    case 51..<57: return deletion(of: user)
    case 57..<71:
      now += advance()
      return .advance(to: now)
    case 71..<75: return .publish
    case 75..<82: return .publishAndTell
    case 82..<87: return .close
    case 87..<88: return .purge
    case 88..<90:
      guard let week = any(closed) else { return .publish }
      return .reopen(group: week.group, monday: week.monday, seconds: number(1...200_000))
    case 90..<93: return .read(user)
    case 93..<96: return .share(user, number(0...1) > 0)
    case 96: return .mute(user, number(0...1) == 0)
    case 97, 98: return leaveOrMove(user)
    default: return users.count < 5 ? join() : number(0...2) == 0 ? erase(user) : .publish
    }
  }

  // MARK: People

  private mutating func join() -> ModelStep {
    let user = "u\(joined)"
    joined += 1
    users.append(user)
    let group = number(0...4) == 0 ? "h" : "g"
    groupsOf[user] = [group]
    groupNow[user] = group
    let joinedAt = now - (number(0...2) == 0 ? number(0...(3 * Self.day)) : 30 * Self.day)
    return .join(user, group: group, at: joinedAt, zone: any(Self.zones) ?? nil)
  }

  private mutating func leaveOrMove(_ user: String) -> ModelStep {
    guard let old = groupNow[user] else {
      groupNow[user] = leftGroup[user]
      return .rejoin(user, group: leftGroup[user] ?? "g")
    }
    if number(0...1) == 0, let group = any(["g", "h", "i"]),
      groupsOf[user]?.insert(group).inserted == true
    {
      groupNow[user] = group
      return .move(user, group: group)
    }
    (groupNow[user], leftGroup[user]) = (nil, old)
    return .leave(user)
  }

  /// Deletes an account, unless its group would end with it.
  private mutating func erase(_ user: String) -> ModelStep {
    if let group = groupNow[user], groupNow.values.filter({ $0 == group }).count < 2 {
      return .publish
    }
    users.removeAll { $0 == user }
    groupNow[user] = nil
    calls.removeAll { $0.key.user == user }
    deletions.removeAll { $0.key.user == user }
    return .erase(user)
  }

  // MARK: Time

  private mutating func advance() -> Int64 {
    switch number(0...9) {
    case 0: return number(1...3)
    case 1, 2: return number(1...(30 * 60)) * 1_000_000
    case 3, 4, 5: return number(0...Self.hour * 10)
    case 6, 7: return number(0...Self.day * 2)
    case 8:
      // The time at which a week closes.
      let end = (now / (7 * Self.day) + 1) * 7 * Self.day - 3 * Self.day + settings.grace
      let next = end + number(-2...2)
      return next > now ? next - now : next + 7 * Self.day - now
    default: return number(0...3) == 0 ? number(0...(20 * Self.day)) : 7 * Self.day + number(-2...2)
    }
  }

  private mutating func instant(near user: String) -> Int64? {
    let monday = (now + 3 * Self.day) / (7 * Self.day) * 7 * Self.day - 3 * Self.day
    if isAtEdge, number(0...4) < 4 { return monday + number(-8...8) * Self.hour }
    switch number(0...15) {
    case 0: return nil
    case 1...5: return now - number(0...(2 * Self.day))
    case 6, 7: return now - number(0...(7 * Self.day))
    case 8: return monday + number(-2...2)
    case 9: return monday + number(-15...15) * Self.hour
    case 10: return now - 7 * Self.day + number(-2...2)
    case 11: return now + number(0...600) * 1_000_000
    case 12: return now - number(6...9) * Self.day
    case 13: return now - 90 * Self.day + number(-2...2)
    default:
      // The distance to another workout is about the length of a bridge, one day, or arbitrary.
      let others = calls.suffix(40).filter { $0.key.user == user }.compactMap(\.time)
      guard let other = any(others) else { return now }
      return other + (any([24, 30, 48, 0, -24, -30]) ?? 0) * Self.hour + number(-2...2)
    }
  }

  private mutating func offset() -> Int? {
    // With this offset, the eight hours around the boundary are on one local date.
    if isAtEdge, number(0...9) < 8 { return 32_400 }
    switch number(0...19) {
    case 0: return Int(number(50_401...60_000))
    case 1...8: return Int(number(-48...56)) * 900
    case 9: return number(0...1) == 0 ? -43_200 : 50_400
    default: return nil
    }
  }

  // MARK: Calls

  private mutating func call(of user: String) -> ModelCall {
    let call: ModelCall
    let kind = number(0...99)
    let earlier = calls.suffix(60)
    if kind < 45 || earlier.isEmpty {
      let key = ModelCall.Key(user: user, workout: "w\(calls.count)")
      call = ModelCall(
        key: key, time: instant(near: user), offset: offset(), revision: kind == 0 ? 2 : 0)
    } else if kind < 58 {
      // A retry of any call, including a refused or superseded call.
      call = any(earlier) ?? calls[0]
    } else {
      let old = any(earlier) ?? calls[0]
      let revision = revisions[old.key] ?? 0
      let edited = kind < 64 ? revision : kind < 68 ? max(0, revision - 1) : revision + 1
      call = ModelCall(
        key: old.key, time: instant(near: old.key.user), offset: offset(), revision: edited)
    }
    calls.append(call)
    revisions[call.key] = max(call.revision, revisions[call.key] ?? 0)
    return call
  }

  /// Returns a deletion of any workout, with the next revision, no revision, or an older revision.
  private mutating func deletion(of user: String) -> ModelStep {
    guard let key = any(calls.suffix(60))?.key else { return .record(call(of: user)) }
    let revision = revisions[key] ?? 0
    var deletion = ModelDeletion(key: key, revision: nil)
    switch number(0...9) {
    case 0: deletion.revision = max(0, revision - 1)
    case 1: deletion.revision = revision
    case 2, 3, 4: deletion = any(deletions.suffix(20)) ?? deletion
    case 5, 6: revisions[key] = revision + 1
    default:
      revisions[key] = revision + 1
      deletion.revision = revision + 1
    }
    deletions.append(deletion)
    return .delete(deletion)
  }
}
