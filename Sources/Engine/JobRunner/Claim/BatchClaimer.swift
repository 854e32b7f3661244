import BatonJobs
import BatonPostgres
import Foundation

/// Selects and claims the runs that an executor processes next.
///
/// Each claim has a token, which the worker records in ``HeldClaims``.
final class BatchClaimer {
  private let worker: WorkerContext
  private let reconnecting: ReconnectingSession
  /// For each job name, the object that decides when quarantined runs are claimed first.
  private var turns: [String: QuarantineTurn] = [:]
  /// Whether undecodable runs are claimed before quarantined runs.
  ///
  /// A run is undecodable if another release of the program could not decode it.
  ///
  /// Every claim of undecodable or quarantined runs inverts the value so that the two kinds of runs
  /// take turns.
  private var takesLeftFirst = false
  /// Whether more runs of the job may be due after the last claim.
  ///
  /// A claim that returns fewer runs than its limit usually leaves no due runs. If the job has
  /// limits, due runs may have to wait until claimed runs end. A batch ends before the next claim,
  /// but effects are still running then, so the limits of an effect job still apply. A claim of
  /// quarantined runs is small and does not select runs outside quarantine. After a claim of
  /// quarantined runs, the value is therefore always true.
  private(set) var areMore = true
  /// The ids of the last claim's runs, or an empty set if the executor must make a new claim after
  /// each wake-up.
  ///
  /// If ``areMore`` is true, the executor claims again in any case, so the ids are not needed. For
  /// a job with limits, a poll does not return all due runs, so the ids do not show whether the
  /// claim contains all runs that the poll found.
  private(set) var claimed: Set<Int64> = []

  init(of worker: WorkerContext, on reconnecting: ReconnectingSession) {
    self.worker = worker
    self.reconnecting = reconnecting
  }

  /// Waits until the number of wake-ups is higher than `ring`, or until the worker stops.
  ///
  /// - Parameter isInterchangeable: whether the caller can process the runs of every transactional
  ///   job. A wake-up wakes only one interchangeable caller.
  /// - Returns: a claim that the dispatcher has made for an interchangeable caller, or nil.
  func wait(after ring: Int, isInterchangeable: Bool = false) async -> HandedClaim? {
    let began = ContinuousClock.now
    let handed = await worker.wakeUp.wait(
      after: ring, isInterchangeable: isInterchangeable,
      isReady: { [reconnecting] in reconnecting.isReady })
    if began.duration(to: .now) >= QuarantineTurn.patience {
      for name in turns.keys { turns[name]?.wasIdle() }
    }
    if let name = handed?.claim.job.definition.name {
      turns[name, default: QuarantineTurn()].othersWereClaimed()
    }
    return handed
  }

  /// Claims due runs that may share a batch with other runs.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of runs, or nil for a full batch.
  ///   - isProbe: whether the claim tests if the job's runs still fail. A probe claims one run.
  /// - Returns: nil if no run is due.
  func next(
    of job: RegisteredJob, limit: Int? = nil, isProbe: Bool = false
  ) async throws -> Claim? {
    let limit = isProbe ? 1 : min(limit ?? job.definition.batch, job.definition.batch)
    return try await claim(job) { job, token in
      let probe = isProbe ? try await self.probe(job, token: token) : []
      // The runs at the probe's place may be blocked, while others may start.
      return probe.isEmpty ? try await together(job, token: token, limit: limit) : probe
    }
  }

  /// Claims a due run that must run alone in the process, or returns nil if no such run is due.
  func nextAlone(of job: RegisteredJob) async throws -> Claim? {
    try await claim(job, alone)
  }

  private func claim(
    _ job: RegisteredJob, _ take: (RegisteredJob, UUID) async throws -> [ClaimedRun]
  ) async throws -> Claim? {
    let sent = SentClaim(of: job, by: worker)
    do {
      let runs = try await take(job, sent.token)
      try await reconnecting.session().assignPayloads(
        of: runs, job.definition, token: sent.token)
      let isWhole = !areMore && !worker.claimer(of: job).order.isInTurn
      claimed = isWhole ? Set(runs.map(\.id)) : []
      return sent.end(with: runs)
    } catch {
      sent.fail()
      throw error
    }
  }

