import JobCore
import Logging
import Postgres

/// An attempt that failed: decides what becomes of its runs, and writes it down.
struct FailedAttempt {
  let attempt: Attempt
  let error: any Error
  let worker: WorkerContext

  private var claim: Claim { attempt.claim }
  private var job: Definition { claim.job.definition }

  /// Tries until it is written down or the worker stops.
  ///
  /// - Returns: nil where somebody else has the runs.
  func settle(on reconnecting: ReconnectingSession) async -> FailureDecision? {
    guard (error as? PostgresError)?.sqlState != .claimLost else {
      worker.logger.warning("\(job.name): taken over by another worker: \(claim.description)")
      worker.identity.claims.end(claim.token)
      return nil
    }
    let decision = FailureDecision(
      on: cause, runs: claim.runs.count, attempt: claim.runs.map(\.attempt).max() ?? 1,
      retry: job.retry, jitter: .random(in: 0...1))
    worker.logger.log(
      level: error is Snooze ? .debug : .warning,
      "\(job.name): not done: \(claim.description): \(error)")
    let call = call(for: decision)
    for _ in 0..<20 {
      do {
        _ = try await reconnecting.session().atomically(call)
        worker.identity.claims.end(claim.token)
        return decision
      } catch {
        worker.logger.warning("\(job.name): cannot settle yet: \(claim.description): \(error)")
        await reconnecting.reconnect(while: { !Task.isCancelled })
      }
    }
    worker.identity.claims.abandon(claim.token)
    return decision
  }

  private func call(for decision: FailureDecision) -> Call<Int> {
    let text = String(describing: error).replacing("\0", with: "")
    return switch decision {
    case .release(let off, let wait, let limit):
      QueueCalls.release(
        claim, attemptsOff: off, wait: wait, batchLimit: limit,
        error: off > 0 && limit == nil ? nil : text)
    case .deadLetter:
      QueueCalls.deadLetter(claim, error: text, report: attempt.report, took: attempt.elapsed)
    }
  }

  private var cause: FailureDecision.Cause {
    if error is Permanent { return .permanent }
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
}
