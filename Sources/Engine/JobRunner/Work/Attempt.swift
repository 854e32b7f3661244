import BatonJobs
import BatonPostgres

/// An attempt to process a claim in one or more steps.
///
/// Each step is a transaction guarded by the fencing token. The last step also completes the runs.
final class Attempt {
  let claim: Claim
  /// The sum of the committed steps' reports.
  private(set) var report = Report()
  /// Whether one of the attempt's steps has committed.
  ///
  /// Failures before the committed step no longer count towards the maximum number of attempts.
  private(set) var hasCommitted = false
  /// If a claim is older than this duration, its fencing token is checked before the step begins.
  private static let freshness = Duration.seconds(1)
  /// The signal for a requested cancellation of one of the claim's runs.
  let signal = CancelSignal()
  private let step: RegisteredJob.Step
  private let checkpoint: Checkpoint?
  private let wakeUp: ExecutorSignal
  private let deadlines: Deadlines
  private let began = ContinuousClock.now
  /// The time of the last committed step, or the start of the attempt.
  private var lastCommit = ContinuousClock.now

  /// Creates an attempt.
  ///
  /// - Parameters:
  ///   - step: the function that performs one step, called in a separate transaction for each step.
  ///   - checkpoint: the checkpoint of the claim's only run, or nil if the job is not chunked.
  ///   - worker: the worker of the attempt. After the worker has signalled that it is stopping, no
  ///     steps begin.
  init(
    _ claim: Claim, _ step: @escaping RegisteredJob.Step, checkpoint: Checkpoint?,
    by worker: WorkerContext
  ) {
    self.claim = claim
    self.step = step
    self.checkpoint = checkpoint
    (wakeUp, deadlines) = (worker.wakeUp, worker.deadlines)
  }

  var elapsed: Duration { began.duration(to: .now) }

  /// A part of an attempt, with its report and duration.
  struct Part {
    let report: Report
    let took: Duration
  }

  /// The part of the attempt that is not in `run_progress`.
  ///
  /// The `run_progress` table contains the committed steps of jobs with a history.
  var unrecorded: Part {
    claim.job.definition.keepsHistory
      ? Part(report: Report(), took: elapsedSinceStep) : Part(report: report, took: elapsed)
  }

  private var elapsedSinceStep: Duration { lastCommit.duration(to: .now) }

  /// Runs all steps, and returns the sum of their reports.
  ///
  /// If the method throws, the runs are not settled yet.
  ///
  /// - Parameter tell: called after every step except the last, with the report so far.
  func work(
    on reconnecting: ReconnectingSession, tell: @Sendable (Report) -> Void
  ) async throws -> Report {
    while true {
      switch try await workStep(on: reconnecting) {
      case .done(let last): return report + last
      case .more(let done):
        hasCommitted = true
        lastCommit = .now
        report += done
        tell(report)
        guard !signal.isGiven else { throw Cancelled() }
        guard !wakeUp.isStopping, !Task.isCancelled else { throw Interrupted() }
      }
    }
  }

  /// Runs one step in a transaction.
  ///
  /// The last step's transaction also completes the runs.
  private func workStep(on reconnecting: ReconnectingSession) async throws -> StepResult {
    guard claim.job.transactions.endsFirst else {
      do {
        return try await stepAndEnd(on: reconnecting.session())
      } catch let error as UnreadableState {
        // Another release of the program may be able to decode the job's stored state.
        throw UndecodableRun(description: "\(error)")
      }
    }
    // `endClaimed` searches for the runs at their claimed row locations, and `endByKey` searches for
    // them by key. Rows can move after the claim, for example because of VACUUM FULL. Another run of
    // the claim can then be at the location of a run, and the number of runs shows it only if the
    // claim is complete.
    if !claim.isPart {
      do {
        return try await endAndStep(
          on: reconnecting.session(), behind: QueueCalls.endClaimed(claim))
      } catch let error as PostgresError where error.sqlState == .claimLost {}
    }
    return try await endAndStep(on: reconnecting.session(), behind: QueueCalls.endByKey(claim))
  }

