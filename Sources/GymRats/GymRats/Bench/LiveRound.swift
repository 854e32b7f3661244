import Bench
import Challenges
import Synchronization

/// The writes, published versions and received snapshots in one round of the `live` benchmark.
final class LiveRound: Sendable {
  /// A user who records workouts, with the user's value on the check-in board at the start of the
  /// round.
  struct Writer: Sendable {
    let user: String
    let group: String
    let value: Int
  }

  /// A version of a group's board, and the time when it was published.
  struct Publish: Sendable {
    let group: String
    let version: Int64
    let at: ContinuousClock.Instant
  }

  /// The snapshots that one observer received.
  struct Observed: Sendable {
    let group: String
    var arrivals: [(snapshot: LeaderboardSnapshot, at: ContinuousClock.Instant)] = []

    /// Returns the time when the observer received the given version or a newer one.
    func arrival(of version: Int64) -> ContinuousClock.Instant? {
      arrivals.first { $0.snapshot.rankVersion >= version }?.at
    }
  }

  private struct Write {
    let user: String
    let value: Int
    let at: ContinuousClock.Instant
  }

  private struct State {
    var values: [String: Int]
    var writes: [String: [Write]] = [:]
    var begun = 0
    var lastArrival = ContinuousClock.now
    var observed: [Observed] = []
  }

  let users: [String]
  private let groups: [String: String]
  private let state: Mutex<State>

  init(_ writers: [Writer]) {
    users = writers.map(\.user)
    groups = Dictionary(writers.map { ($0.user, $0.group) }) { first, _ in first }
    state = Mutex(
      State(values: Dictionary(writers.map { ($0.user, $0.value) }) { first, _ in first }))
  }

  /// Records that a workout of the user was committed, which increases the user's value by one.
  func wrote(_ user: String) {
    let at = ContinuousClock.now
    state.withLock { state in
      let value = state.values[user, default: 0] + 1
      state.values[user] = value
      state.writes[groups[user] ?? "", default: []].append(Write(user: user, value: value, at: at))
    }
  }

  // MARK: Observing

  /// Reads a stream until the task is cancelled.
  func observe(_ group: String, _ stream: AsyncStream<LeaderboardSnapshot>) async -> Observed {
    var observed = Observed(group: group)
    for await snapshot in stream {
      let at = ContinuousClock.now
      state.withLock { state in
        state.lastArrival = at
        if observed.arrivals.isEmpty { state.begun += 1 }
      }
      observed.arrivals.append((snapshot, at))
    }
    return observed
  }

  /// Waits until the given number of observers have received their first snapshot.
  func begun(by observers: Int) async throws {
    let giveUp = ContinuousClock.now + .seconds(60)
    while state.withLock({ $0.begun }) < observers {
      guard .now < giveUp else {
        throw BenchRefusal.incomplete("not all of \(observers) observers were shown a board")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Waits until no observer has received a snapshot for 1.5 seconds.
  func quiet() async throws {
    let giveUp = ContinuousClock.now + .seconds(120)
    state.withLock { $0.lastArrival = .now }
    while state.withLock({ $0.lastArrival }) + .milliseconds(1_500) > .now {
      guard .now < giveUp else { throw BenchRefusal.incomplete("boards never came to rest") }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  func arrived(_ observed: [Observed]) { state.withLock { $0.observed = observed } }

  // MARK: Figures

  /// Returns two lists of times in milliseconds.
  ///
  /// The times in `commits` begin at the commit of a workout, and the times in `publishes` begin at
  /// the publication of ranks. Each measured time ends when an observer of the board receives the
  /// change.
  ///
  /// If a snapshot arrived before the response to the commit, the measured time is 0.
  ///
  /// - Throws: `BenchRefusal.incomplete` if an observer did not receive a change.
  func figures(_ published: [Publish]) throws -> (commits: [Double], publishes: [Double]) {
    let (writes, observed) = state.withLock { ($0.writes, $0.observed) }
    let publishes = Dictionary(grouping: published, by: \.group)
    var figures: (commits: [Double], publishes: [Double]) = ([], [])
    for (group, observers) in Dictionary(grouping: observed, by: \.group) {
      for write in writes[group] ?? [] {
        guard let version = Self.version(showing: write, in: observers) else {
          throw BenchRefusal.incomplete("no observer of \(group) saw a workout of \(write.user)")
        }
        figures.commits += try observers.map {
          try Self.wait(of: $0, for: version, since: write.at)
        }
      }
      for publish in publishes[group] ?? [] {
        figures.publishes += try observers.map {
          try Self.wait(of: $0, for: publish.version, since: publish.at)
        }
      }
    }
    return figures
  }

  /// Returns the first version that any observer received and that includes the workout.
  private static func version(showing write: Write, in observers: [Observed]) -> Int64? {
    observers.compactMap { observer in
      observer.arrivals.first { arrival in
        arrival.snapshot.entries.contains { $0.id == write.user && $0.value >= write.value }
      }?.snapshot.rankVersion
    }.min()
  }

  private static func wait(
    of observer: Observed, for version: Int64, since begin: ContinuousClock.Instant
  ) throws -> Double {
    guard let end = observer.arrival(of: version) else {
      throw BenchRefusal.incomplete("an observer of \(observer.group) missed version \(version)")
    }
    return max(0, begin.duration(to: end) / .milliseconds(1))
  }
}
