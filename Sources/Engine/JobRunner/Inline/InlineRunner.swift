package import BatonJobs
package import BatonPostgres
import Foundation
package import Logging

/// Works a job on request: with the same code, the same locks and the same fencing token as a worker.
package struct InlineRunner: Sendable {
  /// The result of a manual run.
  package enum Result: Sendable, Equatable {
    /// The runs were done; the number of them, and their report.
    case done(runs: Int, report: Report)
    /// The key was running elsewhere until the wait ended, or the limits of the job left no room.
    case alreadyRunning
    /// The job postponed its run: it is due again after this time.
    case snoozed(Duration, reason: String?)
    /// The task was cancelled: its runs were released, and the attempt does not count.
    case stopped
    /// A cancellation of the run was requested.
    case cancelled
    /// It failed, and will be retried as the job defines.
    case failed(String)
    /// It failed for the last time: the run is a dead letter.
    case dead(String)
  }

  let job: RegisteredJob
  let registration: Registration
  private let executor: RunExecutor

  /// Makes an inline runner of one job; it opens no connection yet.
  package init(
    _ job: RegisteredJob, on configuration: ConnectionConfiguration, schema: Schema,
    logger: Logger
  ) {
    self.job = job
    registration = Registration(
      of: WorkerContext([job], logger: logger), on: configuration, in: schema)
    executor = registration.makeSharingExecutor()
  }

  /// Works one key now, without waiting for debounce or backoff, together with its ready run if it has one.
  ///
  /// - Parameters:
  ///   - key: the key of the run.
  ///   - patience: how long to wait while the key is running elsewhere.
  ///   - tell: called after every step but the last, with the report so far.
  /// - Throws: ``UnreadableRun`` before anything is claimed, if the job cannot read the key; `PostgresError` before
  ///   and after the work; an error of the work is a result.
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

  /// Works the runs that are ready and due, after it has folded all committed events.
  ///
  /// - Parameter tell: called after every step but the last, with the report so far.
  /// - Throws: `PostgresError` before and after the work; an error of the work is a result.
  package func workDue(tell: @Sendable (Report) -> Void = { _ in }) async throws -> Result {
    try await entered {
      let queue = Queue(try await registration.control.session())
      _ = try await queue.fold()
      registration.worker.learn(try await queue.poll().dueJobs)
      var (runs, sum) = (0, Report())
      while let claim = try await executor.claimInTurn(job) {
        let before = sum
        switch await finish(claim, tell: { tell(before + $0) }) {
        case .done(let worked, let report):
          runs += worked
          sum += report
        // The other runs of its batch are ready again.
        case .cancelled: continue
        case let result: return result
        }
      }
      return .done(runs: runs, report: sum)
    }
  }

  /// Fires the due occurrences of the job's schedules and works them now, while workers may do the same.
  ///
  /// The occurrences are marked as fired. If the occurrences of a schedule share a key, that key is worked even if
  /// none was due, because a person requested it. If each occurrence has a run of its own, those runs are worked.
  ///
  /// - Parameters:
  ///   - patience: how long to wait while the shared key is running elsewhere.
  ///   - tell: called after every step but the last, with the report so far.
  /// - Throws: `PostgresError` before and after the work; an error of the work is a result.
  package func workSchedule(
    patience: Duration = .seconds(10), tell: @Sendable (Report) -> Void = { _ in }
  ) async throws -> Result {
    let session = try await registration.control.session()
    if try await Scheduler(session, jobs: [job]).fireDue() > 0 {
      // Otherwise the event would become a second run of the same work.
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
    case .undone(let snooze as Snooze, _): .snoozed(snooze.wait, reason: snooze.reason)
    case .undone where Task.isCancelled: .stopped
    case .undone(let error, .deadLetter): .dead("\(error)")
    case .undone(let error, _): .failed("\(error)")
    }
  }

  // MARK: Parts

  private func claim(_ key: String, patience: Duration) async throws -> Claim? {
    let deadline = ContinuousClock.now + patience
    let token = UUID()
    let call = QueueCalls.claimKey(
      job.definition, key: key, token: token, worker: registration.worker.identity.id)
    while !Task.isCancelled {
      do {
        let session = try await registration.control.session()
        let order = try await session.atomically(QueueCalls.readClaimOrder(job.definition))
        let runs =
          try await order.isInTurn
          ? session.claimInTurn(job.definition, limit: 1) { _ in call }
          : session.claim(job.definition, call)
        if !runs.isEmpty { return Claim(job: job, token: token, runs: runs) }
        guard .now < deadline else { return nil }
        // The process that runs the key may have been killed, and there may be no worker that takes the run over. A
        // job that only cron starts would then be "already running" for ever.
        _ = try await Queue(session).reclaim()
      } catch let error as PostgresError where error.sqlState == .uniqueViolation {
        // Another process claimed the key at the same time: it is running elsewhere.
        guard .now < deadline else { return nil }
      } catch {
        // The cancellation ended a statement.
        guard Task.isCancelled else { throw error }
      }
      try? await Task.sleep(for: .milliseconds(50))
    }
    return nil
  }

  /// Registers a worker while `body` runs, so that its runs are taken over if this process dies.
  private func entered(_ body: () async throws -> Result) async throws -> Result {
    let session = try await registration.control.session()
    try await registration.enter(on: session)
    let watching = Task { await registration.watchBesideWork() }
    defer { watching.cancel() }
    // Cancels the current statement too, so that the caller does not have to wait for it.
    let result = try await withTaskCancellationHandler {
      try await body()
    } onCancel: {
      registration.control.cancel()
    }
    try await registration.leave(on: session)
    await registration.control.close()
    return result
  }
}