  /// Completes the runs first, and then performs the step.
  ///
  /// The statement that completes the runs also checks the fencing token.
  ///
  /// The check of the fencing token is sent together with the step's first statement, which saves a
  /// round trip. If the fencing token check fails, the step's first statement and the COMMIT fail.
  /// If the claim is older than 1 s, the fencing token is checked before the step begins. Another
  /// worker may have completed the runs of an old claim while this worker's process was frozen.
  private func endAndStep(
    on session: Session, behind fence: Call<Void>
  ) async throws -> StepResult {
    let (limit, thread) = (claim.job.definition.timeout, session.connection.thread)
    let opening = [QueueCalls.limitTransaction(of: claim), fence]
    return try await session.transaction(deferring: opening) { transaction in
      if claim.sentAt.duration(to: .now) > Self.freshness { try await transaction.run() }
      try await transaction.endPayloads(of: claim)
      return try await withDeadline(limit, deadlines, or: signal, on: thread) { [step] in
        try await step(transaction)
      }
    }
  }

  /// Checks the fencing token, runs the step, and completes the runs if it is the last step.
  private func stepAndEnd(on session: Session) async throws -> StepResult {
    let (limit, thread) = (claim.job.definition.timeout, session.connection.thread)
    return try await session.transaction { transaction in
      try await lock(in: transaction)
      let result = try await withDeadline(limit, deadlines, or: signal, on: thread) { [step] in
        try await step(transaction)
      }
      switch result {
      case .done(let last):
        try await transaction.endPayloads(of: claim)
        if checkpoint?.isStored == true {
          try await transaction.run(QueueCalls.endCheckpoint(claim))
        }
        // The database already contains the reports of the earlier steps, so `complete` gets only
        // the last one.
        try await transaction.commit(
          after: QueueCalls.complete(claim, report: last, took: elapsedSinceStep))
      case .more(let done):
        try await commit(done, in: transaction)
      }
      return result
    }
  }

  /// Checks the fencing token, and reads the checkpoint in the first step of the attempt.
  private func lock(in transaction: Transaction) async throws {
    let fence = (QueueCalls.limitTransaction(of: claim), QueueCalls.lockClaimed(claim))
    guard let checkpoint, !hasCommitted else {
      try await transaction.run(fence.0, fence.1)
      return
    }
    // Checking the fencing token locks the run before the checkpoint is read. While the run is
    // locked, no older attempts can change its checkpoint.
    let (_, _, rows) = try await transaction.run(
      fence.0, fence.1, QueueCalls.readCheckpoint(of: claim.runs[0]))
    checkpoint.begin(rows)
  }

  /// Commits a step that does not complete the run.
  private func commit(_ done: Report, in transaction: Transaction) async throws {
    var calls: [Call<Int>] = []
    if !hasCommitted { calls.append(QueueCalls.noteProgress(claim)) }
    if let change = checkpoint?.unsaved { calls.append(QueueCalls.saveCheckpoint(claim, change)) }
    if claim.job.definition.keepsHistory {
      calls.append(QueueCalls.addProgress(claim, report: done, took: elapsedSinceStep))
    }
    guard let last = calls.popLast() else { return }
    if !calls.isEmpty { try await transaction.run(calls) }
    try await transaction.commit(after: last)
    checkpoint?.save()
  }
}

extension Transaction {
  /// Deletes the stored payloads of the claimed runs.
  func endPayloads(of claim: Claim) async throws(PostgresError) {
    guard claim.mayHavePayloads else { return }
    try await run(QueueCalls.endPayloads(claim))
  }
}

/// The error for an attempt that was interrupted by an external cause, rather than by one of its
/// runs.
struct Interrupted: Error, CustomStringConvertible {
  var description = "the worker stopped between two steps"
}

extension SQLState {
  /// The SQLSTATE for a fencing token that does not match, because another worker has claimed the
  /// runs.
  ///
  /// After this error, the attempt's changes must not be committed.
  static let claimLost: SQLState = "ZB011"
  /// The SQLSTATE for jobs whose writes trigger each other endlessly.
  ///
  /// The error is permanent, because a retry would repeat the write that triggers the other jobs.
  static let endlessChain: SQLState = "ZB013"
}
