import BatonJobs
import BatonPostgres
import Foundation
import Logging

/// Decides how the runs of a failed attempt are settled, and stores the decision.
struct FailedAttempt {
  let claim: Claim
  let error: any Error
  let worker: WorkerContext
  /// The number of runs in the failed batch, if one of them was then retried alone.
  ///
  /// If no run of the batch was retried alone, the value is 1.
  ///
  /// After one run of the batch was retried alone, `claim` contains only the batch's remaining
  /// runs.
  ///
  /// Even a single remaining run counts as part of the failed batch. The failure of a batch never
  /// makes a run dead.
  private let failedTogether: Int
  /// The duration of the whole attempt.
  let elapsed: Duration
  /// The part of the attempt that has not been stored yet.
  let unrecorded: Attempt.Part
  /// Whether one of the attempt's steps has committed.
  ///
  /// Failures before the committed step no longer count towards the maximum number of attempts.
  private var hasCommitted = false
  /// Whether the attempt has lost one of the worker's connections.
  ///
  /// If one of the worker's connections is lost, the attempt is interrupted. If the job itself
  /// throws a connection error, for example from another database, the attempt has failed.
  var hasLostSession = false
  /// The result of ``compare(begunAt:)``, or nil if the failure is compared when it is settled.
  private var extent: CommonFailures.Extent?
  /// The names of an effect's steps that have searched for an event.
  ///
  /// If the attempt ends with a ``Snooze``, an event for one of the steps makes the run due.
  var waits: [String] = []

  /// A run with this many failures within ten minutes becomes dead, even if some of its steps have
  /// committed.
  ///
  /// Without this limit, a job that commits one step and fails in the next step would be retried
  /// forever.
  private static let mostRecentFailures = 20

  init(
    claim: Claim, error: any Error, worker: WorkerContext, elapsed: Duration = .zero,
    failedTogether: Int = 1
  ) {
    self.failedTogether = failedTogether
    self.claim = claim
    self.error = error
    self.worker = worker
    self.elapsed = elapsed
    unrecorded = Attempt.Part(report: Report(), took: elapsed)
  }

  init(attempt: Attempt, error: any Error, worker: WorkerContext) {
    failedTogether = 1
    claim = attempt.claim
    self.error = error
    self.worker = worker
    elapsed = attempt.elapsed
    unrecorded = attempt.unrecorded
    hasCommitted = attempt.hasCommitted
  }

  /// Compares the failure with the failures of other runs before the failure is settled.
  ///
  /// Many effects can fail while all sessions are in use. If their failures were compared only when
  /// they get a session, the successes between them would be counted too early. A failure of each
  /// tenth effect would then look like a failure of every effect.
  ///
  /// An undecodable run is compared later, because another release may be able to decode it.
  ///
  /// - Parameter began: the time when the effect began.
  mutating func compare(begunAt began: ContinuousClock.Instant) {
    guard !(error is UndecodableRun), !hasLost(error) else { return }
    extent = worker.commonFailures.failed(claim, error, begunAt: began)
  }

  var job: JobDefinition { claim.job.definition }
  var metrics: RunMetrics? { worker.metrics[job.name] }
  /// The worker's estimate of the server's current time.
  private var now: Date { worker.serverClock.now.date }

  /// Stores the decision about the runs, and retries after errors.
  ///
  /// The worker tries to store the decision for half a minute. If all attempts fail, the worker
  /// keeps trying to release the runs until it ends.
  func settle(on reconnecting: ReconnectingSession) async -> AttemptResult {
    guard (error as? PostgresError)?.sqlState != .claimLost else {
      worker.logger.about(claim).warning("taken over by another worker")
      // A reclaim by another worker skips locked runs, so some runs of the claim may still belong
      // to this worker.
      worker.identity.claims.abandon(claim.token)
      metrics?.lose(claim.runs.count)
      return .undone(error, nil)
    }
    let named = named
    guard !named.isEmpty else { return await settleAll(on: reconnecting) }
    let decision = await settleNamed(on: reconnecting)
    let others = claim.without(Array(named.keys))
    var isSettled = decision != nil
    if !others.runs.isEmpty {
      worker.commonFailures.leaveUnnamed(others)
      let back = FailureDecision.release(attemptsOff: 1, wait: .zero, batchLimit: nil)
      isSettled =
        await write(back, of: others, because: error, on: reconnecting) != nil && isSettled
    }
    end(isSettled: isSettled)
    return .undone(error, decision)
  }

