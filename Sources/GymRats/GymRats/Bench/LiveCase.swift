import BatonJobs
import BatonPostgres
import Bench
import Challenges
import ChallengesPostgres
import ChallengesSQL
import Foundation
import JobRunner
import Synchronization

/// The benchmarks `live`, `live-hot` and `api-live`, which measure the p99 latency from a workout's
/// commit to its arrival at the board's observers.
///
/// 10,000 observers watch 1,000 boards on one shared connection, while 1,000 workouts per second
/// are recorded. In `live`, the workouts belong to 20,000 boards. In `live-hot`, the workouts
/// belong only to the observed boards. In `api-live`, the observers are 2,000 phones with streams
/// of the HTTP API, which runs in the benchmark's process. The latency is measured for each
/// observer.
struct LiveCase: BenchCase {
  let name: String
  let unit = "ms"
  let connections = 2
  let hasRawSide = false
  /// Whether workouts are recorded only on observed boards.
  let isHot: Bool
  /// The number of observers.
  let observers: BenchSize
  private let commits = Milliseconds()
  private let publishes = Milliseconds()

  static let spread = LiveCase(name: "live", isHot: false, observers: direct)
  static let hot = LiveCase(name: "live-hot", isHot: true, observers: direct)
  #if HTTP && !canImport(Darwin)
    static let api = LiveCase(name: "api-live", isHot: false, observers: streams)
  #endif

  private init(name: String, isHot: Bool, observers: BenchSize) {
    self.name = name
    self.isHot = isHot
    self.observers = observers
  }

  private static let direct = BenchSize(
    "observers", 10_000, quick: 100, "observers of live, spread over the observed boards")
  private static let streams = BenchSize(
    "streams", 2_000, quick: 20, "streams of api-live, spread over the observed boards")
  private static let boards = BenchSize(
    "observed-boards", 1_000, quick: 10, "boards of check-ins that live observes")

  var sizes: [BenchSize] { [spreadBoards, observers, Self.boards] }

  private func groups(_ options: BenchOptions) -> Int { max(1, options[spreadBoards] / 2) }
  /// Returns the number `n` for which every n-th group is observed.
  ///
  /// The observed groups are spread evenly over all groups.
  private func step(_ options: BenchOptions) -> Int {
    max(1, groups(options) / options[Self.boards])
  }
  private func viewers(_ options: BenchOptions) -> Int {
    max(1, options[observers] / options[Self.boards])
  }

  func writes(_ options: BenchOptions) -> String {
    "\(counted(groups(options), "group")), \(groups(options) * 2) members "
      + "and \(options[observers]) who observe, "
      + "and \(PacedWriters.workouts(options) * options.pairs) workouts"
  }

  func prepare(_ stage: BenchStage) async throws {
    let groups = groups(stage.options)
    try await stage.people(groups: groups, members: groups * 2)
    _ = try await stage.run(
      .count(
        SQL.Bench.makeViewers, Int64(viewers(stage.options)), Int64(step(stage.options))))
    try await stage.run(.run(SQL.Bench.notePublishes))
    try await stage.settle()
    try await stage.define(stage.jobs)
  }

  func measure(_ side: BenchSide, on stage: BenchStage) async throws -> Double {
    #if HTTP && !canImport(Darwin)
      if observers.name == Self.streams.name {
        let clients = viewers(stage.options) * (groups(stage.options) / step(stage.options))
        return try await BenchPhones.with(stage, connections: 8, clients: clients) { phones in
          try await measure(stage) { try await phones.repositories(for: $0) }
        }
      }
    #endif
    let database = ChallengesDatabase(stage.configuration, schema: stage.schema)
    return try await measure(stage) { database.repositories(for: $0) }
  }

