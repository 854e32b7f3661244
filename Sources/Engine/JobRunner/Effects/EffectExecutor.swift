import BatonJobs
import BatonPostgres
import Logging

/// Claims and performs runs of one effect job, up to a limited number at the same time.
///
/// A running effect does not occupy a connection.
actor EffectExecutor {
  private let job: RegisteredJob
  private nonisolated let worker: WorkerContext
  /// The connection for claims.
  private let reconnecting: ReconnectingSession
  private let claims: BatchClaimer
  private let sessions: SessionPool
  private let threads: EffectThreads
  private nonisolated let permits: EffectPermits

  /// Creates an executor.
  ///
  /// - Parameters:
  ///   - reconnecting: the connection for claims, which no other executor uses.
  ///   - sessions: the connections on which runs are completed, shared with other jobs.
  ///   - threads: the threads that perform the effects.
  init(
    _ job: RegisteredJob, of worker: WorkerContext, on reconnecting: ReconnectingSession,
    sessions: SessionPool, threads: EffectThreads
  ) {
    self.job = job
    self.worker = worker
    self.reconnecting = reconnecting
    claims = BatchClaimer(of: worker, on: reconnecting)
    self.sessions = sessions
    self.threads = threads
    permits = EffectPermits(job.definition.concurrency ?? 1)
  }

  private var name: String { job.definition.name }

  /// Performs runs until the worker stops and all effects in progress have ended.
  func run() async {
    let closing = Task { [wakeUp = worker.wakeUp, permits] in
      while !wakeUp.isStopping { await wakeUp.wait(after: wakeUp.last.ring) }
      permits.close()
    }
    while !worker.wakeUp.isStopping {
      let (ring, due) = worker.wakeUp.last
      var areMore = false
      if due.together[name] != nil { areMore = await tried(claimAndStart) }
      if due.alone.contains(name) { areMore = await tried(performAlone) || areMore }
      if !areMore { await worker.wakeUp.wait(after: ring) }
    }
    await closing.value
    await permits.allEnded()
    await reconnecting.close()
  }

  /// Cancels all effects in progress.
  nonisolated func cancel() { permits.close(isCancelling: true) }

  private func tried(_ work: () async throws -> Bool) async -> Bool {
    guard worker.lease.isValid else { return false }
    return await worker.tried(job, on: reconnecting, work)
  }

  /// Claims and starts runs for all free permits, and returns whether more runs may be due.
  private func claimAndStart() async throws -> Bool {
    let free = await permits.free()
    guard free > 0 else { return false }
    let failures = worker.commonFailures
    let turn = failures.turn(of: name)
    guard turn != .nothing else { return false }
    var probes = false
    defer { if turn == .probe, !probes { failures.endProbe(of: name) } }
    await worker.solitude.enter()
    defer { worker.solitude.leave() }
    let limit = turn == .probe ? 1 : free
    guard let claim = try await claims.next(of: job, limit: limit) else { return false }
    probes = turn == .probe
    worker.identity.claims.divide(claim.token, into: claim.runs.count)
    worker.solitude.stay(claim.runs.count)
    for run in claim.runs {
      let (permit, attempt) = take(claim.with([run]))
      let task = Task { [worker, name] in
        await work(attempt)
        if turn == .probe { failures.endProbe(of: name) }
        worker.solitude.leave()
        end(permit)
      }
      permits.attach(task, to: permit)
    }
    return claim.runs.count == limit
  }

  /// Performs a run during which two workers died, while this worker does nothing else.
  private func performAlone() async throws -> Bool {
    let turn = worker.commonFailures.turn(of: name)
    defer { if turn == .probe { worker.commonFailures.endProbe(of: name) } }
    guard turn != .nothing, await permits.free() > 0, await worker.solitude.begin() else {
      return false
    }
    defer { worker.solitude.end() }
    guard let claim = try await claims.nextAlone(of: job) else { return false }
    let (permit, attempt) = take(claim)
    await work(attempt)
    end(permit)
    return true
  }

  private nonisolated func work(_ attempt: EffectAttempt) async {
    guard let watch = worker.watch else {
      _ = await attempt.work()
      return
    }
    _ = await watch.around(attempt.claim) { await attempt.work() }
  }

  private func take(_ claim: Claim) -> (Int, EffectAttempt) {
    permits.take { onEnd in
      var attempt = EffectAttempt(claim, worker: worker, sessions: sessions, threads: threads)
      attempt.onEnd = onEnd
      return attempt
    }
  }

  private func end(_ permit: Int) {
    permits.end(permit)
    if permits.areLost { worker.lose(job.definition) }
  }
}

/// The error if abandoned effects occupy all executors of a job.
///
/// The process must then be restarted.
package struct LostExecutors: Error, Sendable, CustomStringConvertible {
  /// The name of the job.
  package let job: String

  /// A text for users and logs.
  package var description: String { "all executors of \(job) perform what does not end" }
}
