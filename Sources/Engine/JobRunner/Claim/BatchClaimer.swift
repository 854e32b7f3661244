import BatonJobs
import BatonPostgres
import Foundation

/// The claims of one executor: it selects which runs of a job to claim next.
///
/// Each claim has a token that its worker stores.
final class BatchClaimer {
  private let worker: WorkerContext
  private let reconnecting: ReconnectingSession
  /// For each job, when its quarantined runs are claimed before its other runs.
  private var turns: [String: QuarantineTurn] = [:]

  init(of worker: WorkerContext, on reconnecting: ReconnectingSession) {
    self.worker = worker
    self.reconnecting = reconnecting
  }

  /// Claims runs that may run together with others; nil if none is due.
  ///
  /// - Parameter limit: the most runs; nil: a batch.
  func next(of job: RegisteredJob, limit: Int? = nil) async throws -> Claim? {
    let limit = min(limit ?? job.definition.batch, job.definition.batch)
    return try await claim(job) { job, token in
      try await together(job, token: token, limit: limit)
    }
  }

  /// Claims a run that must run alone in the process; nil if none is due.
  func nextAlone(of job: RegisteredJob) async throws -> Claim? {
    try await claim(job, alone)
  }

  private func claim(
    _ job: RegisteredJob, _ take: (RegisteredJob, UUID) async throws -> [ClaimedRun]
  ) async throws -> Claim? {
    let token = UUID()
    worker.identity.claims.begin(token)
    let began = RunSpans.now
    do {
      let runs = try await take(job, token)
      guard !runs.isEmpty else {
        worker.identity.claims.end(token)
        return nil
      }
      var claim = Claim(job: job, token: token, runs: runs)
      claim.span = RunSpans.noteClaim(claim, since: began)
      return claim
    } catch {
      worker.identity.claims.abandon(token)
      throw error
    }
  }

  /// Claims quarantined runs first if it is their turn, otherwise last; they are never mixed with other runs.
  private func together(
    _ job: RegisteredJob, token: UUID, limit: Int
  ) async throws(PostgresError) -> [ClaimedRun] {
    let isTheirTurn = turns[job.definition.name, default: QuarantineTurn()].hasCome
    let first =
      try await isTheirTurn
      ? quarantined(job, token: token, limit: limit) : others(job, token: token, limit: limit)
    guard first.isEmpty, !worker.wakeUp.isStopping else { return first }
    return try await isTheirTurn
      ? others(job, token: token, limit: limit) : quarantined(job, token: token, limit: limit)
  }

  private func others(
    _ job: RegisteredJob, token: UUID, limit: Int
  ) async throws(PostgresError) -> [ClaimedRun] {
    let session = try await reconnecting.session()
    let runs = try await worker.claimer(of: job).claim(
      job.definition, limit: limit, token: token, worker: worker.identity.id, on: session,
      while: { [wakeUp = worker.wakeUp] in !wakeUp.isStopping })
    if !runs.isEmpty {
      turns[job.definition.name, default: QuarantineTurn()].othersWereClaimed()
    }
    return runs
  }

  private func quarantined(
    _ job: RegisteredJob, token: UUID, limit: Int
  ) async throws(PostgresError) -> [ClaimedRun] {
    let id = worker.identity.id
    let runs = try await apart(job, limit: limit) {
      QueueCalls.claimQuarantined(job.definition, limit: $0, token: token, worker: id)
    }
    turns[job.definition.name, default: QuarantineTurn()].wereAskedFor(found: !runs.isEmpty)
    return runs
  }

  private func alone(
    _ job: RegisteredJob, token: UUID
  ) async throws(PostgresError) -> [ClaimedRun] {
    let id = worker.identity.id
    return try await apart(job, limit: 1) { _ in
      QueueCalls.claimAlone(job.definition, token: token, worker: id)
    }
  }

  /// A claim of runs that are not mixed with others; the limits of the job apply to them too.
  private func apart(
    _ job: RegisteredJob, limit: Int, _ take: @Sendable (Int) -> Call<[ClaimedRun]>
  ) async throws(PostgresError) -> [ClaimedRun] {
    let session = try await reconnecting.session()
    guard worker.claimer(of: job).order.isInTurn else {
      return try await session.claim(job.definition, take(limit))
    }
    return try await session.claimInTurn(job.definition, limit: limit, take)
  }
}
