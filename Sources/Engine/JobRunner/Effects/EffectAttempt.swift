import BatonJobs
import BatonPostgres
import Logging
import Synchronization

/// One attempt of one run of an effect job.
///
/// The effect is performed outside any transaction. After the effect succeeds, the run is completed
/// together with other runs. After the effect fails, a short transaction stores the failure. The
/// attempt has a task only while the effect is being performed, or while the run is being settled
/// separately.
final class EffectAttempt: Sendable {
  private struct State {
    /// Whether one of the effect's transactions has completed the run.
    var isEnded = false
    /// Whether the run may have stored steps.
    var hasSteps = false
    /// The names of the steps in which the attempt has searched for an event.
    var waits: [String] = []
    var isCancelled = false
    /// Whether the attempt has lost one of the worker's connections.
    var hasLostSession = false
    /// The task that settles the run separately from other runs.
    var settling: Task<Void, Never>?
  }

  /// The maximum size of a stored output, in bytes of JSON.
  private static let longestOutput = 65_536

  /// A claim of one run, or one part of a divided claim.
  let claim: Claim
  let crew: EffectCrew
  private let observed: ObservedAttempt
  private let task = EffectTask()
  private let state = Mutex(State())

  init(_ claim: Claim, crew: EffectCrew, at now: Timestamp) {
    precondition(claim.runs.count == 1, "effects are performed one by one")
    self.claim = claim
    self.crew = crew
    observed = crew.worker.observe(claim, at: now, isWatched: true)
  }

  var job: JobDefinition { claim.job.definition }
  var worker: WorkerContext { crew.worker }
  var sessions: SessionPool { crew.sessions }
  var logger: Logger { worker.logger.about(claim) }

  /// The time since the attempt began.
  var elapsed: Duration { observed.elapsed }
  private var began: ContinuousClock.Instant { observed.began }

  /// Performs the run's effect, unless another worker may already have claimed the run.
  ///
  /// After the run is completed or settled, the attempt calls ``EffectCrew/done(_:)`` or
  /// ``EffectCrew/end(_:_:)``.
  func start() {
    guard case .effect(let perform) = claim.job.work else {
      preconditionFailure("\(job.name) works in transactions")
    }
    task.start(for: self, on: crew.threads) { [self] in
      try await observed.within {
        // The effect may have waited for a thread, and its run may be settled already.
        if let cause = task.cause { throw reason(cause) }
        guard worker.lease.isValid, isInTerm else { throw reason(.lease) }
        return try await perform(claim.runs[0], worker.logger, Effect(attempt: self))
      }
    }
  }

  // MARK: Cancellation

  /// Cancels the effect, and the settling of the run, because the worker is stopping.
  ///
  /// Without this cancellation, the worker could not stop while the server is unreachable.
  func cancel() {
    let settling = state.withLock { state in
      state.isCancelled = true
      return state.settling
    }
    settling?.cancel()
    task.cancel(for: .stop, of: self)
  }

  /// Cancels the effect, because a client requested that the run be cancelled.
  func cancelAsRequested() { task.cancel(for: .request, of: self) }

  /// Whether the effect was cancelled because a client requested it.
  var isCancelledOnRequest: Bool { task.cause == .request }

  /// Cancels the effect if its timeout or the lease has expired.
  ///
  /// - Parameter leaseIsOver: whether other workers may now claim the run.
  func checkTime(leaseIsOver: Bool) {
    if elapsed >= job.timeout { task.cancel(for: .timeout, of: self) }
    if leaseIsOver || !isInTerm { task.cancel(for: .lease, of: self) }
  }

  /// Whether the worker has held its lease without interruption since the claim was sent.
  private var isInTerm: Bool { worker.lease.term == claim.term }

  private func reason(_ cause: EffectTask.Cause) -> any Error {
    switch cause {
    case .timeout: JobTimeout(limit: job.timeout)
    case .stop: Interrupted(description: "the worker stopped")
    case .request: Cancelled()
    case .lease: Interrupted(description: "the server was out of reach for too long")
    }
  }

  // MARK: Completion

  /// Records that one of the effect's transactions has completed the run.
  func endByTransaction() { state.withLock { $0.isEnded = true } }

  /// Records that the run may have stored steps, which are deleted when the run is completed.
  func noteSteps() { state.withLock { $0.hasSteps = true } }

  /// Records that one of the attempt's steps may wait for an event.
  func noteWait(_ name: String) {
    state.withLock { state in
      state.hasSteps = true
      state.waits.append(name)
    }
  }

  /// Deletes the stored steps of the run, in the transaction that completes the run.
  func endSteps(in transaction: Transaction) async throws {
    guard state.withLock({ $0.hasSteps }) else { return }
    try await transaction.run(QueueCalls.endCheckpoint(claim))
  }

  /// Reports the result of the attempt to metrics, spans and the watcher.
  func note(_ result: AttemptResult) { observed.end(result) }

  /// Completes the run separately, after it could not be completed in a group.
  ///
  /// After a temporary error, the completion is retried while the worker's lease is valid. Once the
  /// lease has expired, another worker can claim the run. If the run were not completed, the next
  /// attempt would perform the effect again.
  func completeAlone(_ output: String?) {
    settle { await self.complete(output) }
  }

  private func complete(_ output: String?) async -> AttemptResult {
    do {
      try await persist(output, "cannot end yet") { try await self.complete(output, on: $0) }
      return .done(Report())
    } catch let error as PostgresError where output != nil && error.sqlState != .claimLost {
      // The effect has already happened, so an output that cannot be stored must not cause a retry
      // of the run.
      logger.warning("its output cannot be kept: \(FailedAttempt.text(error))")
      return await complete(nil)
    } catch {
      return await store(failedAttempt(error))
    }
  }

