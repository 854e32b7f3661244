package import BatonJobs
package import BatonPostgres
import Foundation
package import Logging

/// Works a job by hand: the same code, the same locks and the same fence as a worker.
package struct InlineRunner: Sendable {
  /// What a run by hand came to.
  package enum Result: Sendable, Equatable {
    /// So many runs were done, and this is what they did.
    case done(runs: Int, report: Report)
    /// The key was running elsewhere for as long as was waited, or limits of the job left it no room.
    case alreadyRunning
    /// The job is not to be done yet: it is due again after this time.
    case snoozed(Duration, reason: String?)
    /// The task was cancelled: its runs are given back with their attempt.
    case stopped
    /// Somebody cancelled the run.
    case cancelled
    /// It failed, and is tried again as the job defines.
    case failed(String)
    /// It failed for the last time: the run is a dead letter.
    case dead(String)
  }

  let job: RegisteredJob
  let registration: Registration
  private let executor: RunExecutor

  /// An inline runner of one job; nothing is opened yet.
  package init(
    _ job: RegisteredJob, on configuration: ConnectionConfiguration, schema: Schema,
    logger: Logger
  ) {
    self.job = job
    registration = Registration(
      of: WorkerContext([job], logger: logger), on: configuration, in: schema)
    executor = registration.makeSharingExecutor()
  }

  /// Works one key now, debounce and backoff aside, together with its ready run if it has one.
  ///
  /// - Parameters:
  ///   - key: the key of the run.
  ///   - patience: how long to wait while the key runs elsewhere.
  ///   - tell: what was done so far, after every step but the last.
  /// - Throws: ``UnreadableRun`` where the job cannot read the key, before anything is claimed;
  ///   `PostgresError` before and after the work; an error of the work is a result.
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

  /// Works what is ready and due, after folding what has committed.
  ///
  /// - Parameter tell: what was done so far, after every step but the last.
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
        // The others of its batch are ready again.
        case .cancelled: continue
        case let result: return result
        }
      }
      return .done(runs: runs, report: sum)
    }
  }

  /// Fires what is due of the job's schedules and works it now, beside whoever else does.
  ///
  /// The occurrences are marked as fired. Where those of a schedule share a key it is worked even if none was
  /// due: a person asked. Where each has a run of its own, those runs are worked.
  ///
  /// - Parameters:
  ///   - patience: how long to wait while the shared key runs elsewhere.
  ///   - tell: what was done so far, after every step but the last.
  /// - Throws: `PostgresError` before and after the work; an error of the work is a result.
  package func workSchedule(
    patience: Duration = .seconds(10), tell: @Sendable (Report) -> Void = { _ in }
  ) async throws -> Result {
    let session = try await registration.control.session()
    if try await Scheduler(session, jobs: [job]).fireDue() > 0 {
      // Else the event would become a second run of what is done here.
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
        // Whoever has it may have been killed, and there need not be a worker that takes it over:
        // run by cron alone, the job would be "already running" for ever.
        _ = try await Queue(session).reclaim()
      } catch let error as PostgresError where error.sqlState == .uniqueViolation {
        // Somebody claimed the key between our look and our claim: it runs elsewhere.
        guard .now < deadline else { return nil }
      } catch {
        // A statement that the cancellation ended.
        guard Task.isCancelled else { throw error }
      }
      try? await Task.sleep(for: .milliseconds(50))
    }
    return nil
  }

  /// Enters a worker for the time of `body`, so that its runs are taken over if this process dies.
  private func entered(_ body: () async throws -> Result) async throws -> Result {
    let session = try await registration.control.session()
    try await registration.enter(on: session)
    let watching = Task { await registration.watchBesideWork() }
    defer { watching.cancel() }
    // A statement that runs is ended too: nobody wants to wait for it.
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
