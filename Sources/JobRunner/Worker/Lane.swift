import Foundation
import JobCore
import Logging
import Postgres
import SQLFiles

/// One connection that claims batches and works them, one after the other.
actor Lane {
  private let identity: WorkerIdentity
  private let jobs: [RegisteredJob]
  private let schema: Schema
  private let doorbell: Doorbell
  private let activity: Activity
  private let line: Line
  private let logger: Logger
  /// Where the next look at a job's due runs begins, while its batches come back full.
  private var lowWater: [String: (from: Timestamp, since: ContinuousClock.Instant)] = [:]
  /// When a job's suspects are asked for ahead of its other runs.
  private var suspects: [String: SuspectTurn] = [:]

  init(
    _ identity: WorkerIdentity, jobs: [RegisteredJob], schema: Schema, doorbell: Doorbell,
    activity: Activity, line: Line, logger: Logger
  ) {
    self.identity = identity
    self.jobs = jobs
    self.schema = schema
    self.doorbell = doorbell
    self.activity = activity
    self.line = line
    self.logger = logger
  }

  /// Works until the worker stops.
  func run() async {
    while !doorbell.isStopping {
      let (ring, due) = doorbell.last
      var didWork = false
      for job in jobs where due.contains(job.definition.name) && !doorbell.isStopping {
        do {
          didWork = try await workOnce(job) || didWork
        } catch {
          logger.warning("\(job.definition.name): cannot claim: \(error)")
          await line.reconnect(while: { !doorbell.isStopping })
        }
      }
      if !didWork { await doorbell.wait(after: ring) }
    }
    await close()
  }

  /// Closes the lane's connection.
  func close() async { await line.close() }

  /// Claims one batch and works it; false where there was none.
  func workOnce(_ job: RegisteredJob) async throws -> Bool {
    guard let claim = try await claim(job) else { return false }
    await finish(claim)
    return true
  }

  /// Works a claim, and settles what becomes of its runs where that fails.
  ///
  /// - Returns: the error of the work.
  @discardableResult
  func finish(_ claim: Claim) async -> (any Error)? {
    do {
      try await work(claim)
      identity.claims.end(claim.token)
      activity.record(claim.job.definition.name, runs: claim.runs.count)
      return nil
    } catch {
      await settle(claim, after: error)
      return error
    }
  }

  func claim(_ job: RegisteredJob) async throws -> Claim? {
    let token = UUID()
    identity.claims.begin(token)
    do {
      let runs = try await claim(job, token: token)
      guard !runs.isEmpty else {
        identity.claims.end(token)
        return nil
      }
      return Claim(job: job, token: token, runs: runs)
    } catch {
      identity.claims.abandon(token)
      throw error
    }
  }

  /// Suspects first when it is their turn, else last: never mixed with other runs.
  private func claim(
    _ job: RegisteredJob, token: UUID
  ) async throws(PostgresError) -> [ClaimedRun] {
    let isTheirTurn = suspects[job.definition.name, default: SuspectTurn()].hasCome
    let first =
      try await isTheirTurn
      ? claimSuspects(job, token: token) : claimUnsuspected(job, token: token)
    guard first.isEmpty else { return first }
    return try await isTheirTurn
      ? claimUnsuspected(job, token: token) : claimSuspects(job, token: token)
  }

  private func claimUnsuspected(
    _ job: RegisteredJob, token: UUID
  ) async throws(PostgresError) -> [ClaimedRun] {
    let connection = try await line.connection()
    let name = job.definition.name
    let runs = try await connection.atomically(
      in: schema, planning: .byIndex,
      QueueCalls.claim(
        job.definition, token: token, worker: identity.id, from: lowWaterMark(of: name)))
    if runs.count == job.definition.batch {
      // Runs with an earlier due can appear behind the mark: it is forgotten every second.
      let since = lowWater[name]?.since ?? .now
      lowWater[name] = (runs.map(\.due).min() ?? .init(microseconds: 0), since)
    } else {
      lowWater[name] = nil
    }
    if !runs.isEmpty { suspects[name, default: SuspectTurn()].othersWereClaimed() }
    return runs
  }

  private func claimSuspects(
    _ job: RegisteredJob, token: UUID
  ) async throws(PostgresError) -> [ClaimedRun] {
    let runs = try await line.connection().atomically(
      in: schema, planning: .byIndex,
      QueueCalls.claimSuspects(job.definition, token: token, worker: identity.id))
    suspects[job.definition.name, default: SuspectTurn()].wereAskedFor(found: !runs.isEmpty)
    return runs
  }

  private func lowWaterMark(of job: String) -> Timestamp {
    guard let mark = lowWater[job], mark.since.duration(to: .now) < .seconds(1) else {
      lowWater[job] = nil
      return Timestamp(microseconds: 0)
    }
    return mark.from
  }

  /// The work and the end of its runs in one transaction, behind the fence.
  func work(_ claim: Claim) async throws {
    let connection = try await line.connection()
    let timeout = claim.job.definition.timeout.milliseconds
    try await connection.transaction(in: schema, planning: .byIndex) { transaction in
      try await transaction.run(
        .run(SQL.Worker.limitTransaction, timeout), QueueCalls.lockClaimed(claim))
      try await withDeadline(claim.job.definition.timeout) {
        try await claim.job.work(claim.runs, transaction)
      }
      try await transaction.commit(after: QueueCalls.complete(claim))
    }
  }

  /// Decides what becomes of the runs, and tries until that is written down or the worker stops.
  private func settle(_ claim: Claim, after error: any Error) async {
    let name = claim.job.definition.name
    guard (error as? PostgresError)?.sqlState != .claimLost else {
      logger.warning("\(name): \(claim.runs.count) runs were taken over by another worker")
      identity.claims.end(claim.token)
      return
    }
    let verdict = Verdict(
      on: cause(of: error), runs: claim.runs.count, attempt: claim.runs.map(\.attempt).max() ?? 1,
      retry: claim.job.definition.retry, jitter: .random(in: 0...1))
    logger.log(
      level: error is Snooze ? .debug : .warning,
      "\(name): \(claim.runs.count) runs were not done: \(error)")
    let text = String(describing: error).replacing("\0", with: "")
    let call =
      switch verdict {
      case .giveBack(let off, let wait, let limit):
        QueueCalls.giveBack(
          claim, attemptsOff: off, wait: wait, batchLimit: limit,
          error: off > 0 && limit == nil ? nil : text)
      case .bury: QueueCalls.bury(claim, error: text)
      }
    for _ in 0..<20 {
      do {
        _ = try await line.connection().atomically(in: schema, planning: .byIndex, call)
        identity.claims.end(claim.token)
        return
      } catch {
        logger.warning("\(name): cannot settle failed runs yet: \(error)")
        await line.reconnect(while: { true })
      }
    }
    identity.claims.abandon(claim.token)
  }

  private func cause(of error: any Error) -> Verdict.Cause {
    if error is Permanent { return .permanent }
    if let snooze = error as? Snooze { return .snoozed(snooze.wait) }
    if doorbell.isStopping { return .interrupted }
    guard let error = error as? PostgresError else { return .failed }
    if error.sqlState.isConnectionLoss { return .interrupted }
    return error.sqlState.isTransient ? .transient : .failed
  }
}

extension SQLState {
  /// The fence: somebody else has the runs, and nothing of this work may stay.
  static let claimLost: SQLState = "ZB011"
}
