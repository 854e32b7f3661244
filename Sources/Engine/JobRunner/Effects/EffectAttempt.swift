import BatonJobs
import BatonPostgres
import Logging
import RunnerSQL

/// One attempt at one run of an effect job.
///
/// The effect is performed without a transaction. A short transaction then completes the run or
/// stores the failure.
struct EffectAttempt: Sendable {
  /// The maximum size of a stored output, in bytes of JSON.
  private static let longestOutput = 65_536

  let claim: Claim
  let worker: WorkerContext
  let sessions: SessionPool
  let threads: EffectThreads
  /// Called when the task has actually ended, even if it was abandoned before.
  var onEnd: @Sendable () -> Void = {}
  private let task = EffectTask()
  private let ending = EffectEnding()

  /// Creates an attempt.
  ///
  /// - Parameter claim: a claim of one run, or one part of a divided claim.
  init(
    _ claim: Claim, worker: WorkerContext, sessions: SessionPool, threads: EffectThreads
  ) {
    precondition(claim.runs.count == 1, "effects are performed one by one")
    self.claim = claim
    self.worker = worker
    self.sessions = sessions
    self.threads = threads
  }

  private var run: ClaimedRun { claim.runs[0] }
  private var job: JobDefinition { claim.job.definition }

  /// Cancels the task, because the worker stops.
  func cancel() { task.cancel(for: .stop) }

  /// Performs the run and stores the result.
  func work() async -> AttemptResult {
    await worker.measured(claim) { await perform() }
  }

  private func perform() async -> AttemptResult {
    guard case .effect(let perform) = claim.job.work else {
      preconditionFailure("\(job.name) works in transactions")
    }
    let effect = Effect(claim: claim, sessions: sessions, ending: ending)
    task.start(on: threads, onEnd: onEnd) { [run, logger = worker.logger] in
      try await perform(run, logger, effect)
    }
    let work = worker.inHand.begin(claim) { [task] in task.cancel(for: .request) }
    defer { worker.inHand.end(work) }
    let watched = worker.deadlines.begin(task, timeout: job.timeout)
    let end = await withTaskCancellationHandler {
      await task.end
    } onCancel: {
      cancel()
    }
    worker.deadlines.end(watched)
    return await settle(end)
  }

  // MARK: Completion

  private func settle(_ end: EffectTask.End) async -> AttemptResult {
    guard !ending.isEnded else { return done() }
    switch end {
    case .returned(let output): return await complete(kept(output))
    case .threw(let error): return await settle(task.cause.map(reason) ?? error)
    case .abandoned:
      let cause = task.cause ?? .timeout
      logger.error("given up, it does not end")
      return await settle(reason(cause))
    }
  }

  private func reason(_ cause: EffectTask.Cause) -> any Error {
    switch cause {
    case .timeout: JobTimeout(limit: job.timeout)
    case .stop: Interrupted(description: "the worker stopped")
    case .request: Cancelled()
    case .lease: Interrupted(description: "the server was out of reach for too long")
    }
  }

  private func settle(_ error: any Error) async -> AttemptResult {
    var failed = FailedAttempt(claim: claim, error: error, worker: worker)
    failed.elapsed = ending.elapsed
    return await sessions.with { [failed] in await failed.settle(on: $0) }
  }

  /// Completes the run.
  ///
  /// The effect has already happened. Transient errors are therefore retried until another worker
  /// may claim the run.
  private func complete(_ output: String?) async -> AttemptResult {
    if !job.keepsHistory, job.payloads != .all,
      await sessions.completion.complete(claim, on: sessions)
    {
      return done()
    }
    var pause = ReconnectPause(upTo: .seconds(1))
    while true {
      do {
        try await sessions.with { try await complete(output, on: $0) }
        return done()
      } catch let error as PostgresError where error.sqlState.isTransient && mayWait {
        worker.failures.note(error, "cannot end yet", of: job.name, with: logger)
        await sessions.with { await $0.reconnect(while: { mayWait }) }
        try? await Task.sleep(for: pause.next())
      } catch let error as PostgresError where output != nil && error.sqlState != .claimLost {
        // The effect has already happened, so an output that cannot be stored must not cause a
        // repetition.
        logger.warning("its output cannot be kept: \(error)")
        return await complete(nil)
      } catch {
        return await settle(error)
      }
    }
  }

  private var logger: Logger { worker.logger.about(claim) }

  private var mayWait: Bool { worker.lease.isValid && !Task.isCancelled }

  private func complete(_ output: String?, on reconnecting: ReconnectingSession) async throws {
    let complete = QueueCalls.complete(
      claim, report: Report(), took: ending.elapsed, output: output)
    let session = try await reconnecting.session()
    guard job.payloads == .all else { return try await session.atomically(complete) }
    try await session.atomically(complete, QueueCalls.endPayloads(claim))
  }

  private func done() -> AttemptResult {
    worker.succeeded(claim)
    return .done(Report())
  }

  private func kept(_ output: String?) -> String? {
    guard let output, job.keepsHistory else { return nil }
    guard output.utf8.count <= Self.longestOutput else {
      logger.warning("its output of \(output.utf8.count) bytes is not kept, 65,536 are the most")
      return nil
    }
    return output
  }
}
