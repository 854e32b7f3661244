import BatonJobs

/// Processes claims on one connection, and settles runs whose attempts fail.
struct ClaimProcessor: Sendable {
  let worker: WorkerContext
  let reconnecting: ReconnectingSession

  /// Processes a claim, and settles its runs if processing fails.
  ///
  /// The effects of a claim are performed concurrently.
  ///
  /// - Parameter tell: called after every step except the last, with the report so far.
  /// - Returns: the report, or the error and the decision about the runs.
  func process(_ claim: Claim, tell: @Sendable (Report) -> Void) async -> AttemptResult {
    guard let watch = worker.watch else { return await processUnwatched(claim, tell: tell) }
    return await watch.around(claim) { await processUnwatched(claim, tell: tell) }
  }

  private func processUnwatched(
    _ claim: Claim, tell: @Sendable (Report) -> Void
  ) async -> AttemptResult {
    guard !claim.job.definition.isEffect else {
      return await EffectCrew.perform(claim, worker: worker, connectingLike: reconnecting)
    }
    let beginning = claim.job.transactions.begin(claim.runs, false, worker.logger)
    guard beginning.unreadable.isEmpty else {
      return await processReadable(beginning, of: claim, tell: tell)
    }
    return await attempt(claim, beginning, tell: tell)
  }

  /// Settles each run that the job cannot decode, and processes the other runs.
  private func processReadable(
    _ beginning: RegisteredJob.Beginning, of claim: Claim, tell: @Sendable (Report) -> Void
  ) async -> AttemptResult {
    let errors = Dictionary(beginning.unreadable.map { ($0.run.id, $0.why) }) { first, _ in first }
    let failed = FailedAttempt(claim: claim, error: FailedRuns(errors), worker: worker)
    let decision = await failed.settleNamed(on: reconnecting)
    let why = beginning.unreadable[0].why
    guard decision != nil, beginning.step != nil else {
      failed.end(isSettled: decision != nil)
      return .undone(why, decision)
    }
    let rest = claim.with(beginning.readable)
    guard !worker.wakeUp.isStopping, !Task.isCancelled else {
      let stopped = FailedAttempt(claim: rest, error: Interrupted(), worker: worker)
      return await stopped.settle(on: reconnecting)
    }
    let result = await attempt(rest, beginning, tell: tell)
    // Because of the undecodable runs, the result is an error even if all other runs are completed.
    guard case .done = result else { return result }
    return .undone(why, decision)
  }

  /// Attempts the decoded runs of a claim in one or more transactions.
  private func attempt(
    _ claim: Claim, _ beginning: RegisteredJob.Beginning, tell: @Sendable (Report) -> Void
  ) async -> AttemptResult {
    guard let step = beginning.step else {
      preconditionFailure("a claim with a decodable run has a step")
    }
    let attempt = Attempt(
      claim, worker.watch?.counting(step, of: claim) ?? step, checkpoint: beginning.checkpoint,
      by: worker)
    let work = worker.inHand.begin { [signal = attempt.signal] requested in
      if claim.holdsAny(of: requested) { signal.give() }
    }
    defer { worker.inHand.end(work) }
    return await worker.measured(claim) {
      do {
        let report = try await attempt.work(on: reconnecting) { report in
          worker.worksAgain(claim)
          tell(report)
        }
        worker.succeeded(claim)
        return .done(report)
      } catch {
        return await settle(attempt, of: claim, after: error)
      }
    }
  }

  private func settle(
    _ attempt: Attempt, of claim: Claim, after error: any Error
  ) async -> AttemptResult {
    let hasLostSession = reconnecting.isBroken
    var failed =
      if let rest = await tryOne(of: claim, after: error) {
        FailedAttempt(
          claim: rest, error: error, worker: worker, failedTogether: claim.runs.count)
      } else {
        FailedAttempt(attempt: attempt, error: error, worker: worker)
      }
    failed.hasLostSession = hasLostSession
    return await failed.settle(on: reconnecting)
  }

  /// Processes the first run of a failed batch alone, and returns the claim for the other runs.
  ///
  /// The first run's result shows whether all runs of the job fail. The method returns nil if it
  /// did not process the first run.
  private func tryOne(of claim: Claim, after error: any Error) async -> Claim? {
    guard !worker.wakeUp.isStopping, !Task.isCancelled,
      worker.commonFailures.wantsOneRun(of: claim, error)
    else { return nil }
    let one = claim.with(Array(claim.runs.prefix(1)))
    let beginning = one.job.transactions.begin(one.runs, false, worker.logger)
    guard beginning.step != nil else { return nil }
    worker.identity.claims.divide(claim.token, into: 2)
    _ = await attempt(one, beginning, tell: { _ in })
    return claim.with(Array(claim.runs.dropFirst()))
  }

  /// Processes a claim of a transactional job, without settling its runs if processing fails.
  func processUnsettled(_ claim: Claim) async throws -> Report {
    let beginning = claim.job.transactions.begin(claim.runs, false, worker.logger)
    if let first = beginning.unreadable.first { throw first.why }
    guard let step = beginning.step else { return Report() }
    return try await Attempt(
      claim, step, checkpoint: beginning.checkpoint, by: worker
    ).work(on: reconnecting, tell: { _ in })
  }
}