  /// Claims either quarantined runs or other runs, but never both kinds in one claim.
  ///
  /// Usually, quarantined runs are claimed after all other runs. If ``QuarantineTurn`` requires it,
  /// quarantined runs are claimed before all other runs.
  private func together(
    _ job: RegisteredJob, token: UUID, limit: Int
  ) async throws(PostgresError) -> [ClaimedRun] {
    let isTheirTurn = turns[job.definition.name, default: QuarantineTurn()].hasCome
    let first =
      try await isTheirTurn
      ? quarantined(job, token: token, limit: limit)
      : others(job, token: token, limit: limit)
    guard first.isEmpty, !worker.wakeUp.isStopping else { return first }
    return try await isTheirTurn
      ? others(job, token: token, limit: limit)
      : quarantined(job, token: token, limit: limit)
  }

  private func others(
    _ job: RegisteredJob, token: UUID, limit: Int
  ) async throws(PostgresError) -> [ClaimedRun] {
    let session = try await reconnecting.session()
    let runs = try await worker.claimer(of: job).claim(
      job.definition, limit: limit, token: token, worker: worker.identity.id, on: session,
      while: { [wakeUp = worker.wakeUp] in !wakeUp.isStopping })
    areMore =
      runs.count == limit
      || worker.claimer(of: job).order.isInTurn && !job.definition.isEffect
    if !runs.isEmpty {
      turns[job.definition.name, default: QuarantineTurn()].othersWereClaimed()
    }
    return runs
  }

  private func quarantined(
    _ job: RegisteredJob, token: UUID, limit: Int
  ) async throws(PostgresError) -> [ClaimedRun] {
    let (id, release) = (worker.identity.id, worker.release)
    // If another release of the program could not decode runs of a batch job, they are claimed one
    // at a time. A batch with several undecodable runs would fail and would be split. Effects of
    // one claim fail independently, so undecodable effects are claimed together.
    let most = job.definition.isEffect ? limit : 1
    let kinds: [@Sendable (Int, Int64) -> Call<[ClaimedRun]>] = [
      {
        QueueCalls.claimQuarantined(
          job.definition, limit: $0, token: token, worker: id, firstClaim: $1)
      },
      {
        QueueCalls.claimLeft(
          job.definition, limit: min($0, most), token: token, worker: id, for: release,
          firstClaim: $1)
      },
    ]
    takesLeftFirst.toggle()
    var runs: [ClaimedRun] = []
    for kind in takesLeftFirst ? kinds.reversed() : kinds where runs.isEmpty {
      runs = try await apart(job, limit: limit, kind)
    }
    areMore = true
    turns[job.definition.name, default: QuarantineTurn()].wereAskedFor(found: !runs.isEmpty)
    return runs
  }

  private func probe(
    _ job: RegisteredJob, token: UUID
  ) async throws(PostgresError) -> [ClaimedRun] {
    areMore = true
    return try await worker.claimer(of: job).claimProbe(
      job.definition, token: token, worker: worker.identity.id, on: reconnecting.session())
  }

  private func alone(
    _ job: RegisteredJob, token: UUID
  ) async throws(PostgresError) -> [ClaimedRun] {
    let id = worker.identity.id
    return try await apart(job, limit: 1) { _, firstClaim in
      QueueCalls.claimAlone(job.definition, token: token, worker: id, firstClaim: firstClaim)
    }
  }

  /// Claims runs that must not share a batch with other runs.
  ///
  /// The job's limits also apply to runs that must not share a batch.
  private func apart(
    _ job: RegisteredJob, limit: Int,
    _ take: @Sendable (_ limit: Int, _ firstClaim: Int64) -> Call<[ClaimedRun]>
  ) async throws(PostgresError) -> [ClaimedRun] {
    let session = try await reconnecting.session()
    return try await worker.claimer(of: job).claimApart(
      job.definition, limit: limit, on: session, take)
  }
}
