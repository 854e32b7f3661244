import BatonPostgres
import TestSupport

/// A change of the ledger, without its user.
enum EditChange: Hashable, Sendable {
  case record(workout: String, revision: Int, time: Int64, offset: Int)
  case delete(workout: String, revision: Int)

  private func key(_ user: String, _ workout: String) -> ModelCall.Key {
    ModelCall.Key(user: user, workout: workout)
  }

  /// Returns the change as a call by a user.
  func call(by user: String) -> Call<String> {
    switch self {
    case .record(let workout, let revision, let time, let offset):
      .model(
        ModelCall(key: key(user, workout), time: time, offset: offset, revision: revision))
    case .delete(let workout, let revision):
      .model(ModelDeletion(key: key(user, workout), revision: revision))
    }
  }

  /// Executes the change in the model, and returns the answer.
  func made(by user: String, in model: inout ChallengeModel) -> String {
    switch self {
    case .record(let workout, let revision, let time, let offset):
      let call = ModelCall(
        key: key(user, workout), time: time, offset: offset, revision: revision)
      return "\(model.record(call))"
    case .delete(let workout, let revision):
      return "\(model.delete(ModelDeletion(key: key(user, workout), revision: revision)))"
    }
  }
}

/// Changes at one instant, and the events after them.
struct EditRound: Sendable {
  let clock: Int64
  /// The changes of each workout, in the order of their revisions.
  let chains: [[EditChange]]
  /// Whether sharing is switched on or off, or nil if it is not switched.
  let shares: Bool?
  /// Whether the member joins or leaves the group, or nil for neither.
  let isMember: Bool?
  let closes: Bool

  var inTurn: [EditChange] { chains.flatMap(\.self) }

  /// Returns the changes in a random order that preserves the order of each workout's changes.
  func shuffledByWorkout(using generator: inout SeededGenerator) -> [EditChange] {
    var turns = chains.enumerated().flatMap { index, chain in chain.map { _ in index } }
    turns.shuffle(using: &generator)
    var rest = chains.map { $0.makeIterator() }
    return turns.compactMap { rest[$0].next() }
  }

  /// Returns the model's answers to changes in the given order, or workout by workout.
  func answers(
    to changes: [EditChange]? = nil, by user: String, of model: ChallengeModel
  ) -> [EditChange: String] {
    var model = model
    return Dictionary(
      (changes ?? inTurn).map { ($0, $0.made(by: user, in: &model)) },
      uniquingKeysWith: { first, _ in first })
  }
}

/// Creates rounds at the boundary of a week, in which workouts are recorded, edited and deleted.
struct EditScript {
  private static let day: Int64 = 86_400_000_000
  private static let hour: Int64 = 3_600_000_000

  private var clock: Int64
  private let edge: Int64
  private var revisions: [String: Int] = [:]
  private var shares = true
  private var isMember = true

  init(set: Int) {
    // Monday, 2020-01-06, and every fourth Monday after it.
    edge = 1_578_268_800_000_000 + Int64(set) * 28 * Self.day
    clock = edge - 2 * Self.day
  }

  mutating func round(using generator: inout SeededGenerator) -> EditRound {
    clock += Int64.random(in: 1...(40 * Self.hour), using: &generator)
    var workouts = Set(revisions.keys.shuffled(using: &generator).prefix(3)).sorted()
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      workouts.append("w\(revisions.count)")
      revisions["w\(revisions.count)"] = -1
    }
    let chains = workouts.map { chain(of: $0, using: &generator) }
    let switches = Int.random(in: 0..<3, using: &generator) == 0
    if switches { shares.toggle() }
    // A member who left joins again in the next round.
    let moves = !isMember || Int.random(in: 0..<5, using: &generator) == 0
    if moves { isMember.toggle() }
    return EditRound(
      clock: clock, chains: chains, shares: switches ? shares : nil,
      isMember: moves ? isMember : nil,
      closes: Bool.random(using: &generator))
  }

  private mutating func chain(of workout: String, using generator: inout SeededGenerator)
    -> [EditChange]
  {
    var chain: [EditChange] = []
    let isNew = revisions[workout] == -1
    for number in 0..<Int.random(in: 1...3, using: &generator) {
      let revision = (revisions[workout] ?? -1) + 1
      revisions[workout] = revision
      if !(isNew && number == 0), Int.random(in: 0..<3, using: &generator) == 0 {
        chain.append(.delete(workout: workout, revision: revision))
      } else {
        chain.append(
          .record(
            workout: workout, revision: revision, time: instant(using: &generator),
            offset: Int.random(in: -12...14, using: &generator) * 3600))
      }
    }
    return chain
  }

  private func instant(using generator: inout SeededGenerator) -> Int64 {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: edge + Int64.random(in: -3...3, using: &generator)
    case 1: edge + Int64.random(in: -15...15, using: &generator) * Self.hour
    case 2: clock - Int64.random(in: 0...(3 * Self.day), using: &generator)
    default: clock - Int64.random(in: -300_000_000...(7 * Self.day), using: &generator)
    }
  }
}
