import BatonJobs
import BatonPostgres
import Synchronization

/// Performs claimed runs of one effect job, each in its own task, and completes or settles them.
final class EffectCrew: Sendable {
  let worker: WorkerContext
  /// The connections on which runs are completed.
  ///
  /// The crew shares the connections with other jobs.
  let sessions: SessionPool
  /// The threads that perform the effects.
  let threads: ThreadPool
  let permits: EffectPermits
  let job: JobDefinition
  private let onResult: (@Sendable (AttemptResult) -> Void)?
  /// The identifier of this crew's registration for cancellation requests.
  private let cancellable: Int
  /// The id of the run that tests whether the job's runs still fail, or nil.
  private let probe = Mutex<Int64?>(nil)

  /// Creates a crew.
  ///
  /// - Parameters:
  ///   - count: the maximum number of concurrent runs.
  ///   - onResult: called with the result of each run, on any thread.
  init(
    of job: JobDefinition, count: Int, worker: WorkerContext, sessions: SessionPool,
    threads: ThreadPool, onResult: (@Sendable (AttemptResult) -> Void)? = nil
  ) {
    self.job = job
    self.worker = worker
    self.sessions = sessions
    self.threads = threads
    self.onResult = onResult
    let permits = EffectPermits(count)
    self.permits = permits
    cancellable = worker.inHand.begin { requested in
      for attempt in permits.inHand where attempt.claim.holdsAny(of: requested) {
        attempt.cancelAsRequested()
      }
    }
  }

  deinit { worker.inHand.end(cancellable) }

  /// Starts performing the runs of a claim.
  ///
  /// Before this call, the caller must call `enter` of the worker's ``Solitude`` and reserve a
  /// permit for each run.
  ///
  /// - Parameter isProbe: whether the claim consists of one probe run. A probe tests whether the
  ///   job's runs still fail.
  func start(_ claim: Claim, isProbe: Bool = false) {
    if isProbe { probe.withLock { $0 = claim.runs[0].id } }
    worker.identity.claims.divide(claim.token, into: claim.runs.count)
    worker.solitude.stay(claim.runs.count)
    let now = worker.serverClock.now
    let attempts = claim.runs.map { EffectAttempt(claim.with([$0]), crew: self, at: now) }
    let isCancelled = permits.take(attempts)
    worker.deadlines.watch(permits)
    threads.startTogether { for attempt in attempts { attempt.start() } }
    if isCancelled { for attempt in attempts { attempt.cancel() } }
  }

  /// Performs the runs of a claim concurrently, and waits until all effects have ended.
  ///
  /// The runs are completed on connections that are opened for this call. Drains and commands that
  /// run one job call this method. A worker keeps a crew for each effect job.
  ///
  /// - Returns: the result of a run that was not completed, or an empty report.
  static func perform(
    _ claim: Claim, worker: WorkerContext, connectingLike session: ReconnectingSession
  ) async -> AttemptResult {
    let sessions = SessionPool(of: session)
    let worst = Mutex(AttemptResult.done(Report()))
    let crew = EffectCrew(
      of: claim.job.definition, count: claim.runs.count, worker: worker, sessions: sessions,
      threads: worker.threadPool(claim.runs.count, name: "baton effect")
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

  /// Cancels all runs in progress, and the statements that complete runs.
  func cancel() {
    permits.close(isCancelling: true)
    sessions.completion.cancel()
  }

  /// Ends attempts after their runs have been completed.
  func done(_ attempts: [EffectAttempt]) {
    worker.identity.claims.end(attempts.map(\.claim.token))
    worker.activity.record(job.name, runs: attempts.count, batches: attempts.count)
    for attempt in attempts {
      attempt.note(.done(Report()))
      worker.completed(attempt.claim)
    }
    end(attempts, .done(Report()))
  }

  /// Ends attempts that all have the same result, and releases their permits.
  func end(_ attempts: [EffectAttempt], _ result: AttemptResult) {
    onResult?(result)
    endProbe(attempts)
    worker.solitude.leave(attempts.count)
    permits.end(attempts)
    guard permits.areLost else { return }
    guard attempts.contains(where: \.isCancelledOnRequest) else { return worker.lose(job) }
    // A requested cancellation abandons a task after one second. Such a task may end soon, so the
    // worker waits as long as after a timeout.
    Task { [worker, permits, job] in
      try? await Task.sleep(for: EffectTask.Cause.timeout.patience)
      if permits.areLost { worker.lose(job) }
    }
  }

  /// If one of the attempts was a probe, allows the next probe to begin.
  private func endProbe(_ attempts: [EffectAttempt]) {
    let isProbe = probe.withLock { probe in
      guard let id = probe, attempts.contains(where: { $0.claim.runs[0].id == id }) else {
        return false
      }
      probe = nil
      return true
    }
    if isProbe { worker.commonFailures.endProbe(of: job.name) }
  }
}
