import Foundation
import JobCore
import Logging
import Postgres
import RunnerSQL

/// One connection that claims batches and works them, one after the other.
actor RunExecutor {
  private let context: WorkerContext
  private let reconnecting: ReconnectingConnection
  /// When a job's suspects are asked for ahead of its other runs.
  private var suspects: [String: QuarantineTurn] = [:]

  init(_ context: WorkerContext, on reconnecting: ReconnectingConnection) {
    self.context = context
    self.reconnecting = reconnecting
  }

  private var identity: WorkerIdentity { context.identity }
  private var schema: Schema { context.schema }
  private var wakeUp: WakeUpSignal { context.wakeUp }
  private var logger: Logger { context.logger }

  /// Works until the worker stops.
  func run() async {
    while !wakeUp.isStopping {
      let (ring, due) = wakeUp.last
      var didWork = false
      for job in context.jobs {
        let name = job.definition.name
        if due.together.contains(name) { didWork = await tried(job, workOnce) || didWork }
        if due.alone.contains(name) { didWork = await tried(job, workAlone) || didWork }
      }
      if !didWork { await wakeUp.wait(after: ring) }
    }
    await close()
  }

  /// Works once, unless the worker stops; false where there was nothing or it could not be claimed.
  private func tried(
    _ job: RegisteredJob, _ work: (RegisteredJob) async throws -> Bool
  ) async -> Bool {
    guard !wakeUp.isStopping else { return false }
    do {
      return try await work(job)
    } catch {
      logger.warning("\(job.definition.name): cannot claim: \(error)")
      await reconnecting.reconnect(while: { !wakeUp.isStopping })
      return false
    }
  }

  /// Closes the executor's connection.
  func close() async { await reconnecting.close() }

  /// Claims one batch and works it; false where there was none.
  func workOnce(_ job: RegisteredJob) async throws -> Bool {
    await context.solitude.enter()
    defer { context.solitude.leave() }
    guard let claim = try await claim(job) else { return false }
    await finish(claim)
    return true
  }

  /// Claims a run with which two workers died and works it while no other executor has anything in hand;
  /// false where there was none, or others did not end soon.
  func workAlone(_ job: RegisteredJob) async throws -> Bool {
    guard await context.solitude.begin() else { return false }
    defer { context.solitude.end() }
    guard let claim = try await claim(job, claimAlone) else { return false }
    await finish(claim)
    return true
  }

  /// Works a claim, and settles what becomes of its runs where that fails.
  ///
  /// - Parameter tell: what was done so far, after every step but the last.
  /// - Returns: what was done, or the error of the work and what became of its runs.
  @discardableResult
  func finish(
    _ claim: Claim, tell: @Sendable (Report) -> Void = { _ in }
  ) async -> AttemptResult {
    let attempt = OpenAttempt(claim)
    do {
      let report = try await work(attempt, tell: tell)
      identity.claims.end(claim.token)
      context.activity.record(claim.job.definition.name, runs: claim.runs.count)
      return .done(report)
    } catch {
      return .undone(error, await settle(attempt, after: error))
    }
  }

  func claim(_ job: RegisteredJob) async throws -> Claim? {
    try await claim(job, claimTogether)
  }

  /// The next claim of whoever has nothing else in hand: also of a run that is worked alone.
  func claimInTurn(_ job: RegisteredJob) async throws -> Claim? {
    if let claim = try await claim(job) { return claim }
    return try await claim(job, claimAlone)
  }

  private func claim(
    _ job: RegisteredJob, _ take: (RegisteredJob, UUID) async throws -> [ClaimedRun]
  ) async throws -> Claim? {
    let token = UUID()
    identity.claims.begin(token)
    do {
      let runs = try await take(job, token)
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
  private func claimTogether(
    _ job: RegisteredJob, token: UUID
  ) async throws(PostgresError) -> [ClaimedRun] {
    let isTheirTurn = suspects[job.definition.name, default: QuarantineTurn()].hasCome
    let first =
      try await isTheirTurn
      ? claimQuarantined(job, token: token) : claimUnsuspected(job, token: token)
    guard first.isEmpty, !wakeUp.isStopping else { return first }
    return try await isTheirTurn
      ? claimUnsuspected(job, token: token) : claimQuarantined(job, token: token)
  }

  private func claimUnsuspected(
    _ job: RegisteredJob, token: UUID
  ) async throws(PostgresError) -> [ClaimedRun] {
    let connection = try await reconnecting.connection()
    let runs = try await context.scan(of: job).claim(
      job.definition, token: token, worker: identity.id, on: connection, in: schema,
      while: { [wakeUp] in !wakeUp.isStopping })
    if !runs.isEmpty {
      suspects[job.definition.name, default: QuarantineTurn()].othersWereClaimed()
    }
    return runs
  }

  private func claimQuarantined(
    _ job: RegisteredJob, token: UUID
  ) async throws(PostgresError) -> [ClaimedRun] {
    let runs = try await reconnecting.connection().atomically(
      in: schema, planning: .noSequentialScan,
      QueueCalls.claimQuarantined(job.definition, token: token, worker: identity.id))
    suspects[job.definition.name, default: QuarantineTurn()].wereAskedFor(found: !runs.isEmpty)
    return runs
  }

  private func claimAlone(
    _ job: RegisteredJob, token: UUID
  ) async throws(PostgresError) -> [ClaimedRun] {
    try await reconnecting.connection().atomically(
      in: schema, planning: .noSequentialScan,
      QueueCalls.claimAlone(job.definition, token: token, worker: identity.id))
  }

  /// Works a claim; nothing is settled where that fails.
  @discardableResult
  func work(_ claim: Claim) async throws -> Report {
    try await work(OpenAttempt(claim), tell: { _ in })
  }

  /// One step after the other, each a transaction behind the fence; the last one ends the runs.
  private func work(
    _ attempt: OpenAttempt, tell: @Sendable (Report) -> Void
  ) async throws -> Report {
    while true {
      switch try await step(attempt) {
      case .done(let report): return attempt.report + report
      case .more(let report):
        attempt.report += report
        tell(attempt.report)
        guard !wakeUp.isStopping, !Task.isCancelled else { throw Interrupted() }
      }
    }
  }

  /// One transaction of the work, and with the last one the end of its runs.
  private func step(_ attempt: OpenAttempt) async throws -> StepResult {
    guard attempt.claim.job.endsFirst else { return try await stepAndEnd(attempt) }
    do {
      return try await endAndStep(attempt, behind: QueueCalls.endClaimed(attempt.claim))
    } catch let error as PostgresError where error.sqlState == .claimLost {
      // Rows can have moved since they were claimed, by VACUUM FULL for one: before a claim is
      // taken for lost they are looked for by key.
      return try await endAndStep(attempt, behind: QueueCalls.endByKey(attempt.claim))
    }
  }

  /// The end of the runs, which is the fence, and the work.
  private func endAndStep(
    _ attempt: OpenAttempt, behind fence: Call<Void>
  ) async throws -> StepResult {
    let limit = attempt.claim.job.definition.timeout
    return try await reconnecting.connection().transaction(in: schema, planning: .noSequentialScan)
    {
      transaction in
      try await transaction.run(.run(SQL.Workers.limitTransaction, limit.milliseconds), fence)
      return try await withDeadline(limit) { [step = attempt.step] in try await step(transaction) }
    }
  }

  /// The fence, the work, and the end of the runs where there is nothing more to do.
  private func stepAndEnd(_ attempt: OpenAttempt) async throws -> StepResult {
    let claim = attempt.claim
    let limit = claim.job.definition.timeout
    return try await reconnecting.connection().transaction(in: schema, planning: .noSequentialScan)
    {
      transaction in
      try await transaction.run(
        .run(SQL.Workers.limitTransaction, limit.milliseconds), QueueCalls.lockClaimed(claim))
      let progress = try await withDeadline(limit) { [step = attempt.step] in
        try await step(transaction)
      }
      if case .done(let report) = progress {
        try await transaction.commit(
          after: QueueCalls.complete(
            claim, report: attempt.report + report, took: attempt.elapsed))
      }
      return progress
    }
  }

  /// Decides what becomes of the runs, and tries until that is written down or the worker stops.
  ///
  /// - Returns: nil where somebody else has the runs.
  private func settle(_ attempt: OpenAttempt, after error: any Error) async -> FailureDecision? {
    let claim = attempt.claim
    let name = claim.job.definition.name
    guard (error as? PostgresError)?.sqlState != .claimLost else {
      logger.warning("\(name): taken over by another worker: \(claim.description)")
      identity.claims.end(claim.token)
      return nil
    }
    let verdict = FailureDecision(
      on: cause(of: error), runs: claim.runs.count, attempt: claim.runs.map(\.attempt).max() ?? 1,
      retry: claim.job.definition.retry, jitter: .random(in: 0...1))
    logger.log(
      level: error is Snooze ? .debug : .warning,
      "\(name): not done: \(claim.description): \(error)")
    let text = String(describing: error).replacing("\0", with: "")
    let call =
      switch verdict {
      case .release(let off, let wait, let limit):
        QueueCalls.release(
          claim, attemptsOff: off, wait: wait, batchLimit: limit,
          error: off > 0 && limit == nil ? nil : text)
      case .deadLetter:
        QueueCalls.deadLetter(claim, error: text, report: attempt.report, took: attempt.elapsed)
      }
    for _ in 0..<20 {
      do {
        _ = try await reconnecting.connection().atomically(
          in: schema, planning: .noSequentialScan, call)
        identity.claims.end(claim.token)
        return verdict
      } catch {
        logger.warning("\(name): cannot settle yet: \(claim.description): \(error)")
        await reconnecting.reconnect(while: { !Task.isCancelled })
      }
    }
    identity.claims.abandon(claim.token)
    return verdict
  }

  private func cause(of error: any Error) -> FailureDecision.Cause {
    if error is Permanent { return .permanent }
    if let snooze = error as? Snooze { return .snoozed(snooze.wait) }
    if wakeUp.isStopping || Task.isCancelled { return .interrupted }
    guard let error = error as? PostgresError else { return .failed }
    if error.sqlState.isConnectionLoss { return .interrupted }
    return error.sqlState.isTransient ? .transient : .failed
  }
}

/// How work ended.
enum AttemptResult {
  case done(Report)
  /// The error, and what became of the runs; nil where somebody else has them.
  case undone(any Error, FailureDecision?)
}

/// The worker was stopped between two steps.
struct Interrupted: Error, CustomStringConvertible {
  let description = "the worker stopped between two steps"
}

/// A claim that is being worked, and what its steps have done so far.
private final class OpenAttempt {
  let claim: Claim
  let step: RegisteredJob.Attempt
  var report = Report()
  private let began = ContinuousClock.now

  init(_ claim: Claim) {
    self.claim = claim
    step = claim.job.begin(claim.runs)
  }

  var elapsed: Duration { began.duration(to: .now) }
}

extension SQLState {
  /// The fence: somebody else has the runs, and nothing of this work may stay.
  static let claimLost: SQLState = "ZB011"
}