  private func settleAll(on reconnecting: ReconnectingSession) async -> AttemptResult {
    let attempt = hasCommitted ? await attemptSinceProgress(on: reconnecting) : nil
    let decision = decide(error, runs: claim.runs, attempt: attempt)
    log(error, of: claim, decision)
    let cancelled = await write(decision, of: claim, because: error, on: reconnecting)
    end(isSettled: cancelled != nil)
    if error is Cancelled || cancelled == claim.runs.count { return .cancelled }
    return .undone(error, decision)
  }

  /// Settles only the runs that are listed in the error.
  ///
  /// For each listed run, the decision is the same as for a failed claim that contains only that
  /// run. If the error lists only some of the claim's runs, a listed run is compared with other
  /// failed runs only if an earlier failed batch did not list it. A job that throws at the first
  /// failure lists one run of each batch, and lists the next runs later.
  ///
  /// The claim continues with the runs that the error does not list.
  ///
  /// - Returns: the decision about the first run listed in the error, or nil if a decision could
  ///   not be stored.
  func settleNamed(on reconnecting: ReconnectingSession) async -> FailureDecision? {
    let named = named
    let unreadable = claim.with(claim.runs.filter { named[$0.id] is UndecodableRun })
    guard let left = await leave(unreadable, named, on: reconnecting) else { return nil }
    var first = left.decision
    for run in claim.runs where !left.runs.contains(run.id) {
      guard let error = named[run.id] else { continue }
      let part = claim.with([run])
      let decision = decide(
        error, runs: part.runs,
        isCompared: named.count == claim.runs.count
          || worker.commonFailures.wasUnnamed(run.id, of: job.name))
      log(error, of: part, decision)
      guard
        await write(decision, of: part, because: error, on: reconnecting) != nil
      else { return nil }
      first = first ?? decision
    }
    return first
  }

  // MARK: Steps

  /// Makes undecodable runs ready again so that a worker of another release can claim them.
  ///
  /// The failed attempts of these runs do not count. If no worker of another release processes the
  /// job, an undecodable run counts as failed. If another release has already failed to decode the
  /// run, the run also counts as failed. If the server does not respond, the runs are released in
  /// the same way as after an interruption.
  ///
  /// - Returns: the ids of the settled runs and the decision, or nil if the decision could not be
  ///   stored.
  private func leave(
    _ unreadable: Claim, _ errors: [Int64: any Error], on reconnecting: ReconnectingSession
  ) async -> (runs: Set<Int64>, decision: FailureDecision?)? {
    guard let release = worker.release, !unreadable.runs.isEmpty else { return ([], nil) }
    let found = try? await reconnecting.session().atomically(
      QueueCalls.listLeavable(unreadable, by: release))
    let left = found.map(Set.init) ?? Set(unreadable.runs.map(\.id))
    guard !left.isEmpty else { return ([], nil) }
    let decision = FailureDecision.release(
      attemptsOff: 1, wait: .zero, batchLimit: found == nil ? nil : release.leftLimit)
    let alike = Dictionary(grouping: unreadable.runs.filter { left.contains($0.id) }) {
      errors[$0.id].map(Self.text) ?? ""
    }
    for runs in alike.values {
      guard let error = errors[runs[0].id] else { continue }
      worker.failures.note(
        error, "left to another release", of: job.name, with: worker.logger.about(job))
      guard await write(decision, of: claim.with(runs), because: error, on: reconnecting) != nil
      else { return nil }
    }
    return (left, decision)
  }

  /// The ids of the runs that are listed in the error, together with each run's error.
  ///
  /// Runs after the run that aborted the transaction are excluded, because their result is unknown.
  private var named: [Int64: any Error] {
    if let error = error as? UndecodableRun {
      let own = error.naming(worker.release)
      return Dictionary(claim.runs.map { ($0.id, own) }) { first, _ in first }
    }
    guard let errors = (error as? FailedRuns)?.errors else { return [:] }
    let ids = Set(claim.runs.map(\.id))
    return errors.filter { id, error in
      ids.contains(id) && (error as? PostgresError)?.sqlState != .inFailedTransaction
    }.mapValues { ($0 as? UndecodableRun)?.naming(worker.release) ?? $0 }
  }

