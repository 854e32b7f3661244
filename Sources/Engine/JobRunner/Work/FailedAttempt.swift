import BatonJobs
import BatonPostgres
import Logging

/// An attempt that failed: decides what becomes of its runs, and writes it down.
struct FailedAttempt {
  let claim: Claim
  let error: any Error
  let worker: WorkerContext
  /// What the steps did that committed, and how long all took.
  var report = Report()
  var elapsed = Duration.zero
  /// Whether a step of it has committed: then the attempts of its run are counted from this one.
  private var hasCommitted = false

  /// A run that fails so often in ten minutes is dead, whatever it committed: a job that commits a step and fails in
  /// the next one would else be tried without end.
  private static let mostRecentFailures = 20

  init(claim: Claim, error: any Error, worker: WorkerContext) {
    self.claim = claim
    self.error = error
    self.worker = worker
  }

  init(attempt: Attempt, error: any Error, worker: WorkerContext) {
    self.init(claim: attempt.claim, error: error, worker: worker)
    report = attempt.report
    elapsed = attempt.elapsed
    hasCommitted = attempt.hasCommitted
  }

  private var job: JobDefinition { claim.job.definition }

  /// Tries until it is written down or the worker stops.
  func settle(on reconnecting: ReconnectingSession) async -> AttemptResult {
    guard (error as? PostgresError)?.sqlState != .claimLost else {
      worker.logger.about(claim).warning("taken over by another worker")
      // Perhaps not all of it: a reclaim passes over runs that were locked at that moment.
      worker.identity.claims.abandon(claim.token)
      return .undone(error, nil)
    }
    let named = named
    guard !named.isEmpty else { return await settleAll(on: reconnecting) }
    let decision = await settleNamed(on: reconnecting)
    let others = claim.without(Array(named.keys))
    var isSettled = decision != nil
    if !others.runs.isEmpty {
      let back = FailureDecision.release(attemptsOff: 1, wait: .zero, batchLimit: nil)
      isSettled = await write(back, of: others, because: "", on: reconnecting) != nil && isSettled
    }
    end(isSettled: isSettled)
    return .undone(error, decision)
  }

  private func settleAll(on reconnecting: ReconnectingSession) async -> AttemptResult {
    let attempt = hasCommitted ? await attemptSinceProgress(on: reconnecting) : nil
    let decision = decide(error, runs: claim.runs, attempt: attempt)
    log(error, of: claim, decision)
    let cancelled = await write(
      decision, of: claim, because: Self.text(error), on: reconnecting)
    end(isSettled: cancelled != nil)
    if error is Cancelled || cancelled == claim.runs.count { return .cancelled }
    return .undone(error, decision)
  }

  /// Settles the runs that the error names, each as if it had failed alone, and leaves the others alone; the
  /// claim goes on.
  ///
  /// - Returns: what becomes of the first; nil where it could not be written down.
  func settleNamed(on reconnecting: ReconnectingSession) async -> FailureDecision? {
    let named = named
    var first: FailureDecision?
    for run in claim.runs {
      guard let error = named[run.id] else { continue }
      let part = claim.with([run])
      let decision = decide(error, runs: part.runs)
      log(error, of: part, decision)
      guard
        await write(decision, of: part, because: Self.text(error), on: reconnecting) != nil
      else { return nil }
      first = first ?? decision
    }
    return first
  }

  // MARK: Parts

  /// The runs of the claim that the error names.
  ///
  /// Not those that were tried when another had already broken the transaction: nothing is known of them.
  private var named: [Int64: any Error] {
    guard let errors = (error as? FailedRuns)?.errors else { return [:] }
    let ids = Set(claim.runs.map(\.id))
    return errors.filter { id, error in
      ids.contains(id) && (error as? PostgresError)?.sqlState != .inFailedTransaction
    }
  }

