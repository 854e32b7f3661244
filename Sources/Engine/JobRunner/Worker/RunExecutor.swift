import BatonJobs
import Logging
import Synchronization

/// Claims batches and processes the batches one after another, on one connection.
actor RunExecutor {
  private let worker: WorkerContext
  private let reconnecting: ReconnectingSession
  private let claims: BatchClaimer
  /// The jobs that run in transactions.
  private let transactional: [RegisteredJob]
  private var passes = 0
  private let working = Mutex<String?>(nil)

  init(of worker: WorkerContext, on reconnecting: ReconnectingSession) {
    self.worker = worker
    self.reconnecting = reconnecting
    claims = BatchClaimer(of: worker, on: reconnecting)
    transactional = worker.jobs.filter { !$0.definition.isEffect }
  }

  // MARK: Main loop

  /// Claims and processes runs until the worker stops.
  func run() async {
    while !worker.wakeUp.isStopping {
      let (ring, due) = worker.wakeUp.last
      if let seen = await pass(over: due, after: ring) {
        await claims.wait(after: seen, isInterchangeable: true)
      }
    }
    await close()
  }

  /// Processes one batch of each job with due runs.
  ///
  /// After a batch that was not full, the executor does not claim again until the next wake-up. If
  /// a wake-up during the batch concerns runs that are not in the batch, the next pass follows
  /// immediately. The next pass also claims runs whose keys were in use by the batch. If a pass
  /// takes 1 s or more, the next pass follows immediately, because polls become less frequent after
  /// 1 s without a completed run.
  ///
  /// Less urgent jobs wait while more urgent jobs have due runs. Every tenth pass includes all
  /// jobs, so that no job waits forever.
  ///
  /// - Parameter ring: the number of wake-ups before the pass.
  /// - Returns: the current number of wake-ups, or nil if more runs may be due.
  private func pass(over due: DueJobs, after ring: Int) async -> Int? {
    passes += 1
    let began = ContinuousClock.now
    var urgency: Int?
    var claimed: [String: Set<Int64>] = [:]
    func seen() -> Int? { worker.wakeUp.seen(since: ring, claimed: claimed, of: transactional) }
    let turn = due.inTurn(transactional)
    let alone = transactional.filter { due.alone.contains($0.definition.name) }
    let isOnly = turn.count + alone.count == 1
    for job in turn {
      let name = job.definition.name
      let priority = due.together[name]
      if urgency != nil, urgency != priority, !passes.isMultiple(of: 10) { return nil }
      guard await worker.tried(job, on: reconnecting, { try await workOnce(job, isOnly: isOnly) })
      else { continue }
      claimed[name] = claims.claimed
      if claims.areMore || seen() == nil { urgency = priority }
    }
    var areMore = urgency != nil
    for job in alone {
      areMore = await worker.tried(job, on: reconnecting) { try await workAlone(job) } || areMore
    }
    let wasLong = !claimed.isEmpty && began.duration(to: .now) >= PollingLock.memory
    return areMore || wasLong ? nil : seen()
  }

  /// Cancels the executor's current statement.
  ///
  /// Any thread may call this method.
  nonisolated func cancel() { reconnecting.cancel() }

  /// Closes the executor's connection.
  func close() async { await reconnecting.close() }

  /// The name of the job whose attempt is in progress, or nil.
  nonisolated var job: String? { working.withLock { $0 } }

  /// Closes the connection, even if an attempt is still using the connection.
  nonisolated func abandon() async { await reconnecting.close() }

  // MARK: Single claims

  /// Claims and processes one batch, or returns false if no run is due.
  ///
  /// - Parameter isOnly: whether no other job has due runs. If more runs may be due, another
  ///   executor is woken before the batch is processed.
  func workOnce(_ job: RegisteredJob, isOnly: Bool = true) async throws -> Bool {
    let turn = worker.commonFailures.turn(of: job.definition.name)
    guard turn != .nothing else { return false }
    defer { if turn == .probe { worker.commonFailures.endProbe(of: job.definition.name) } }
    await worker.solitude.enter()
    defer { worker.solitude.leave() }
    guard let claim = try await claims.next(of: job, limit: turn == .probe ? 1 : nil) else {
      return false
    }
    if claims.areMore || !isOnly { worker.wakeUp.wakeAnother() }
    await finish(claim)
    return true
  }

  /// Claims and processes a run if two workers have died while processing the run.
  ///
  /// All other executors are idle while the run is processed. The method returns false if the job
  /// has no run that must be processed alone. The method also returns false if the other executors
  /// do not become idle within 2 s.
  func workAlone(_ job: RegisteredJob) async throws -> Bool {
    let turn = worker.commonFailures.turn(of: job.definition.name)
    defer { if turn == .probe { worker.commonFailures.endProbe(of: job.definition.name) } }
    guard turn != .nothing, await worker.solitude.begin() else { return false }
    defer { worker.solitude.end() }
    guard let claim = try await claims.nextAlone(of: job) else { return false }
    await finish(claim)
    return true
  }

  func claim(_ job: RegisteredJob) async throws -> Claim? {
    try await claims.next(of: job)
  }

  /// Claims a batch, or a run that must run alone.
  ///
  /// The caller must not process anything else at the same time.
  func claimInTurn(_ job: RegisteredJob) async throws -> Claim? {
    if let claim = try await claim(job) { return claim }
    return try await claims.nextAlone(of: job)
  }

  /// Processes a claim, and settles the runs if the processing fails.
  ///
  /// - Parameter tell: called after every step except the last, with the report so far.
  /// - Returns: the report, or the error and the decision about the runs.
  @discardableResult
  func finish(
    _ claim: Claim, tell: @Sendable (Report) -> Void = { _ in }
  ) async -> AttemptResult {
    working.withLock { $0 = claim.job.definition.name }
    defer { working.withLock { $0 = nil } }
    guard let watch = worker.watch else { return await finishUnwatched(claim, tell: tell) }
    return await watch.around(claim) { await finishUnwatched(claim, tell: tell) }
  }

  private func finishUnwatched(
    _ claim: Claim, tell: @Sendable (Report) -> Void
  ) async -> AttemptResult {
    guard !claim.job.definition.isEffect else { return await finishEffects(claim) }
    let beginning = claim.job.transactions.begin(claim.runs, false, worker.logger)
    guard beginning.unreadable.isEmpty, let step = beginning.step else {
      return await finishReadable(beginning, of: claim, tell: tell)
    }
    return await finish(claim, step, beginning.checkpoint, tell: tell)
  }

  private func finish(
    _ claim: Claim, _ step: @escaping RegisteredJob.Step, _ checkpoint: Checkpoint?,
    tell: @Sendable (Report) -> Void
  ) async -> AttemptResult {
    let attempt = Attempt(
      claim, worker.watch?.counting(step, of: claim) ?? step, checkpoint: checkpoint,
      until: worker.wakeUp)
    let work = worker.inHand.begin { [signal = attempt.signal] requested in
      if claim.holdsAny(of: requested) { signal.give() }
    }
    defer { worker.inHand.end(work) }
    return await worker.measured(claim) { await finish(attempt, of: claim, tell: tell) }
  }

  private func finish(
    _ attempt: Attempt, of claim: Claim, tell: @Sendable (Report) -> Void
  ) async -> AttemptResult {
    do {
      let report = try await attempt.work(on: reconnecting) { report in
        worker.worksAgain(claim)
        tell(report)
      }
      worker.succeeded(claim)
      return .done(report)
    } catch {
      if let rest = await tryOne(of: claim, after: error) {
        let failed = FailedAttempt(
          claim: rest, error: error, worker: worker, failedTogether: claim.runs.count)
        return await failed.settle(on: reconnecting)
      }
      let failed = FailedAttempt(attempt: attempt, error: error, worker: worker)
      return await failed.settle(on: reconnecting)
    }
  }

  /// Processes the first run of a failed batch alone, and returns the claim of the other runs.
  ///
  /// The result of the first run shows whether all runs of the job fail. The method returns nil if
  /// it did not process the first run.
  private func tryOne(of claim: Claim, after error: any Error) async -> Claim? {
    guard !worker.wakeUp.isStopping, !Task.isCancelled,
      worker.commonFailures.wantsOneRun(of: claim, error)
    else { return nil }
    let one = claim.with(Array(claim.runs.prefix(1)))
    let beginning = one.job.transactions.begin(one.runs, false, worker.logger)
    guard let step = beginning.step else { return nil }
    worker.identity.claims.divide(claim.token, into: 2)
    _ = await finish(one, step, beginning.checkpoint, tell: { _ in })
    return claim.with(Array(claim.runs.dropFirst()))
  }

  /// Performs the runs of a claim concurrently, for a process without effect executors.
  private func finishEffects(_ claim: Claim) async -> AttemptResult {
    let sessions = SessionPool(of: reconnecting, count: 2)
    let worst = Mutex(AttemptResult.done(Report()))
    let crew = EffectCrew(
      of: claim.job.definition, count: claim.runs.count, worker: worker, sessions: sessions,
      threads: ThreadPool(claim.runs.count, name: "baton effect")
    ) { result in
      if case .done = result { return }
      worst.withLock { $0 = result }
    }
    crew.start(claim)
    await withTaskCancellationHandler {
      await crew.permits.allEnded()
    } onCancel: {
      crew.cancel()
    }
    await sessions.close()
    return worst.withLock { $0 }
  }

  /// Settles each run that the job cannot decode, and processes the other runs.
  private func finishReadable(
    _ beginning: RegisteredJob.Beginning, of claim: Claim, tell: @Sendable (Report) -> Void
  ) async -> AttemptResult {
    let errors = Dictionary(beginning.unreadable.map { ($0.run.id, $0.why) }) { first, _ in first }
    let failed = FailedAttempt(claim: claim, error: FailedRuns(errors), worker: worker)
    let decision = await failed.settleNamed(on: reconnecting)
    let why = beginning.unreadable[0].why
    guard decision != nil, let step = beginning.step else {
      failed.end(isSettled: decision != nil)
      return .undone(why, decision)
    }
    let rest = claim.with(beginning.readable)
    guard !worker.wakeUp.isStopping, !Task.isCancelled else {
      let stopped = FailedAttempt(claim: rest, error: Interrupted(), worker: worker)
      return await stopped.settle(on: reconnecting)
    }
    let result = await finish(rest, step, beginning.checkpoint, tell: tell)
    // The result is an error because of the undecodable runs, even if all other runs are completed.
    guard case .done = result else { return result }
    return .undone(why, decision)
  }

  /// Processes a claim, without settling the runs if the processing fails.
  @discardableResult
  func work(_ claim: Claim) async throws -> Report {
    let beginning = claim.job.transactions.begin(claim.runs, false, worker.logger)
    if let first = beginning.unreadable.first { throw first.why }
    guard let step = beginning.step else { return Report() }
    return try await Attempt(
      claim, step, checkpoint: beginning.checkpoint, until: worker.wakeUp
    ).work(on: reconnecting, tell: { _ in })
  }
}
