import BatonJobs
import Synchronization

/// Claims runs on one connection and processes them in its slots.
///
/// An executor without a crew has one slot, the connection, and processes one claim after another.
/// A worker has several such executors for its transactional jobs. An executor with a crew has a
/// slot for each concurrent run of one effect job. Such an executor claims runs for all free slots
/// while the crew performs the earlier runs. A running effect does not occupy a connection.
actor RunExecutor {
  private nonisolated let worker: WorkerContext
  private nonisolated let reconnecting: ReconnectingSession
  private let claims: BatchClaimer
  private let processor: ClaimProcessor
  /// The jobs whose runs the main loop claims.
  private let jobs: [RegisteredJob]
  /// The crew that performs the runs of an effect job, or nil.
  private nonisolated let crew: EffectCrew?
  private var passes = 0
  private let working = Mutex<String?>(nil)

  /// Creates an executor for all of the worker's transactional jobs.
  init(of worker: WorkerContext, on reconnecting: ReconnectingSession) {
    self.init(
      of: worker.jobs.filter { !$0.definition.isEffect }, by: nil, worker: worker,
      on: reconnecting)
  }

  /// Creates an executor for one effect job, whose runs the crew performs.
  init(
    of job: RegisteredJob, by crew: EffectCrew, worker: WorkerContext,
    on reconnecting: ReconnectingSession
  ) {
    self.init(of: [job], by: crew, worker: worker, on: reconnecting)
  }

  private init(
    of jobs: [RegisteredJob], by crew: EffectCrew?, worker: WorkerContext,
    on reconnecting: ReconnectingSession
  ) {
    self.worker = worker
    self.reconnecting = reconnecting
    self.jobs = jobs
    self.crew = crew
    claims = BatchClaimer(of: worker, on: reconnecting)
    processor = ClaimProcessor(worker: worker, reconnecting: reconnecting)
  }

  // MARK: Main loop

  /// Claims and processes runs until the worker stops and all effects in progress have ended.
  ///
  /// The loop runs on the connection's thread. An executor without a crew also executes its jobs
  /// on this thread.
  ///
  /// - Parameter opensConnection: whether the executor opens its connection at once. The first claim
  ///   then does not wait for a login.
  nonisolated func run(opensConnection: Bool = false) async {
    await reconnecting.onThread { await claimAndWork(opensConnection: opensConnection) }
  }

  private func claimAndWork(opensConnection: Bool) async {
    if opensConnection, !jobs.isEmpty { _ = try? await reconnecting.session() }
    let closing = crew.map { crew in
      Task { [wakeUp = worker.wakeUp] in
        while !wakeUp.isStopping { await wakeUp.wait(after: wakeUp.last.ring) }
        crew.permits.close()
      }
    }
    while !worker.wakeUp.isStopping {
      let (ring, due) = worker.wakeUp.last
      var seen = await pass(over: due, after: ring)
      while let ring = seen,
        let handed = await claims.wait(after: ring, isInterchangeable: crew == nil)
      {
        seen = await finish(handed)
      }
    }
    await closing?.value
    await crew?.permits.allEnded()
    await close()
  }

  /// Makes one claim for each job with due runs.
  ///
  /// After a claim of fewer runs than its limit, the executor does not claim again until the next
  /// wake-up. If a wake-up during the pass concerns runs that the pass did not claim, the next pass
  /// follows immediately. The next pass also claims runs whose keys were in use by the batch. If a
  /// pass takes 1 s or more, the next pass follows immediately, because polls become less frequent
  /// after 1 s without a completed run.
  ///
  /// Less urgent jobs wait while more urgent jobs have due runs. Every tenth pass includes all jobs
  /// so that no job waits forever.
  ///
  /// - Parameter ring: the number of wake-ups before the pass.
  /// - Returns: the current number of wake-ups, or nil if more runs may be due.
  private func pass(over due: DueJobs, after ring: Int) async -> Int? {
    passes += 1
    let began = ContinuousClock.now
    var urgency: Int?
    var claimed: [String: Set<Int64>] = [:]
    func seen() -> Int? { worker.wakeUp.seen(since: ring, claimed: claimed, of: jobs) }
    let turn = due.inTurn(jobs)
    let alone = jobs.filter { due.alone.contains($0.definition.name) }
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

  /// Processes a claim that the dispatcher has made for this executor.
  ///
  /// The rules for the next claim are the same as in a pass (``pass(over:after:)``).
  ///
  /// - Returns: the current number of wake-ups, or nil if more runs may be due.
  private func finish(_ handed: HandedClaim) async -> Int? {
    let (claim, began) = (handed.claim, ContinuousClock.now)
    guard await begin(claim) else { return nil }
    await finish(claim)
    worker.solitude.leave()
    let isFull = claim.runs.count >= claim.job.definition.batch
    guard !isFull, !handed.isWanted, began.duration(to: .now) < PollingLock.memory else {
      return nil
    }
    return worker.wakeUp.seen(
      since: handed.ring, claimed: [claim.job.definition.name: Set(claim.runs.map(\.id))], of: jobs)
  }

  /// Assigns stored payloads to the runs of the dispatcher's claim, and returns whether the runs can
  /// be executed.
  ///
  /// The dispatcher does not assign payloads, because many payloads would delay its next dispatch.
  /// If the connection was lost and no other can be opened, or if the assignment fails, the claimed
  /// runs have not started. The worker then returns them to the queue without counting the attempt
  /// (``HeldClaims``).
  private func begin(_ claim: Claim) async -> Bool {
    do {
      let session = try await reconnecting.session()
      try await session.assignPayloads(
        of: claim.runs, claim.job.definition, token: claim.token)
      return true
    } catch {
      worker.solitude.leave()
      worker.identity.claims.abandon(claim.token)
      let job = claim.job.definition
      worker.pauseClaims(of: job.name, after: error)
      worker.failures.note(error, "cannot claim", of: job.name, with: worker.logger.about(job))
      worker.wakeUp.wakeAnother()
      await reconnecting.reconnect(while: { [wakeUp = worker.wakeUp] in !wakeUp.isStopping })
      return false
    }
  }

  // MARK: Stopping

  /// Cancels the executor's current statement, or all effects in progress.
  ///
  /// Any thread may call this method.
  nonisolated func cancel() {
    guard let crew else { return reconnecting.cancel() }
    crew.cancel()
  }

  /// Closes the executor's connection.
  nonisolated func close() async { await reconnecting.close() }

  /// Closes the connection's socket if an attempt is still in progress.
  ///
  /// Effects do not use the executor's connection, so it stays open if the executor has a crew.
  nonisolated func abandon() async { if crew == nil { await reconnecting.abandon() } }

  /// The name of the job whose runs are in progress, or nil if there is none.
  ///
  /// Abandoned effects that are still running are also in progress.
  nonisolated var job: String? {
    guard let crew else { return working.withLock { $0 } }
    return crew.permits.areInUse ? crew.job.name : nil
  }

  // MARK: Single claims

  /// Claims runs and processes them, or returns false if no runs were claimed.
  ///
  /// The method waits for a free slot. Without a crew, the method returns when the claimed runs
  /// have been processed, and with a crew when they have started. No runs are claimed if none are
  /// due, if the job is paused because all its runs fail, or if the worker is stopping.
  ///
  /// - Parameter isOnly: whether no other job has due runs. If more runs may be due, another
  ///   executor without a crew is woken before the batch is processed.
  func workOnce(_ job: RegisteredJob, isOnly: Bool = true) async throws -> Bool {
    let free = await freeSlots()
    guard free > 0 else { return false }
    let turn = worker.commonFailures.turn(of: job.definition.name)
    guard turn != .nothing else { return false }
    var probes = turn == .probe
    defer { if probes { worker.commonFailures.endProbe(of: job.definition.name) } }
    await worker.solitude.enter()
    defer { worker.solitude.leave() }
    // The worker may have begun to stop while this executor was waiting.
    guard !worker.wakeUp.isStopping else { return false }
    guard let claim = try await claims.next(of: job, limit: free, isProbe: probes) else {
      return false
    }
    if let crew {
      // If the run is a probe, the crew ends the probe after the run.
      crew.start(claim, isProbe: probes)
      probes = false
    } else {
      if claims.areMore || !isOnly { worker.wakeUp.wakeAnother() }
      await finish(claim)
    }
    return true
  }

  /// Claims and processes a run if two workers have died while processing it.
  ///
  /// The worker does not process any other runs at the same time. The method returns false if the
  /// job has no runs that must be processed alone, or if the job's limits allow none of them to
  /// start. The method also returns false if the worker's other runs do not end within 2 s.
  func workAlone(_ job: RegisteredJob) async throws -> Bool {
    guard await freeSlots() > 0 else { return false }
    let name = job.definition.name
    let turn = worker.commonFailures.turn(of: name)
    defer { if turn == .probe { worker.commonFailures.endProbe(of: name) } }
    guard turn != .nothing, await worker.solitude.begin(for: name) else { return false }
    defer { worker.solitude.end() }
    guard !worker.wakeUp.isStopping else { return false }
    guard let claim = try await claims.nextAlone(of: job) else {
      worker.solitude.pause(name)
      return false
    }
    if let crew {
      crew.start(claim)
      await crew.permits.allEnded()
    } else {
      await finish(claim)
    }
    return true
  }

  /// Waits for a free slot, and returns the number of runs that the executor can start.
  ///
  /// The method returns 0 if the crew does not accept any more runs.
  private func freeSlots() async -> Int { await crew?.permits.free() ?? .max }

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

  /// Processes a claim, and settles its runs if processing fails.
  ///
  /// - Parameter tell: called after every step except the last, with the report so far.
  /// - Returns: the report, or the error and the decision about the runs.
  @discardableResult
  func finish(
    _ claim: Claim, tell: @Sendable (Report) -> Void = { _ in }
  ) async -> AttemptResult {
    working.withLock { $0 = claim.job.definition.name }
    defer { working.withLock { $0 = nil } }
    return await processor.process(claim, tell: tell)
  }

  /// Processes a claim, without settling its runs if processing fails.
  @discardableResult
  func work(_ claim: Claim) async throws -> Report {
    try await processor.processUnsettled(claim)
  }
}