  /// - Parameter attempt: which attempt this counts as; nil: the highest of the runs.
  private func decide(
    _ error: any Error, runs: [ClaimedRun], attempt: Int? = nil
  ) -> FailureDecision {
    FailureDecision(
      on: cause(of: error), runs: runs.count,
      attempt: attempt ?? runs.map(\.attempt).max() ?? 1,
      retry: job.retry, jitter: .random(in: 0...1))
  }

  /// The first attempt again, after a committed step; the last one if too many failed lately.
  private func attemptSinceProgress(on reconnecting: ReconnectingSession) async -> Int {
    guard let run = claim.runs.first,
      let session = try? await reconnecting.session(),
      let failures = try? await session.atomically(QueueCalls.countRecentFailures(of: run))
    else { return 1 }
    return failures + 1 < Self.mostRecentFailures ? 1 : .max
  }

  private func log(_ error: any Error, of part: Claim, _ decision: FailureDecision) {
    let level: Logger.Level =
      switch (error, decision) {
      case (is Snooze, _): .debug
      case (is Cancelled, _): .notice
      case (_, .deadLetter): .error
      default: .warning
      }
    let end = error is Cancelled ? "cancelled" : "not done, \(Self.text(decision))"
    worker.logger.about(part).log(level: level, "\(end): \(error)")
  }

  private static func text(_ decision: FailureDecision) -> String {
    switch decision {
    case .deadLetter: "dead"
    case .release(_, .zero, nil): "given back"
    case .release(_, .zero, _): "again in smaller batches"
    case .release(_, let wait, _): "again in \(Int(wait / .milliseconds(1))) ms"
    }
  }

  /// How many of the runs somebody had cancelled; nil where it could not be written down.
  ///
  /// Those end as cancelled, whatever the decision on the others.
  private func write(
    _ decision: FailureDecision, of part: Claim, because text: String,
    on reconnecting: ReconnectingSession
  ) async -> Int? {
    let settle: Call<Int>
    let counts: Bool
    switch decision {
    case .release(let off, let wait, let limit):
      counts = off == 0
      settle = QueueCalls.release(
        part, attemptsOff: off, wait: wait, batchLimit: limit,
        error: off > 0 && limit == nil ? nil : text)
    case .deadLetter:
      counts = true
      settle = QueueCalls.deadLetter(part, error: text, report: report, took: elapsed)
    }
    for _ in 0..<20 {
      do {
        let (_, _, _, cancelled, _) = try await reconnecting.session().atomically(
          QueueCalls.waitForClaimed(part), QueueCalls.lockCancellations,
          QueueCalls.recordFailed(part, took: elapsed, error: counts ? text : nil),
          QueueCalls.endCancelled(part, report: report, took: elapsed), settle)
        return cancelled
      } catch {
        worker.logger.about(part).warning("cannot settle yet: \(error)")
        await reconnecting.reconnect(while: { !Task.isCancelled })
      }
    }
    return nil
  }

  /// The claim is over; what could not be written down is looked for.
  func end(isSettled: Bool) {
    let claims = worker.identity.claims
    if isSettled { claims.end(claim.token) } else { claims.abandon(claim.token) }
  }

  private static func text(_ error: any Error) -> String {
    String(describing: error).replacing("\0", with: "")
  }

  private func cause(of error: any Error) -> FailureDecision.Cause {
    if error is Permanent { return .permanent }
    if (error as? PostgresError)?.sqlState == .endlessChain { return .permanent }
    if error is Interrupted || error is Cancelled { return .interrupted }
    if let snooze = error as? Snooze { return .snoozed(snooze.wait) }
    if worker.wakeUp.isStopping || Task.isCancelled { return .interrupted }
    guard let error = error as? PostgresError else { return .failed }
    if error.sqlState.isConnectionLoss { return .interrupted }
    return error.sqlState.isTransient ? .transient : .failed
  }
}

/// How an attempt ended.
enum AttemptResult {
  case done(Report)
  /// The error, and what became of the runs; nil where somebody else has them.
  case undone(any Error, FailureDecision?)
  /// Somebody cancelled a run of it: that one is taken out, the others are given back.
  case cancelled
}
