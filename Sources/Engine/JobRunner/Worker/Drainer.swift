import BatonJobs
package import BatonPostgres
package import Logging

/// Processes all runs of a queue in the foreground, without waiting for debounces.
///
/// Other workers may run at the same time. A drainer registers itself and sends heartbeats like any
/// other worker. If the drainer dies, other workers reclaim its runs.
package final class Drainer: Sendable {
  private let registration: Registration
  private let heartbeat: Heartbeat
  private let session: Session
  private let executor: RunExecutor

  /// Creates a drainer that uses two separate connections, and opens a third one if the drain takes
  /// longer than 1 s.
  ///
  /// - Parameter mostAttempts: the maximum number of attempts per run during the drain, or nil for
  ///   no limit.
  /// - Throws: `PostgresError` if the server cannot be reached.
  package init(
    _ jobs: [RegisteredJob], on configuration: ConnectionConfiguration, schema: Schema,
    mostAttempts: Int? = nil, logger: Logger
  ) async throws {
    var worker = WorkerContext(jobs, logger: logger)
    worker.endsSleeps = true
    worker.undone = mostAttempts.map { UndoneAttempts(most: $0) }
    registration = Registration(of: worker, on: configuration, in: schema, pace: .ofDrainer)
    heartbeat = Heartbeat(of: registration)
    executor = registration.makeExecutor(sharesThread: true)
    session = try await registration.control.session()
    try await registration.enter(on: session)
  }

  /// Folds events and processes runs until no runs remain, including those of other workers.
  ///
  /// - Returns: the number of dead runs in the schema.
  /// - Throws: ``EndlessRun`` if a run has not ended after the maximum number of attempts, or
  ///   `PostgresError`.
  package func drain() async throws -> Int {
    // While the drainer processes a batch, it does not poll, so a separate task sends the
    // heartbeats.
    try await heartbeat.around { try await registration.control.onThread { try await drainAll() } }
  }

  private func drainAll() async throws -> Int {
    let queue = Queue(session, for: registration.worker)
    let jobs = registration.worker.jobs
    var pause = Duration.milliseconds(1)
    var isInPieces = false
    try await queue.foldRestored()
    while true {
      try await registration.stayEntered(on: session)
      try await registration.keep(on: session)
      let (poll, first, hasMore) = try await queue.foldAndPoll(inPieces: isInPieces)
      isInPieces = hasMore
      var left = first
      if poll.hasCancelled {
        try await queue.cancelRequested()
        left = try await queue.pendingWork()
      }
      if left.isIdle {
        // When a batch ends, it can enqueue a run.
        guard try await queue.advanceBatches(takesAll: true) > 0 else { return left.dead }
        continue
      }
      var didWork = false
      registration.worker.learn(poll.dueJobs)
      for job in DueJobs(poll).inTurn(jobs) {
        didWork = try await unlessLocked { try await executor.workOnce(job) } || didWork
      }
      for job in jobs where poll.jobsWorkedAlone.contains(job.definition.name) {
        didWork = try await unlessLocked { try await executor.workAlone(job) } || didWork
      }
      try registration.worker.undone?.check()
      if let loss = registration.worker.loss { throw loss }
      guard !didWork, !hasMore else { continue }
      // The remaining runs are waiting for their next attempt, or have been claimed by other
      // workers. If a worker that has claimed runs is dead, the drainer reclaims them.
      _ = try await queue.reclaim(by: registration.worker)
      try await Task.sleep(for: min(pause, max(poll.nextDue ?? pause, .milliseconds(1))))
      pause = min(pause * 2, .milliseconds(200))
    }
  }

  /// Executes a claim, or returns false if a lock prevents the claim.
  ///
  /// If a lock prevents the claim, another worker is using the runs. The drainer retries claiming
  /// the locked runs in its next pass.
  private func unlessLocked(_ work: () async throws -> Bool) async throws -> Bool {
    do {
      return try await work()
    } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
      return false
    }
  }

  /// Stores the counts of completed runs, unregisters the drainer, and closes its connections.
  package func close() async throws {
    try await registration.leave(on: session)
    await heartbeat.close()
    await registration.control.close()
    await executor.close()
  }
}