  /// Decides how the runs are settled.
  ///
  /// - Parameters:
  ///   - attempt: the attempt number to use, or nil for the runs' highest attempt number.
  ///   - isCompared: whether the failure is compared with failures of other runs.
  private func decide(
    _ error: any Error, runs: [ClaimedRun], attempt: Int? = nil, isCompared: Bool = true
  ) -> FailureDecision {
    FailureDecision(
      on: cause(of: error, runs, isCompared: isCompared), error,
      runs: max(runs.count, failedTogether),
      attempt: attempt ?? runs.map(\.attempt).max() ?? 1,
      retry: job.retry, jitter: .random(in: 0...1))
  }

  /// Returns the attempt number to use after a committed step.
  ///
  /// If too many of the run's attempts have failed in the last ten minutes, the method returns
  /// `Int.max`. Otherwise, the method returns 1.
  private func attemptSinceProgress(on reconnecting: ReconnectingSession) async -> Int {
    guard let run = claim.runs.first,
      let session = try? await reconnecting.session(),
      let failures = try? await session.atomically(QueueCalls.countRecentFailures(of: run))
    else { return 1 }
    return failures + 1 < Self.mostRecentFailures ? 1 : .max
  }

  private func log(_ error: any Error, of part: Claim, _ decision: FailureDecision) {
    if case .release(_, _, 0) = decision {
      return worker.failures.note(
        error, "every run fails alike, so one at a time is tried", of: job.name,
        with: worker.logger.about(job))
    }
    let level: Logger.Level =
      switch (error, decision) {
      case (is Snooze, _) where decision.isPostponement: .debug
      case (is Cancelled, _): .notice
      case (_, .deadLetter): .error
      default: .warning
      }
    let end = error is Cancelled ? "cancelled" : "not done, \(Self.text(decision))"
    worker.logger.about(part).log(level: level, "\(end): \(Self.text(error))")
  }

  private static func text(_ decision: FailureDecision) -> String {
    switch decision {
    case .deadLetter: "dead"
    case .release(_, .zero, nil): "given back"
    case .release(_, .zero, 0): "given back"
    case .release(_, .zero, _): "again in smaller batches"
    case .release(_, let wait, _): "again in \(Int(wait / .milliseconds(1))) ms"
    }
  }

  /// Removes the claim's token.
  ///
  /// If the decision could not be stored, the worker later finds and releases the claim's runs.
  func end(isSettled: Bool) {
    let claims = worker.identity.claims
    if isSettled { claims.end(claim.token) } else { claims.abandon(claim.token) }
  }

  // The error text is logged, and is stored with each run in a batch. An error text that contains a
  // whole document would fill the disk.
  private static let longestText = 8_192

  static func text(_ error: any Error) -> String {
    let text = String(describing: error).replacing("\0", with: "")
    let size = text.utf8.count
    guard size > longestText else { return text }
    return String(decoding: text.utf8.prefix(longestText), as: UTF8.self) + "... (\(size) bytes)"
  }

  /// Returns the cause of an error, and records the failure for comparison with other runs'
  /// failures.
  private func cause(
    of error: any Error, _ runs: [ClaimedRun], isCompared: Bool
  ) -> FailureDecision.Cause {
    let part = claim.with(runs)
    let isLost = hasLost(error)
    // An interruption shows neither that the runs lose a connection nor that they do not.
    if !isLost, !(error is Interrupted) { worker.lostSessions.forget(part) }
    if error is Permanent { return .permanent }
    if (error as? PostgresError)?.sqlState == .endlessChain { return .permanent }
    if error is Interrupted || error is Cancelled { return .interrupted }
    if let snooze = error as? Snooze, let wait = snooze.wait(from: now) { return .snoozed(wait) }
    if let error = error as? RetryAfter { return .retryAfter(error.wait) }
    if worker.wakeUp.isStopping || Task.isCancelled { return .interrupted }
    if isLost { return worker.lostSessions.cause(of: part) }
    // A committed step shows that the job can succeed, so an error after it is not recorded as a
    // common failure.
    let isKnown = failedTogether > 1 && runs.count == 1
    if isCompared, !hasCommitted, !isKnown,
      (extent ?? worker.commonFailures.failed(part, error)) == .common
    {
      return .common
    }
    guard let error = error as? PostgresError else { return .failed }
    return error.sqlState.isTransient ? .transient : .failed
  }

  /// Whether the attempt failed because it lost one of the worker's connections.
  private func hasLost(_ error: any Error) -> Bool {
    guard let state = (error as? PostgresError)?.sqlState else { return false }
    return state == .unknownOutcome || hasLostSession && state.isConnectionLoss
  }
}
