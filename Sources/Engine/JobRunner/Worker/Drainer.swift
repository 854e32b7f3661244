import BatonJobs
package import BatonPostgres
package import Logging

/// Drains a queue in the foreground, while other workers may run, without waiting for debounces.
///
/// It is a worker like the others: registered and with a heartbeat, so its runs are taken over if it dies.
package final class Drainer: Sendable {
  private let registration: Registration
  private let session: Session
  private let executor: RunExecutor

  /// Makes a drainer that works the jobs on two connections of its own.
  ///
  /// - Throws: `PostgresError` if the server cannot be reached.
  package init(
    _ jobs: [RegisteredJob], on configuration: ConnectionConfiguration, schema: Schema,
    logger: Logger
  ) async throws {
    registration = Registration(
      of: WorkerContext(jobs, logger: logger), on: configuration, in: schema, pace: .ofDrainer)
    executor = registration.makeExecutor()
    session = try await registration.control.session()
    try await registration.enter(on: session)
  }

  /// Folds and works until no work is left, including the runs of other workers.
  ///
  /// - Returns: the number of dead letters.
  /// - Throws: `PostgresError`.
  package func drain() async throws -> Int {
    let queue = Queue(session)
    let jobs = registration.worker.jobs
    var pause = Duration.milliseconds(1)
    // The drainer does not poll while it works a batch.
    let watching = Task { await registration.watchBesideWork() }
    defer { watching.cancel() }
    while true {
      try await registration.keep(on: session)
      let (poll, left) = try await queue.foldAndPoll()
      if left.isIdle { return left.dead }
      var didWork = false
      registration.worker.learn(poll.dueJobs)
      for job in DueJobs(poll).inTurn(jobs) {
        didWork = try await unlessLocked { try await executor.workOnce(job) } || didWork
      }
      for job in jobs where poll.jobsWorkedAlone.contains(job.definition.name) {
        didWork = try await unlessLocked { try await executor.workAlone(job) } || didWork
      }
      guard !didWork else { continue }
      // Other workers hold the remaining runs: they end them, or they are dead and the drainer takes the runs over.
      _ = try await queue.reclaim()
      try await Task.sleep(for: pause)
      pause = min(pause * 2, .milliseconds(50))
    }
  }

  /// Runs a claim; if a lock prevents it, another worker has the runs, and they are checked again later.
  private func unlessLocked(_ work: () async throws -> Bool) async throws -> Bool {
    do {
      return try await work()
    } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
      return false
    }
  }

  /// Stores the activity, unregisters the drainer and closes its connections.
  package func close() async throws {
    try await registration.leave(on: session)
    await registration.control.close()
    await executor.close()
  }
}
