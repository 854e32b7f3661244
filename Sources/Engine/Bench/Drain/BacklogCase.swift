import BatonJobs
import BatonPostgres
import BenchSQL
import JobRunner
import Synchronization

/// The `backlog` case, which measures the time from a worker's start until it begins the first run
/// of a backlog.
///
/// The runs are enqueued before the measurement, but not dispatched. The measured time includes
/// connecting, registering, dispatching the first events, and the first claim. A note reports the
/// number of completed runs per second.
struct BacklogCase: BenchCase {
  let name = "backlog"
  let unit = "ms"
  let hasRawSide = false
  private static let runs = BenchSize("backlog", 200_000, quick: 2_000, "runs of backlog")
  private static let perTransaction = 1_000

  private let throughputs = Throughputs()

  var sizes: [BenchSize] { [Self.runs] }

  func writes(_ options: BenchOptions) -> String {
    "\(counted(options[Self.runs] * options.pairs, "run"))"
  }

  func prepare(_ stage: BenchStage) async throws {
    try await stage.define([BacklogJob.registered(FirstStart())])
  }

  func measure(_ side: BenchSide, on stage: BenchStage) async throws -> Double {
    let runs = stage.options[Self.runs]
    try await stage.emptyRuns()
    for first in stride(from: 1, through: runs, by: Self.perTransaction) {
      let last = min(runs, first + Self.perTransaction - 1)
      _ = try await stage.run(
        .count(SQL.Drain.enqueueRuns, BacklogJob.definition.job.name, Int64(first), Int64(last)))
    }
    try await stage.settle()
    let start = FirstStart()
    let began = ContinuousClock.now
    let throughput = try await Drain(stage).measure(runs, of: [BacklogJob.registered(start)])
    throughputs.all.withLock { $0.append(throughput) }
    guard let first = start.instant else { throw BenchRefusal.incomplete("no run was begun") }
    return began.duration(to: first) / .milliseconds(1)
  }

  func notes(_ stage: BenchStage) async throws -> [BenchNote] {
    [BenchNote(name: "runs_per_s", value: throughputs.all.withLock { $0.median })]
  }
}

/// A job whose runs do nothing, except the first run, which records its start time.
private struct BacklogJob: BatchJob {
  static let definition = Definition<Self>("bench-backlog", batch: 500)

  static func run(_ batch: [Run<Self>], in start: FirstStart) async throws { start.come() }

  static func registered(_ start: FirstStart) -> RegisteredJob {
    RegisteredJob(BacklogJob.self) { _ in start }
  }
}

/// The time when the first run began.
private final class FirstStart: Sendable {
  private let first = Mutex<ContinuousClock.Instant?>(nil)

  var instant: ContinuousClock.Instant? { first.withLock { $0 } }

  func come() { first.withLock { $0 = $0 ?? .now } }
}

/// The throughputs of all rounds, in runs per second.
private final class Throughputs: Sendable {
  let all = Mutex<[Double]>([])
}
