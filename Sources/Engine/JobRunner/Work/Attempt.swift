import BatonJobs
import BatonPostgres

/// A claim that is being worked: one step after the other, each a transaction behind the fence, the last
/// one with the end of its runs.
final class Attempt {
  let claim: Claim
  /// What its steps have done so far.
  private(set) var report = Report()
  /// Whether a step has committed: then what failed before does not count any more.
  private(set) var hasCommitted = false
  /// Given when somebody cancels a run of it.
  let signal = CancelSignal()
  private let step: RegisteredJob.Step
  private let wakeUp: WakeUpSignal
  private let began = ContinuousClock.now

  /// - Parameters:
  ///   - step: one transaction of the work.
  ///   - wakeUp: says that the worker stops: then no further step begins.
  init(_ claim: Claim, _ step: @escaping RegisteredJob.Step, until wakeUp: WakeUpSignal) {
    self.claim = claim
    self.step = step
    self.wakeUp = wakeUp
  }

  var elapsed: Duration { began.duration(to: .now) }

  /// Works to the end; nothing is settled where that fails.
  ///
  /// - Parameter tell: what was done so far, after every step but the last.
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

  /// One transaction of the work, and with the last one the end of its runs.
  private func workStep(on reconnecting: ReconnectingSession) async throws -> StepResult {
    guard claim.job.transactions.endsFirst else {
      return try await stepAndEnd(on: reconnecting.session())
    }
    do {
      return try await endAndStep(
        on: reconnecting.session(), behind: QueueCalls.endClaimed(claim))
    } catch let error as PostgresError where error.sqlState == .claimLost {
      // Rows can have moved since they were claimed, by VACUUM FULL for one: before a claim is
      // taken for lost they are looked for by key.
      return try await endAndStep(on: reconnecting.session(), behind: QueueCalls.endByKey(claim))
    }
  }

  /// The end of the runs, which is the fence, and the work.
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

  /// The fence, the work, and the end of the runs if there is nothing more to do.
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
  /// Removes what the runs had taken, where their job asks for all payloads.
  func endPayloads(of claim: Claim) async throws(PostgresError) {
    guard claim.job.definition.payloads == .all else { return }
    try await run(QueueCalls.endPayloads(claim))
  }
}

/// Work that was not let go on: nobody's fault.
struct Interrupted: Error, CustomStringConvertible {
  var description = "the worker stopped between two steps"
}

extension SQLState {
  /// The fence: somebody else has the runs, and nothing of this work may stay.
  static let claimLost: SQLState = "ZB011"
  /// Jobs that wake each other by what they write: to try again would go on with it.
  static let endlessChain: SQLState = "ZB013"
}
