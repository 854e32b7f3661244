import BatonJobs
import BatonPostgres

/// A claim that is being worked in steps.
///
/// Each step is a transaction guarded by the fencing token. The last one also ends the runs.
final class Attempt {
  let claim: Claim
  /// The report of its steps so far.
  private(set) var report = Report()
  /// Whether a step has committed; earlier failures then no longer count.
  private(set) var hasCommitted = false
  /// Given when the cancellation of a run of the claim was requested.
  let signal = CancelSignal()
  private let step: RegisteredJob.Step
  private let wakeUp: ExecutorSignal
  private let began = ContinuousClock.now

  /// - Parameters:
  ///   - step: one transaction of the work.
  ///   - wakeUp: signals that the worker stops; then no further step begins.
  init(_ claim: Claim, _ step: @escaping RegisteredJob.Step, until wakeUp: ExecutorSignal) {
    self.claim = claim
    self.step = step
    self.wakeUp = wakeUp
  }

  var elapsed: Duration { began.duration(to: .now) }

  /// Works to the end; if it throws, the runs are not settled yet.
  ///
  /// - Parameter tell: called after every step but the last, with the report so far.
  func work(
    on reconnecting: ReconnectingSession, tell: @Sendable (Report) -> Void
  ) async throws -> Report {
    while true {
      switch try await workStep(on: reconnecting) {
      case .done(let last): return report + last
      case .more(let done):
        hasCommitted = true
        report += done
        tell(report)
        guard !signal.isGiven else { throw Cancelled() }
        guard !wakeUp.isStopping, !Task.isCancelled else { throw Interrupted() }
      }
    }
  }

  /// Runs one transaction of the work; the last one also ends the runs.
  private func workStep(on reconnecting: ReconnectingSession) async throws -> StepResult {
    guard claim.job.transactions.endsFirst else {
      return try await stepAndEnd(on: reconnecting.session())
    }
    do {
      return try await endAndStep(
        on: reconnecting.session(), behind: QueueCalls.endClaimed(claim))
    } catch let error as PostgresError where error.sqlState == .claimLost {
      // Rows can move after the claim, for example by VACUUM FULL. So the runs are searched by key before the claim
      // is considered lost.
      return try await endAndStep(on: reconnecting.session(), behind: QueueCalls.endByKey(claim))
    }
  }

  /// Ends the runs, which checks the fencing token, and does the work.
  private func endAndStep(
    on session: Session, behind fence: Call<Void>
  ) async throws -> StepResult {
    let limit = claim.job.definition.timeout
    return try await session.transaction { transaction in
      try await transaction.run(QueueCalls.limitTransaction(of: claim), fence)
      try await transaction.endPayloads(of: claim)
      return try await withDeadline(limit, or: signal) { [step] in try await step(transaction) }
    }
  }

  /// Checks the fencing token, does the work, and ends the runs if there is nothing more to do.
  private func stepAndEnd(on session: Session) async throws -> StepResult {
    let limit = claim.job.definition.timeout
    let isFirst = !hasCommitted
    return try await session.transaction { transaction in
      try await transaction.run(
        QueueCalls.limitTransaction(of: claim), QueueCalls.lockClaimed(claim))
      let result = try await withDeadline(limit, or: signal) { [step] in try await step(transaction)
      }
      switch result {
      case .done(let last):
        try await transaction.endPayloads(of: claim)
        try await transaction.commit(
          after: QueueCalls.complete(claim, report: report + last, took: elapsed))
      case .more where isFirst:
        try await transaction.commit(after: QueueCalls.noteProgress(claim))
      case .more: break
      }
      return result
    }
  }
}

extension Transaction {
  /// Removes the payloads that the runs had taken, if their job takes all payloads.
  func endPayloads(of claim: Claim) async throws(PostgresError) {
    guard claim.job.definition.payloads == .all else { return }
    try await run(QueueCalls.endPayloads(claim))
  }
}

/// Work that was interrupted from outside: the runs did not cause it.
struct Interrupted: Error, CustomStringConvertible {
  var description = "the worker stopped between two steps"
}

extension SQLState {
  /// The fencing token does not match: another worker has the runs, and this work must not commit.
  static let claimLost: SQLState = "ZB011"
  /// Jobs wake each other by their writes without end: a retry would continue that.
  static let endlessChain: SQLState = "ZB013"
}
