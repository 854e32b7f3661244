import BatonJobs
import BatonPostgres
import Foundation
import JobRunner
import Synchronization

/// The `pick-up` case, which measures the median time from the commit of an enqueued run until the
/// run starts.
///
/// Each measurement first enqueues runs with long pauses, so that the worker polls only rarely, as
/// on an idle machine. The measurement then enqueues five times as many runs with short pauses, so
/// that the worker polls frequently. The job runs in the same process as the benchmark, and records
/// its start time.
struct PickUpCase: BenchCase {
  let name = "pick-up"
  let unit = "ms"
  let hasRawSide = false
  let sizes = [Self.calls]

  private static let calls = BenchSize(
    "pick-ups", 20, quick: 2, "calls of pick-up to a worker that sleeps, and five times as many")

  private let asleep = Milliseconds()
  private let awake = Milliseconds()

  func writes(_ options: BenchOptions) -> String {
    "\(options[Self.calls] * 6 * options.pairs) calls of enqueue"
  }

  func prepare(_ stage: BenchStage) async throws {
    try await stage.define([PickUp.registered(Arrivals())])
  }

  func measure(_ side: BenchSide, on stage: BenchStage) async throws -> Double {
    let arrivals = Arrivals()
    let worker = Worker(
      [PickUp.registered(arrivals)], on: stage.configuration, schema: stage.schema,
      options: Worker.Options(concurrency: stage.connections), logger: Drain.logger)
    let working = Task { try await worker.run() }
    defer { worker.stop() }
    let connection = try await Connection.open(stage.configuration)
    let session = Session(connection, in: stage.schema)
    // The first calls prepare the statements and are not measured.
    for _ in 0..<3 { _ = try await pickUp(session, arrivals) }
    let count = stage.options[Self.calls]
    var waits: [Double] = []
    for _ in 0..<count {
      // The pause ensures that the worker is idle: after 100 ms without events, the worker polls
      // only every 250 ms.
      try await Task.sleep(for: .milliseconds(1_300 + Int.random(in: 0..<250)))
      waits.append(try await pickUp(session, arrivals))
    }
    asleep.add(waits)
    for _ in 0..<count * 5 {
      try await Task.sleep(for: .milliseconds(Int.random(in: 20..<60)))
      awake.add([try await pickUp(session, arrivals)])
    }
    await connection.close()
    worker.stop()
    try await working.value
    return waits.median
  }

  func notes(_ stage: BenchStage) async throws -> [BenchNote] {
    [
      BenchNote(name: "p99_ms", value: asleep.percentile(99)),
      BenchNote(name: "awake_p50_ms", value: awake.percentile(50)),
      BenchNote(name: "awake_p99_ms", value: awake.percentile(99)),
    ]
  }

  /// Enqueues a run, and returns the milliseconds from the commit until the run starts.
  private func pickUp(_ session: Session, _ arrivals: Arrivals) async throws -> Double {
    let key = UUID().uuidString
    _ = try await Queue(session).enqueue(RunRequest(PickUp(), key: key))
    let committed = ContinuousClock.now
    let giveUp = committed + .seconds(30)
    while true {
      if let began = arrivals.take(key) {
        return max(0, committed.duration(to: began) / .milliseconds(1))
      }
      guard .now < giveUp else { throw BenchRefusal.incomplete("a run was never begun") }
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}

/// A job whose runs record when they start.
struct PickUp: BatchJob {
  static let definition = Definition<Self>("bench-pick-up")

  static func run(_ batch: [Run<Self>], in arrivals: Arrivals) async throws {
    for run in batch { arrivals.came(run.key) }
  }

  static func registered(_ arrivals: Arrivals) -> RegisteredJob {
    RegisteredJob(PickUp.self) { _ in arrivals }
  }
}

/// The start times of the runs, by key.
final class Arrivals: Sendable {
  private let times = Mutex<[String: ContinuousClock.Instant]>([:])

  func came(_ key: String) { times.withLock { $0[key] = .now } }
  func take(_ key: String) -> ContinuousClock.Instant? {
    times.withLock { $0.removeValue(forKey: key) }
  }
}
