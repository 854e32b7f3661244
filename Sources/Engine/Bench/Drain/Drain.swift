import BatonJobs
import BatonPostgres
import BenchSQL
import Foundation
package import JobRunner
package import Logging
import Synchronization

/// A measurement in which one worker processes all waiting runs of a queue.
package struct Drain {
  let stage: BenchStage

  /// Creates a drain of the stage's queue.
  package init(_ stage: BenchStage) { self.stage = stage }

  /// Runs a worker until `count` runs are completed, and returns the runs per second.
  ///
  /// The time is measured from the first connection until the worker has unregistered.
  ///
  /// - Throws: ``BenchRefusal`` if waiting or dead runs remain.
  package func measure(_ count: Int, of jobs: [RegisteredJob]) async throws -> Double {
    let countdown = Countdown(count)
    var options = Worker.Options(concurrency: stage.connections)
    options.onDone = { countdown.count($0) }
    let worker = Worker(
      jobs, on: stage.configuration, schema: stage.schema, options: options, logger: Self.logger)
    countdown.atEnd { worker.stop() }
    let began = ContinuousClock.now
    try await withTaskCancellationHandler {
      try await worker.run()
    } onCancel: {
      worker.stop()
    }
    let seconds = began.duration(to: .now) / .seconds(1)
    try Task.checkCancellation()
    let left = try await stage.runsLeft()
    guard left.waiting == 0, left.dead == 0 else {
      throw BenchRefusal.incomplete("runs left: \(left.waiting), dead: \(left.dead)")
    }
    return Double(count) / seconds
  }

  /// Deletes all runs, and creates `count` runs of a job.
  func fill(_ count: Int, of job: String = NoOp.definition.job.name) async throws {
    try await stage.emptyRuns()
    try await add(count, of: job)
  }

  /// Creates `count` runs of a job.
  ///
  /// - Parameter isSameDue: whether all runs are due at the same time. If `isSameDue` is false,
  ///   each run is due one microsecond after the previous run.
  func add(
    _ count: Int, of job: String = NoOp.definition.job.name, isSameDue: Bool = false
  ) async throws {
    let apart: Int64 = isSameDue ? 0 : 1
    _ = try await stage.run(.count(SQL.Drain.fillRuns, job, Int64(count), apart))
    try await stage.settle()
  }

  /// A logger that logs only errors.
  package static let logger: Logger = {
    var logger = Logger(label: "baton bench") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .error
    return logger
  }()
}

/// A countdown of the remaining runs.
///
/// The countdown calls an action as soon as no runs remain.
private final class Countdown: Sendable {
  private let left: Mutex<Int>
  private let onEnd: Mutex<(@Sendable () -> Void)?> = Mutex(nil)

  init(_ count: Int) { left = Mutex(count) }

  func atEnd(_ body: @escaping @Sendable () -> Void) { onEnd.withLock { $0 = body } }

  func count(_ runs: Int) {
    let isOver = left.withLock { left in
      left -= runs
      return left <= 0
    }
    if isOver { onEnd.withLock { $0 }?() }
  }
}