  private func measure(
    _ stage: BenchStage, _ repositories: (String) async throws -> ActorRepositories
  ) async throws -> Double {
    // Pending changes from the setup and from the previous round are published before the
    // measurement.
    _ = try await stage.worker().runUntilIdle()
    try await stage.run(.run(SQL.Bench.emptyPublishes))
    let round = LiveRound(try await stage.writers(ofEvery: isHot ? step(stage.options) : 1))
    let observing = try await observe(round, stage, repositories)
    defer { observing.cancel() }
    let clock = try await ServerClock(stage)
    let worker = stage.worker()
    let working = Task { try await worker.run() }
    defer { worker.stop() }
    let writers = PacedWriters(stage: stage, users: round.users)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<PacedWriters.count {
        group.addTask { try await writers.write(writer, wrote: round.wrote) }
      }
      try await group.waitForAll()
    }
    try await round.quiet()
    worker.stop()
    try await working.value
    observing.cancel()
    round.arrived(await observing.value)
    let figures = try round.figures(try await published(stage, clock))
    commits.add(figures.commits)
    publishes.add(figures.publishes)
    let sorted = figures.commits.sorted()
    guard !sorted.isEmpty, !figures.publishes.isEmpty else {
      throw BenchRefusal.incomplete("nothing that was observed has changed")
    }
    return sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
  }

  /// Returns percentiles computed over all rounds.
  func notes(_ stage: BenchStage) async throws -> [BenchNote] {
    [
      BenchNote(name: "p50_ms", value: commits.percentile(50)),
      BenchNote(name: "p95_ms", value: commits.percentile(95)),
      BenchNote(name: "publish_p50_ms", value: publishes.percentile(50)),
      BenchNote(name: "publish_p99_ms", value: publishes.percentile(99)),
    ]
  }

  /// Returns each published version of an observed board, with the time just before it was
  /// committed.
  private func published(
    _ stage: BenchStage, _ clock: ServerClock
  ) async throws -> [LiveRound.Publish] {
    try await stage.run(
      .rows(SQL.Bench.listPublishes, Int64(step(stage.options))) { (row) throws(PostgresError) in
        let (group, version, at) = try row.decode(String.self, Int64.self, Timestamp.self)
        return LiveRound.Publish(group: group, version: version, at: clock.instant(of: at))
      })
  }

  /// Starts all observers, and returns after every observer has received its first snapshot.
  private func observe(
    _ round: LiveRound, _ stage: BenchStage,
    _ repositories: (String) async throws -> ActorRepositories
  ) async throws -> Task<[LiveRound.Observed], Never> {
    let numbers = stride(
      from: step(stage.options), through: groups(stage.options), by: step(stage.options))
    var observers: [(group: String, boards: any LeaderboardRepository)] = []
    for group in numbers {
      for viewer in 1...viewers(stage.options) {
        let boards = try await repositories("viewer-\(group)-\(viewer)").leaderboards
        observers.append((group: "group-\(group)", boards: boards))
      }
    }
    let observing = Task { [observers] in
      await withTaskGroup(of: LiveRound.Observed.self) { tasks in
        for (group, boards) in observers {
          tasks.addTask {
            await round.observe(
              group, boards.observeLeaderboard(groupId: group, type: .checkIns))
          }
        }
        return await tasks.reduce(into: []) { $0.append($1) }
      }
    }
    do {
      try await round.begun(by: observers.count)
    } catch {
      observing.cancel()
      throw error
    }
    return observing
  }
}

extension BenchStage {
  /// Returns the users who record workouts, from every n-th group.
  func writers(ofEvery step: Int) async throws -> [LiveRound.Writer] {
    try await run(
      .rows(SQL.Bench.listWriters, Int64(step)) { (row) throws(PostgresError) in
        let (user, group, value) = try row.decode(String.self, String.self, Int32.self)
        return LiveRound.Writer(user: user, group: group, value: Int(value))
      })
  }
}

/// Converts times on the server's clock into times on this process's clock.
private struct ServerClock {
  private let time: Timestamp
  private let instant: ContinuousClock.Instant

  /// Reads the server's clock twenty times and uses the response with the shortest round trip.
  ///
  /// A converted time is wrong by at most half of the shortest round trip to the server.
  init(_ stage: BenchStage) async throws {
    var best: (trip: Duration, time: Timestamp, instant: ContinuousClock.Instant)?
    for _ in 0..<20 {
      let began = ContinuousClock.now
      let time: Timestamp = try await stage.run(
        .row(SQL.Bench.readClock) { (row) throws(PostgresError) in try row.decode(Timestamp.self) })
      let trip = began.duration(to: .now)
      guard trip < best?.trip ?? .seconds(3_600) else { continue }
      best = (trip, time, began + trip / 2)
    }
    guard let best else { throw BenchRefusal.incomplete("the server has no clock") }
    (time, instant) = (best.time, best.instant)
  }

  func instant(of other: Timestamp) -> ContinuousClock.Instant {
    instant + .microseconds(other.microseconds - time.microseconds)
  }
}
