import BatonJobs
import BatonPostgres
import Bench
import ChallengesSQL
import Foundation
import JobRunner
import Synchronization

/// The `visible` benchmark, which measures the p99 of the time from a workout's commit until the
/// published ranks include it.
///
/// 1,000 workouts per second are recorded, and the `recompute-ranks` job runs with its regular
/// debounce. A separate connection polls the boards every 2 ms.
struct VisibleCase: BenchCase {
  let name: String
  let unit = "ms"
  let connections = 2
  let hasRawSide = false
  let boards: Int?
  let membersPerGroup: Int
  private let all = Milliseconds()
  private let runs = RunsPerBoard()

  init(name: String, boards: Int?, membersPerGroup: Int) {
    self.name = name
    self.boards = boards
    self.membersPerGroup = membersPerGroup
  }

  static let spread = VisibleCase(name: "visible", boards: nil, membersPerGroup: 2)
  static let hot = VisibleCase(name: "visible-hot", boards: 10, membersPerGroup: 200)

  private func groups(_ options: BenchOptions) -> Int { (boards ?? options[spreadBoards]) / 2 }
  private func members(_ options: BenchOptions) -> Int { groups(options) * membersPerGroup }

  var sizes: [BenchSize] { [spreadBoards] }

  func writes(_ options: BenchOptions) -> String {
    "\(counted(groups(options), "group")), \(counted(members(options), "member")), and "
      + "\(PacedWriters.workouts(options) * options.pairs) workouts"
  }

  func prepare(_ stage: BenchStage) async throws {
    try await stage.people(groups: groups(stage.options), members: members(stage.options))
    try await stage.define(stage.jobs)
  }

  func measure(_ side: BenchSide, on stage: BenchStage) async throws -> Double {
    // Pending changes from the setup and from the previous round are published before the
    // measurement.
    _ = try await stage.worker().runUntilIdle()
    let users = (1...members(stage.options)).map { "user-\($0)" }
    let waits = Waits(try await values(of: users, stage))
    let before = try await recomputed(stage)
    let began = ContinuousClock.now
    let worker = stage.worker()
    let working = Task { try await worker.run() }
    defer { worker.stop() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      let writers = PacedWriters(stage: stage, users: users)
      for writer in 0..<PacedWriters.count {
        group.addTask {
          try await writers.write(writer, wrote: waits.wrote)
          waits.ended()
        }
      }
      group.addTask { try await watch(stage, waits) }
      try await group.waitForAll()
    }
    worker.stop()
    try await working.value
    let seconds = began.duration(to: .now) / .seconds(1)
    let done = Double(try await recomputed(stage) - before)
    runs.note(done / Double(groups(stage.options) * 2) / seconds)
    all.add(waits.milliseconds)
    let sorted = waits.milliseconds.sorted()
    guard !sorted.isEmpty else { throw BenchRefusal.incomplete("nothing became visible") }
    return sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
  }

  /// Returns percentiles, and the number of recomputations per board and second.
  func notes(_ stage: BenchStage) async throws -> [BenchNote] {
    [
      BenchNote(name: "p50_ms", value: all.percentile(50)),
      BenchNote(name: "p95_ms", value: all.percentile(95)),
      BenchNote(name: "recomputes_a_board_and_second", value: runs.most),
    ]
  }

  private func recomputed(_ stage: BenchStage) async throws -> Int64 {
    let activity = try await Queue(Session(stage.connection, in: stage.schema)).activity()
    return activity["recompute-ranks"]?.runs ?? 0
  }

  private func values(
    of users: [String], _ stage: BenchStage, on connection: Connection? = nil
  ) async throws -> [Seen] {
    let list = Call.rows(SQL.Bench.listValues, users) { (row) throws(PostgresError) in
      let (user, value) = try row.decode(String.self, Int32.self)
      return Seen(user: user, value: value)
    }
    let connection = connection ?? stage.connection
    let session = Session(connection, in: stage.schema)
    let values: [Seen] = try await session.atomically(list)
    return values
  }

  private func watch(_ stage: BenchStage, _ waits: Waits) async throws {
    let connection = try await Connection.open(stage.configuration)
    let giveUp = ContinuousClock.now + .seconds(stage.options.seconds + 60)
    while !waits.isOver(of: PacedWriters.count) {
      let users = waits.pending
      waits.saw(try await values(of: users, stage, on: connection))
      guard .now < giveUp else {
        throw BenchRefusal.incomplete("workouts that never became visible: \(users.count)")
      }
      try await Task.sleep(for: .milliseconds(2))
    }
    await connection.close()
  }
}

/// The maximum number of recomputations per board and second in any round.
private final class RunsPerBoard: Sendable {
  private let rate = Mutex(0.0)

  var most: Double { rate.withLock { $0 } }

  func note(_ rate: Double) { self.rate.withLock { $0 = max($0, rate) } }
}

/// A member's value on a board.
private struct Seen: Sendable {
  let user: String
  let value: Int32
}

/// The writes that have not become visible, and the latencies of the visible writes.
private final class Waits: Sendable {
  private struct State {
    /// The number of check-ins recorded for each member.
    var written: [String: Int32]
    var unseen: [String: [(value: Int32, at: ContinuousClock.Instant)]] = [:]
    var waits: [Double] = []
    var ended = 0
  }

  private let state: Mutex<State>

  init(_ published: [Seen]) {
    state = Mutex(
      State(written: Dictionary(uniqueKeysWithValues: published.map { ($0.user, $0.value) })))
  }

  var pending: [String] { state.withLock { Array($0.unseen.keys) } }
  var milliseconds: [Double] { state.withLock { $0.waits } }

  func wrote(_ user: String) {
    state.withLock { state in
      let value = state.written[user, default: 0] + 1
      state.written[user] = value
      state.unseen[user, default: []].append((value, .now))
    }
  }

  func ended() { state.withLock { $0.ended += 1 } }

  func isOver(of writers: Int) -> Bool {
    state.withLock { $0.ended == writers && $0.unseen.isEmpty }
  }

  func saw(_ values: [Seen]) {
    state.withLock { state in
      let now = ContinuousClock.now
      for seen in values {
        let user = seen.user
        let left = state.unseen[user, default: []].filter { $0.value > seen.value }
        for done in state.unseen[user, default: []].dropLast(left.count) {
          state.waits.append(done.at.duration(to: now) / .milliseconds(1))
        }
        state.unseen[user] = left.isEmpty ? nil : left
      }
    }
  }
}