  /// Waits until one of the worker's sessions is free, and records whether `body` has lost its
  /// connection.
  ///
  /// - Parameter isOwn: whether `body` is the effect's own transaction.
  func withSession<R>(
    isOwn: Bool = false, _ body: (ReconnectingSession) async throws -> R
  ) async throws -> R {
    try await sessions.with(for: isOwn ? self : nil) { reconnecting in
      do {
        return try await body(reconnecting)
      } catch {
        if reconnecting.isBroken { state.withLock { $0.hasLostSession = true } }
        throw error
      }
    }
  }

  /// Executes a short transaction that stores the result of an effect or step that has already been
  /// performed.
  ///
  /// After a temporary error, the transaction is repeated until the attempt is cancelled or the
  /// worker's lease has expired.
  ///
  /// - Parameters:
  ///   - value: the text that the transaction stores, or nil. If the text may have caused an error,
  ///     the transaction is not repeated.
  ///   - failure: the log message after a temporary error.
  func persist(
    _ value: String?, _ failure: String, _ body: (ReconnectingSession) async throws -> Void
  ) async throws {
    var pause = ReconnectPause(upTo: .seconds(1))
    while true {
      do {
        return try await withSession(body)
      } catch let error as PostgresError where mayWait && Self.canPass(error, with: value) {
        worker.failures.note(error, failure, of: job.name, with: logger)
        await sessions.with { await $0.reconnect(while: { mayWait }) }
        try? await Task.sleep(for: pause.next())
      }
    }
  }

  /// Returns whether the completion of a run is retried after this error.
  ///
  /// If the output may have caused the error, the result is false, and the run is completed without
  /// its output.
  static func canPass(_ error: PostgresError, with output: String?) -> Bool {
    guard error.sqlState.isWaitedFor else { return false }
    return output == nil || !error.sqlState.failure.mayBeOfValue
  }

  private var mayWait: Bool { worker.lease.isValid && !Task.isCancelled }

  private func complete(_ output: String?, on reconnecting: ReconnectingSession) async throws {
    let complete = QueueCalls.complete(claim, report: Report(), took: elapsed, output: output)
    let session = try await reconnecting.session()
    guard !state.withLock({ $0.hasSteps }) else {
      try await session.atomically(
        complete, QueueCalls.endPayloads(claim), QueueCalls.endCheckpoint(claim))
      return
    }
    guard claim.mayHavePayloads else { return try await session.atomically(complete) }
    try await session.atomically(complete, QueueCalls.endPayloads(claim))
  }

  /// Whether completing the run also stores history or deletes payloads.
  var storesMore: Bool { job.keepsHistory || claim.mayHavePayloads }

  private func kept(_ output: String?) -> String? {
    guard let output, job.keepsHistory else { return nil }
    guard output.utf8.count <= Self.longestOutput else {
      logger.warning("its output of \(output.utf8.count) bytes is not kept, 65,536 are the most")
      return nil
    }
    return output
  }

  // MARK: Settling

  private func failedAttempt(_ error: any Error) -> FailedAttempt {
    var failed = FailedAttempt(claim: claim, error: error, worker: worker, elapsed: elapsed)
    (failed.waits, failed.hasLostSession) = state.withLock { ($0.waits, $0.hasLostSession) }
    return failed
  }

  private func settleFailure(_ error: any Error) {
    var failed = failedAttempt(error)
    failed.compare(begunAt: began)
    settle { [failed] in await self.store(failed) }
  }

  private func store(_ failed: FailedAttempt) async -> AttemptResult {
    await sessions.with { await failed.settle(on: $0) }
  }

  /// Settles the run in a task, which is cancelled when the worker stops.
  private func settle(_ body: @escaping @Sendable () async -> AttemptResult) {
    let settling = Task {
      // If the attempt is cancelled, this task is also cancelled so that its failure counts as an
      // interruption.
      if state.withLock({ $0.isCancelled }) { withUnsafeCurrentTask { $0?.cancel() } }
      let result = await observed.within(body)
      if case .done = result { return crew.done([self]) }
      note(result)
      crew.end([self], result)
    }
    let isCancelled = state.withLock { state in
      state.settling = settling
      return state.isCancelled
    }
    if isCancelled { settling.cancel() }
  }
}

extension EffectAttempt: EffectTask.Owner {
  /// Completes or settles the run after the effect has ended or has been abandoned.
  ///
  /// The method does not block, because it is called on a thread that performs effects.
  func ended(_ end: EffectTask.End) {
    let (isEnded, hasSteps) = state.withLock { ($0.isEnded, $0.hasSteps) }
    guard !isEnded else {
      worker.worksAgain(claim, begunAt: began)
      return crew.done([self])
    }
    switch end {
    // A group completion finds runs by the `ctid` at the time of the claim. Storing the first step
    // updates the run's row and changes the `ctid`, so a run with steps is completed separately.
    case .returned(let output):
      worker.worksAgain(claim, begunAt: began)
      guard !hasSteps else { return completeAlone(kept(output)) }
      sessions.completion.add(self, output: kept(output))
    case .threw(let error):
      settleFailure(task.cause.map(reason) ?? error)
    case .abandoned:
      logger.error("given up, it does not end")
      sessions.replaceSessions(of: self)
      settleFailure(reason(task.cause ?? .timeout))
    }
  }

  func mayBeAbandoned() { crew.permits.mayBeAbandoned(self) }

  func isOver() { crew.permits.isOver(self) }
}
