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
  /// How the next batch of each job is looked for.
  private var scans: [String: ClaimScan] = [:]

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

  private func claim(
    _ job: RegisteredJob, token: UUID
  ) async throws(PostgresError) -> [ClaimedRun] {
    let connection = try await line.connection()
    let name = job.definition.name
    var scan = scans[name] ?? ClaimScan()
    defer { scans[name] = scan }
    var runs = try await scan.claim(
      job.definition, token: token, worker: identity.id, on: connection, in: schema)
    if runs.isEmpty {
      runs = try await connection.atomically(
        in: schema, planning: .byIndex,
        QueueCalls.claimSuspects(job.definition, token: token, worker: identity.id))
    }
    return runs
  }

  /// The end of its runs, which is the fence, and the work in one transaction.
  ///
  /// Rows can have moved since they were claimed, by VACUUM FULL for one: before a claim is taken for
  /// lost they are looked for by key.
  func work(_ claim: Claim) async throws {
    do {
      try await work(claim, behind: QueueCalls.endClaimed(claim))
    } catch let error as PostgresError where error.sqlState == .claimLost {
      try await work(claim, behind: QueueCalls.complete(claim))
    }
  }

  private func work(_ claim: Claim, behind fence: Call<Void>) async throws {
    let connection = try await line.connection()
    let limit = claim.job.definition.timeout
    try await connection.transaction(in: schema, planning: .byIndex) { transaction in
      try await transaction.run(.run(SQL.Worker.limitTransaction, limit.milliseconds), fence)
      try await withDeadline(limit) { try await claim.job.work(claim.runs, transaction) }
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
