import BatonJobs
import BatonPostgres
import Logging

/// Claims runs of one effect job, and passes the runs to a crew that performs a limited number of
/// runs concurrently.
///
/// A running effect does not occupy a connection.
actor EffectExecutor {
  private let job: RegisteredJob
  private nonisolated let worker: WorkerContext
  /// The connection for claims.
  private let reconnecting: ReconnectingSession
  private let claims: BatchClaimer
  private nonisolated let crew: EffectCrew

  /// Creates an executor.
  ///
  /// - Parameters:
  ///   - reconnecting: the connection for claims, which no other executor uses.
  ///   - sessions: the connections on which runs are completed, shared with other jobs.
  ///   - threads: the threads that perform the effects.
  init(
    _ job: RegisteredJob, of worker: WorkerContext, on reconnecting: ReconnectingSession,
    sessions: SessionPool, threads: ThreadPool
  ) {
    self.job = job
    self.worker = worker
    self.reconnecting = reconnecting
    claims = BatchClaimer(of: worker, on: reconnecting)
    crew = EffectCrew(
      of: job.definition, count: job.definition.concurrency ?? 1, worker: worker,
      sessions: sessions, threads: threads)
  }

  private var name: String { job.definition.name }

  /// Performs runs until the worker stops and all effects in progress have ended.
  func run() async {
    let closing = Task { [wakeUp = worker.wakeUp, permits = crew.permits] in
      while !wakeUp.isStopping { await wakeUp.wait(after: wakeUp.last.ring) }
      permits.close()
    }
    while !worker.wakeUp.isStopping {
      let (ring, due) = worker.wakeUp.last
      var areMore = false
      if due.together[name] != nil { areMore = await tried(claimAndStart) }
      if due.alone.contains(name) { areMore = await tried(performAlone) || areMore }
      if !areMore { await claims.wait(after: ring) }
    }
    await closing.value
    await crew.permits.allEnded()
    await reconnecting.close()
  }

  /// Cancels all effects in progress.
  nonisolated func cancel() { crew.cancel() }

  /// The name of the job if its effects are still running, including abandoned effects, or nil if
  /// no effect is running.
  nonisolated var runningJob: String? { crew.permits.areInUse ? job.definition.name : nil }

  private func tried(_ work: () async throws -> Bool) async -> Bool {
    guard worker.lease.isValid else { return false }
    return await worker.tried(job, on: reconnecting, work)
  }

  /// Claims and starts runs for all free permits, and returns whether more runs may be due.
  ///
  /// Permits that become free during a claim are used by the next claim.
  private func claimAndStart() async throws -> Bool {
    let free = await crew.permits.free()
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
    crew.start(claim, isProbe: probes)
    return claim.runs.count == limit
  }

  /// Executes a run during which two workers have died.
  ///
  /// While the worker executes this run, it executes no other run.
  private func performAlone() async throws -> Bool {
    let turn = worker.commonFailures.turn(of: name)
    defer { if turn == .probe { worker.commonFailures.endProbe(of: name) } }
    guard turn != .nothing, await crew.permits.free() > 0, await worker.solitude.begin() else {
      return false
    }
    defer { worker.solitude.end() }
    guard let claim = try await claims.nextAlone(of: job) else { return false }
    crew.start(claim)
    await crew.permits.allEnded()
    return true
  }
}

/// The error that is thrown if abandoned effects occupy all executors of a job.
///
/// After this error, the process must be restarted.
package struct LostExecutors: Error, Sendable, CustomStringConvertible {
  /// The job's name.
  package let job: String

  /// A message for users and logs.
  package var description: String { "all executors of \(job) perform what does not end" }
}
