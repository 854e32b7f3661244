import Foundation
import JobCore
public import Logging
public import Postgres
import RunnerSQL

/// Drains a queue in the foreground, beside any workers, without waiting out debounces.
///
/// It is a worker like the others: entered, with a heartbeat, its runs taken over if it dies.
public final class Drainer: Sendable {
  private let jobs: [RegisteredJob]
  private let queue: Queue
  private let reconnecting: ReconnectingConnection
  private let executor: RunExecutor
  private let dispatcher: Dispatcher
  private let beat = Heartbeat()

  /// A drainer that works the jobs on two connections of its own.
  ///
  /// - Throws: `PostgresError` where the server cannot be reached.
  public init(
    _ jobs: [RegisteredJob], on configuration: ConnectionConfiguration, schema: Schema,
    logger: Logger
  ) async throws {
    let context = WorkerContext(jobs, in: schema, logger: logger)
    self.jobs = jobs
    reconnecting = ReconnectingConnection(configuration, logger: logger)
    executor = RunExecutor(
      context, on: ReconnectingConnection(configuration, logger: logger))
    dispatcher = Dispatcher(context: context, reconnecting: reconnecting)
    queue = Queue(try await reconnecting.connection(), schema: schema)
    try await dispatcher.register(on: queue.connection)
  }

  /// Folds and works until nothing is left for anybody, also what other workers hold.
  ///
  /// - Returns: the number of dead letters.
  /// - Throws: `PostgresError`.
  public func drain() async throws -> Int {
    var pause = Duration.milliseconds(1)
    while true {
      try await beat.keep(dispatcher, queue)
      let (look, left) = try await queue.foldAndPoll()
      if left.isIdle { return left.dead }
      var didWork = false
      for job in jobs where look.dueJobs.contains(job.definition.name) {
        didWork = try await unlessLocked { try await executor.workOnce(job) } || didWork
      }
      for job in jobs where look.jobsWorkedAlone.contains(job.definition.name) {
        didWork = try await unlessLocked { try await executor.workAlone(job) } || didWork
      }
      guard !didWork else { continue }
      // What is left is held by other workers: they end it, or they are dead and we do.
      _ = try await queue.reclaim()
      try await Task.sleep(for: pause)
      pause = min(pause * 2, .milliseconds(50))
    }
  }

  /// Runs that a lock keeps from being claimed are others', to be looked at again.
  private func unlessLocked(_ work: () async throws -> Bool) async throws -> Bool {
    do {
      return try await work()
    } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
      return false
    }
  }

  /// Writes down what was done, takes the drainer out of the workers and closes its connections.
  public func close() async throws {
    try await dispatcher.context.activity.write(on: queue.connection, in: queue.schema)
    try await queue.connection.atomically(
      in: queue.schema, planning: .noSequentialScan,
      .run(SQL.Workers.unregister, dispatcher.context.identity.id))
    await reconnecting.close()
    await executor.close()
  }
}

/// Says every few seconds that a drainer lives.
private actor Heartbeat {
  private var last = ContinuousClock.now

  func keep(_ dispatcher: Dispatcher, _ queue: Queue) async throws {
    guard last.duration(to: .now) > .seconds(2) else { return }
    last = .now
    try await queue.connection.atomically(
      in: queue.schema, planning: .noSequentialScan,
      .run(SQL.Workers.heartbeat, dispatcher.context.identity.id))
    try await dispatcher.context.activity.write(on: queue.connection, in: queue.schema)
    try await queue.rotate()
  }
}
