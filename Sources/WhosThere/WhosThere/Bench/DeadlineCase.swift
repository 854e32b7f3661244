import BatonJobs
import BatonPostgres
import Bench
import JobRunner
import PresenceSQL
import Synchronization

/// The `deadlines` benchmark, which measures the p99 of the time from a deadline to the check-out,
/// while many other deadlines are pending.
///
/// For comparison, a note in the report contains the p99 without other pending deadlines.
struct DeadlineCase: BenchCase {
  let name = "deadlines"
  let unit = "ms"
  let connections = 2
  let hasRawSide = false
  private let all = Milliseconds()
  private let alone = Milliseconds()

  private static let perSecond = 200
  private static let waiting = BenchSize(
    "waiting", 1_000_000, quick: 5_000, "deadlines that wait meanwhile")

  var sizes: [BenchSize] { [PlaceWriters.groups, Self.waiting] }

  func writes(_ options: BenchOptions) -> String {
    "\(counted(options[PlaceWriters.groups], "group")), twice as many members, "
      + "\(counted(options[Self.waiting], "deadline that waits", "deadlines that wait")), and "
      + "\(Self.perSecond * options.seconds * (options.longPairs + 1)) that come"
  }

  func pairs(_ options: BenchOptions) -> Int { options.longPairs }

  func prepare(_ stage: BenchStage) async throws {
    try await PlaceWriters.prepare(stage)
    alone.add(try await latenesses(on: stage))
    let (all, groups) = (stage.options[Self.waiting], stage.options[PlaceWriters.groups])
    for first in stride(from: 0, to: all, by: 10_000) {
      try await stage.run(
        .run(
          SQL.Bench.makeWaiting, Int64(first), Int64(min(10_000, all - first)),
          Int64(groups / 10), Int64(groups * 2)))
    }
    _ = try await stage.worker().runUntilIdle()
    try await stage.settle()
  }

  func measure(_ side: BenchSide, on stage: BenchStage) async throws -> Double {
    let found = try await latenesses(on: stage)
    all.add(found)
    let sorted = found.sorted()
    guard !sorted.isEmpty else { throw BenchRefusal.incomplete("no user was checked out") }
    return sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
  }

  func notes(_ stage: BenchStage) async throws -> [BenchNote] {
    [
      BenchNote(name: "p50_ms", value: all.percentile(50)),
      BenchNote(name: "alone_p50_ms", value: alone.percentile(50)),
      BenchNote(name: "alone_p99_ms", value: alone.percentile(99)),
    ]
  }

  /// Returns each check-out's delay in milliseconds.
  ///
  /// Each user stays for one second.
  private func latenesses(on stage: BenchStage) async throws -> [Double] {
    _ = try await stage.worker().runUntilIdle()
    let waits = DeadlineWaits()
    let worker = stage.worker()
    let working = Task { try await worker.run() }
    defer { worker.stop() }
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      let writers = PlaceWriters(
        stage: stage, perSecond: Self.perSecond, groups: stage.options[PlaceWriters.groups])
      for writer in 0..<PlaceWriters.count {
        tasks.addTask {
          try await writers.write(writer, stay: 1) { _, user in waits.wrote(user) }
          waits.ended()
        }
      }
      tasks.addTask { try await watch(stage, waits) }
      try await tasks.waitForAll()
    }
    worker.stop()
    try await working.value
    return waits.milliseconds
  }

  private func watch(_ stage: BenchStage, _ waits: DeadlineWaits) async throws {
    let connection = try await Connection.open(stage.configuration)
    let session = Session(connection, in: stage.schema)
    let giveUp = ContinuousClock.now + .seconds(stage.options.seconds + 60)
    while !waits.isOver {
      let ended: [(String, Double)] = try await session.atomically(
        Call.rows(SQL.Bench.listEnded, Array(waits.there)) { (row) throws(PostgresError) in
          try row.decode(String.self, Double.self)
        })
      waits.saw(ended)
      guard .now < giveUp else { throw BenchRefusal.incomplete("a user is still present") }
      try await Task.sleep(for: .milliseconds(2))
    }
    await connection.close()
  }
}

/// The users at the place, and the delays of the completed check-outs.
private final class DeadlineWaits: Sendable {
  private struct State {
    var there: Set<String> = []
    var waits: [Double] = []
    var ended = 0
  }

  private let state = Mutex(State())

  var there: Set<String> { state.withLock { $0.there } }
  var milliseconds: [Double] { state.withLock { $0.waits } }
  var isOver: Bool { state.withLock { $0.ended == PlaceWriters.count && $0.there.isEmpty } }

  func wrote(_ user: String) { _ = state.withLock { $0.there.insert(user) } }

  func ended() { state.withLock { $0.ended += 1 } }

  func saw(_ ended: [(String, Double)]) {
    state.withLock { state in
      for (user, late) in ended where state.there.remove(user) != nil { state.waits.append(late) }
    }
  }
}
