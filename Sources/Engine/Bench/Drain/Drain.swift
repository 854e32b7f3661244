import BatonJobs
import BatonPostgres
import BenchSQL
import Foundation
package import JobRunner
package import Logging
import Synchronization

/// A queue of waiting runs that one worker processes to the end.
package struct Drain {
  let stage: BenchStage

  /// A drain on the stage's queue.
  package init(_ stage: BenchStage) { self.stage = stage }

  /// Runs a worker until `count` runs are done, and returns the runs per second.
  ///
  /// The clock runs from the first connection until the worker has unregistered. The worker stops as soon as the last
  /// batch is done, instead of at its next poll.
  ///
  /// - Throws: ``BenchRefusal`` if runs are left or dead.
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

  /// Replaces all runs by no-op runs.
  func fill(_ count: Int) async throws {
    try await stage.emptyRuns()
    _ = try await stage.run(
      .count(SQL.Drain.fillRuns, NoOp.definition.job.name, Int64(count)))
    try await stage.settle()
  }

  /// A logger that logs only errors.
  package static let logger: Logger = {
    var logger = Logger(label: "baton bench") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .error
    return logger
  }()
}

/// The number of runs that are not done yet, and an action for the moment when it reaches 0.
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
