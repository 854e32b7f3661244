package import BatonJobs
package import BatonPostgres
import Foundation
package import Logging

/// Processes runs of a job on request, with the code, locks and fencing tokens that a worker uses.
package struct InlineRunner: Sendable {
  /// The result of a manual run.
  package enum Result: Sendable, Equatable {
    /// The runs are completed. The associated values are the number of runs and the job's report.
    case done(runs: Int, report: Report)
    /// When the waiting time (`patience`) ended, another process was still processing the run, or
    /// the job's limits were reached.
    case alreadyRunning
    /// The job postponed its run by this duration.
    case snoozed(Duration, reason: String?)
    /// The task was cancelled. The runs were released, and the attempt is not counted.
    case stopped
    /// The attempt lost its connection or its lease. The runs were released, and the attempt is not
    /// counted.
    case interrupted(String)
    /// Another worker has claimed the runs, so the attempt's uncommitted writes were rolled back.
    case takenOver
    /// The run was cancelled on request.
    case cancelled
    /// The attempt failed, and will be retried according to the job's retry policy.
    case failed(String)
    /// The last attempt failed, and the run is dead.
    case dead(String)
  }

  let job: RegisteredJob
  let registration: Registration
  private let executor: RunExecutor

  /// Creates an inline runner for one job, without opening a connection.
  package init(
    _ job: RegisteredJob, on configuration: ConnectionConfiguration, schema: Schema,
    logger: Logger
  ) {
    self.job = job
    registration = Registration(
      of: WorkerContext([job], logger: logger), on: configuration, in: schema)
    executor = registration.makeSharingExecutor()
  }

  /// The job's schedules, or an empty array if the job is retired.
  ///
  /// A retired job has no schedules, so only its waiting runs can be processed.
  package var activeSchedules: [JobSchedule] {
    get async throws { try await isRetired ? [] : job.definition.schedules }
  }

  /// Whether the job is retired.
  var isRetired: Bool {
    get async throws {
      let queue = Queue(try await registration.control.session())
      return try await !queue.retired(of: [job.definition.name]).isEmpty
    }
  }

  /// Processes the run with the given key now, without waiting for debounce or backoff.
  ///
  /// If the key has no run, the method creates and processes one.
  ///
  /// - Parameters:
  ///   - key: the run's key.
  ///   - patience: how long to wait if another process is already processing the run with this key.
  ///   - tell: called after every step except the last, with the report so far.
  /// - Throws: ``UnreadableRun`` before any claim, if the job cannot decode the run that has the
  ///   key. ``RetiredJob`` if the job is retired and the key has no run, also if the key's last run
  ///   ends while the method waits for it. `PostgresError` if a statement before or after the job's
  ///   code fails. An error from the job's code is returned as a result, and not thrown.
  package func work(
    key: String, patience: Duration = .seconds(10), tell: @Sendable (Report) -> Void = { _ in }
  ) async throws -> Result {
    try await Queue(registration.control.session()).check(job, key: key, payload: nil)
    return try await entered {
      guard let claim = try await claim(key, patience: patience) else {
        return Task.isCancelled ? .stopped : .alreadyRunning
      }
      return await finish(claim, tell: tell)
    }
  }

  /// Dispatches all committed events into runs, and then processes the runs that are ready and due.
  ///
  /// - Parameter tell: called after every step except the last, with the report so far.
  /// - Throws: `PostgresError` if a statement before or after the job's code fails. An error from
  ///   the job's code is returned as a result, and not thrown.
  package func workDue(tell: @Sendable (Report) -> Void = { _ in }) async throws -> Result {
    try await entered {
      do {
        return try await foldAndWorkDue(tell)
      } catch {
        // The statement failed because the task was cancelled.
        guard Task.isCancelled else { throw error }
        return .stopped
      }
    }
  }

  private func foldAndWorkDue(_ tell: @Sendable (Report) -> Void) async throws -> Result {
    let queue = Queue(try await registration.control.session())
    repeat {
      guard !Task.isCancelled else { return .stopped }
    } while try await queue.foldPieceAfterOthers()
    registration.worker.learn(try await queue.poll().dueJobs)
    var (runs, sum) = (0, Report())
    while let claim = try await executor.claimInTurn(job) {
      let before = sum
      switch await finish(claim, tell: { tell(before + $0) }) {
      case .done(let worked, let report):
        runs += worked
        sum += report
      // A run in the batch was cancelled. The batch's runs that were not cancelled are ready
      // again, so the next batch is claimed.
      case .cancelled: continue
      case let result: return result
      }
    }
    return .done(runs: runs, report: sum)
  }

  /// Fires the due occurrences of the job's schedules, and processes their runs now.
  ///
  /// While this method is running, workers may also fire the due occurrences and process their
  /// runs. The method marks the occurrences as fired. If the occurrences of a schedule share a key,
  /// the method processes the run with that key even if no occurrence is due. If each occurrence
  /// has its own run, the method processes the due occurrences' runs.
  ///
  /// - Parameters:
  ///   - patience: how long to wait if another process is already processing the run with a
  ///     schedule's shared key.
  ///   - tell: called after every step except the last, with the report so far.
  /// - Throws: the same errors as ``work(key:patience:tell:)``.
  package func workSchedule(
    patience: Duration = .seconds(10), tell: @Sendable (Report) -> Void = { _ in }
  ) async throws -> Result {
    let session = try await registration.control.session()
    if try await Scheduler(session, jobs: [job]).fireDue() > 0 {
      // Each fired occurrence of a schedule writes an event with a run's key. The event must be
      // dispatched before the run is processed. An event that is dispatched after that would create
      // a second run with the same key.
      try await Queue(session).foldAfterOthers()
    }
    let schedules = job.definition.schedules
    var (runs, sum) = (0, Report())
    for key in schedules.compactMap(\.sharedKey) {
      let before = sum
      let result = try await work(key: key, patience: patience) { tell(before + $0) }
      guard case .done(let worked, let report) = result else { return result }
      runs += worked
      sum += report
    }
    guard schedules.contains(where: { $0.sharedKey == nil }) else {
      return .done(runs: runs, report: sum)
    }
    let before = sum
    let result = try await workDue { tell(before + $0) }
    guard case .done(let worked, let report) = result else { return result }
    return .done(runs: runs + worked, report: sum + report)
  }

  private func finish(_ claim: Claim, tell: @Sendable (Report) -> Void) async -> Result {
    switch await executor.finish(claim, tell: tell) {
    case .done(let report): .done(runs: claim.runs.count, report: report)
    case .cancelled: .cancelled
    case .undone(let snooze as Snooze, let decision) where decision?.isPostponement ?? true:
      .snoozed(snooze.wait, reason: snooze.reason)
    case .undone(let error as PostgresError, .none) where error.sqlState == .claimLost:
      .takenOver
    case .undone where Task.isCancelled: .stopped
    case .undone(let error, .deadLetter): .dead("\(error)")
    // The error of named runs is an error of the job, even if one of these runs is postponed.
    case .undone(let error, let decision?) where decision.isPostponement && !(error is FailedRuns):
      .interrupted("\(error)")
    case .undone(let error, _): .failed("\(error)")
    }
  }

  // MARK: Steps

  private func claim(_ key: String, patience: Duration) async throws -> Claim? {
    let deadline = ContinuousClock.now + patience
    let token = UUID.token(of: job.definition)
    let call = QueueCalls.claimKey(
      job.definition, key: key, token: token, worker: registration.worker.identity.id)
    while !Task.isCancelled {
      do {
        let session = try await registration.control.session()
        let order = try await session.atomically(QueueCalls.readClaimOrder(job.definition))
        let term = registration.worker.lease.term
        var runs =
          try await order.isInTurn
          ? session.claimInTurn(job.definition, limit: 1) { _, _ in call }
          : session.claim(job.definition, call)
        // The claim may have waited for a dispatch that stored the run's first payload. The claim's
        // snapshot does not contain this payload.
        for index in runs.indices { runs[index].mayHavePayloads = true }
        try await session.assignPayloads(of: runs, job.definition, token: token)
        if !runs.isEmpty { return Claim(job: job, token: token, runs: runs, term: term) }
        let queue = Queue(session)
        // If the key's last run has ended, the claims of a retired job will never create a new run.
        try await queue.requireRun(key, of: job.definition)
        guard .now < deadline else { return nil }
        // If the process that claimed the run was killed, this call makes the run ready again. A
        // job that only cron starts may have no worker that reclaims its runs.
        _ = try await queue.reclaim(by: registration.worker)
      } catch let error as PostgresError where error.sqlState == .uniqueViolation {
        // Another process has just claimed the run with this key.
        guard .now < deadline else { return nil }
      } catch {
        // The claim may be committed. If it is, the process returns the run when it unregisters.
        registration.worker.identity.claims.abandon(token)
        // The statement failed because the task was cancelled.
        guard Task.isCancelled else { throw error }
      }
      try? await Task.sleep(for: .milliseconds(50))
    }
    return nil
  }

  /// Registers this process as a worker while `body` is running, so that other workers reclaim the
  /// runs if this process dies.
  private func entered(_ body: () async throws -> Result) async throws -> Result {
    let session = try await registration.control.session()
    try await registration.enter(on: session)
    let heartbeat = Heartbeat(of: registration)
    let result: Result
    do {
      // A cancellation also cancels the current statement so that the caller does not wait for it.
      result = try await heartbeat.around {
        try await withTaskCancellationHandler {
          try await registration.control.onThread { try await body() }
        } onCancel: {
          registration.control.cancel()
        }
      }
    } catch let error as PostgresError where error.sqlState.isConnectionLoss {
      await heartbeat.close()
      throw error
    } catch {
      await leave(heartbeat)
      throw error
    }
    await leave(heartbeat)
    return result
  }

  /// Unregisters this process, and closes its connections.
  ///
  /// An error does not invalidate the result of the runs. If the connection is lost, another worker
  /// unregisters this process.
  private func leave(_ heartbeat: Heartbeat) async {
    do {
      try await registration.leave(on: registration.control.session())
    } catch {
      registration.worker.logger.debug("not taken out of the workers: \(error)")
    }
    await heartbeat.close()
    await registration.control.close()
  }
}
