import BatonJobs
import BatonPostgres
import Bench
import JobRunner
import PresenceSQL
import Synchronization

/// The benchmark that measures the p99 of the time from a presence's commit until the group's
/// summary includes it.
///
/// The writers make 1,000 changes per second, and the `summarize-groups` job runs with its regular
/// debounce. A separate connection polls the summaries every 2 ms.
struct SummaryCase: BenchCase {
  let name = "summaries"
  let unit = "ms"
  let connections = 2
  let hasRawSide = false
  private let all = Milliseconds()

  private static let perSecond = 1_000

  var sizes: [BenchSize] { [PlaceWriters.groups] }

  func writes(_ options: BenchOptions) -> String {
    "\(counted(options[PlaceWriters.groups], "group")), twice as many members, and "
      + "\(Self.perSecond * options.seconds * options.pairs) changes of presences"
  }

  func prepare(_ stage: BenchStage) async throws { try await PlaceWriters.prepare(stage) }

  func measure(_ side: BenchSide, on stage: BenchStage) async throws -> Double {
    // Pending changes from the previous round are processed before the measurement.
    _ = try await stage.worker().runUntilIdle()
    let waits = SummaryWaits()
    let worker = stage.worker()
    let working = Task { try await worker.run() }
    defer { worker.stop() }
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      let writers = PlaceWriters(
        stage: stage, perSecond: Self.perSecond, groups: stage.options[PlaceWriters.groups])
      for writer in 0..<PlaceWriters.count {
        tasks.addTask {
          try await writers.write(writer, stay: nil) { group, _ in waits.wrote(group) }
          waits.ended()
        }
      }
      tasks.addTask { try await watch(stage, waits) }
      try await tasks.waitForAll()
    }
    worker.stop()
    try await working.value
    all.add(waits.milliseconds)
    let sorted = waits.milliseconds.sorted()
    guard !sorted.isEmpty else { throw BenchRefusal.incomplete("nothing became visible") }
    return sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
  }

  func notes(_ stage: BenchStage) async throws -> [BenchNote] {
    [
      BenchNote(name: "p50_ms", value: all.percentile(50)),
      BenchNote(name: "p95_ms", value: all.percentile(95)),
    ]
  }

  private func watch(_ stage: BenchStage, _ waits: SummaryWaits) async throws {
    let connection = try await Connection.open(stage.configuration)
    let session = Session(connection, in: stage.schema)
    let giveUp = ContinuousClock.now + .seconds(stage.options.seconds + 60)
    while !waits.isOver {
      // `known` is read before the query, because the query may not see a change that is committed
      // during the query.
      let known = waits.unseen
      let late: [String] = try await session.atomically(
        Call.rows(SQL.Bench.listLate, Array(known.keys)) { (row) throws(PostgresError) in
          try row.decode(String.self)
        })
      waits.saw(known, but: Set(late))
      guard .now < giveUp else {
        throw BenchRefusal.incomplete("lines that stayed as they were: \(late.count)")
      }
      try await Task.sleep(for: .milliseconds(2))
    }
    await connection.close()
  }
}

/// The times of the changes that are missing from the summaries, and the measured delays.
private final class SummaryWaits: Sendable {
  typealias Instants = [String: [ContinuousClock.Instant]]

  private struct State {
    var unseen: Instants = [:]
    var waits: [Double] = []
    var ended = 0
  }

  private let state = Mutex(State())

  var unseen: Instants { state.withLock { $0.unseen } }
  var milliseconds: [Double] { state.withLock { $0.waits } }
  var isOver: Bool {
    state.withLock { $0.ended == PlaceWriters.count && $0.unseen.isEmpty }
  }

  func wrote(_ group: String) { state.withLock { $0.unseen[group, default: []].append(.now) } }

  func ended() { state.withLock { $0.ended += 1 } }

  /// Records that the summaries of the groups in `known` are up to date, except for those in
  /// `late`.
  func saw(_ known: Instants, but late: Set<String>) {
    let now = ContinuousClock.now
    state.withLock { state in
      for (group, instants) in known where !late.contains(group) {
        state.waits += instants.map { $0.duration(to: now) / .milliseconds(1) }
        let rest = state.unseen[group, default: []].dropFirst(instants.count)
        state.unseen[group] = rest.isEmpty ? nil : Array(rest)
      }
    }
  }
}
