import Foundation
public import JobCore
public import Logging
public import Postgres
import RunnerSQL

/// Works a job by hand: the same code, the same locks and the same fence as a worker.
public struct InlineRunner: Sendable {
  /// What a run by hand came to.
  public enum Result: Sendable, Equatable {
    /// So many runs were done, and this is what they did.
    case done(runs: Int, report: Report)
    /// The key was running elsewhere for as long as was waited.
    case alreadyRunning
    /// The job is not to be done yet: it is due again after this time.
    case snoozed(Duration, reason: String?)
    /// The task was cancelled: its runs are given back with their attempt.
    case stopped
    /// It failed, and is tried again as the job defines.
    case failed(String)
    /// It failed for the last time: the run is a dead letter.
    case dead(String)
  }

  /// Rows that a transaction wrote in one table.
  public struct Change: Sendable {
    /// The table's name.
    public let table: String
    /// Numbers of rows.
    public let inserted, updated, deleted: Int64
  }

  /// What a rehearsal did before it was rolled back.
  public struct DryRun<Seen: Sendable>: Sendable {
    /// The keys of its runs.
    public let keys: [String]
    /// What the job says it did.
    public let report: Report
    /// What was to be shown, before and after the work.
    public let before, after: Seen
    /// What was written, by table.
    public let changes: [Change]
  }

  private let job: RegisteredJob
  private let context: WorkerContext
  private let reconnecting: ReconnectingConnection
  private let executor: RunExecutor
  private let dispatcher: Dispatcher

  /// A foreground for one job; nothing is opened yet.
  public init(
    _ job: RegisteredJob, on configuration: ConnectionConfiguration, schema: Schema,
    logger: Logger
  ) {
    self.job = job
    context = WorkerContext([job], in: schema, logger: logger)
    reconnecting = ReconnectingConnection(configuration, logger: logger)
    executor = RunExecutor(context, on: reconnecting)
    dispatcher = Dispatcher(context: context, reconnecting: reconnecting)
  }

  private var identity: WorkerIdentity { context.identity }
  private var schema: Schema { context.schema }

  /// Works one key now, debounce and backoff aside, together with its ready run if it has one.
  ///
  /// - Parameters:
  ///   - key: the key of the run.
  ///   - patience: how long to wait while the key runs elsewhere.
  ///   - tell: what was done so far, after every step but the last.
  /// - Throws: ``UnreadableRun`` where the job cannot read the key, before anything is claimed;
  ///   `PostgresError` before and after the work; an error of the work is a result.
  public func work(
    key: String, patience: Duration = .seconds(10), tell: @Sendable (Report) -> Void = { _ in }
  ) async throws -> Result {
    try await Queue(try await reconnecting.connection(), schema: schema)
      .check(job, key: key, payload: nil)
    return try await entered {
      guard let claim = try await claim(key, patience: patience) else {
        return Task.isCancelled ? .stopped : .alreadyRunning
      }
      return await finish(claim, tell: tell)
    }
  }

  /// Works what is ready and due, after folding what has committed.
  ///
  /// - Parameter tell: what was done so far, after every step but the last.
  /// - Throws: `PostgresError` before and after the work; an error of the work is a result.
  public func workDue(tell: @Sendable (Report) -> Void = { _ in }) async throws -> Result {
    try await entered {
      _ = try await Queue(try await reconnecting.connection(), schema: schema).fold()
      var (runs, sum) = (0, Report())
      while let claim = try await executor.claimInTurn(job) {
        let before = sum
        let result = await finish(claim) { tell(before + $0) }
        guard case .done(_, let report) = result else { return result }
        runs += claim.runs.count
        sum += report
      }
      return .done(runs: runs, report: sum)
    }
  }

  /// Fires what is due of the job's schedule and works it now, beside whoever else does.
  ///
  /// The occurrences are marked as fired. Where they share a key it is worked even if none was due:
  /// a person asked. Where each has a run of its own, those runs are worked.
  ///
  /// - Parameters:
  ///   - patience: how long to wait while the shared key runs elsewhere.
  ///   - tell: what was done so far, after every step but the last.
  /// - Throws: `PostgresError` before and after the work; an error of the work is a result.
  public func workSchedule(
    patience: Duration = .seconds(10), tell: @Sendable (Report) -> Void = { _ in }
  ) async throws -> Result {
    let connection = try await reconnecting.connection()
    let scheduler = Scheduler(connection, schema: schema, jobs: [job])
    if try await scheduler.fireDue() > 0 {
      // Else the event would become a second run of what is done here.
      try await Queue(connection, schema: schema).foldAfterOthers()
    }
    guard job.definition.schedule?.missed != .all else { return try await workDue(tell: tell) }
    return try await work(key: Schedule.sharedKey, patience: patience, tell: tell)
  }

  private func finish(_ claim: Claim, tell: @Sendable (Report) -> Void) async -> Result {
    switch await executor.finish(claim, tell: tell) {
    case .done(let report): .done(runs: claim.runs.count, report: report)
    case .undone(let snooze as Snooze, _): .snoozed(snooze.wait, reason: snooze.reason)
    case .undone where Task.isCancelled: .stopped
    case .undone(let error, .deadLetter): .dead("\(error)")
    case .undone(let error, _): .failed("\(error)")
    }
  }

  /// Does the work in a transaction, shows what it changed, and rolls everything back.
  ///
  /// - Parameters:
  ///   - key: one key, or nil for a batch of what is ready and due.
  ///   - look: reads what shall be shown, called before and after the work with its keys.
  /// - Returns: nil where there is nothing to do, or the key runs elsewhere.
  /// - Throws: ``UnreadableRun``, `PostgresError`, or what the job throws.
  public func dryRun<Seen: Sendable>(
    key: String?, look: (Transaction, [String]) async throws -> Seen
  ) async throws -> DryRun<Seen>? {
    let connection = try await reconnecting.connection()
    if let key {
      try await Queue(connection, schema: schema).check(job, key: key, payload: nil)
    }
    let result: DryRunEnd<Seen>
    do {
      try await connection.transaction(in: schema, planning: .noSequentialScan) { transaction in
        throw try await dryRun(key, in: transaction, look)
      }
      return nil
    } catch let rehearsal as DryRunEnd<Seen> {
      result = rehearsal
    }
    await reconnecting.close()
    return result.outcome
  }

  /// What a run would remove, as the job itself says; nil where it has to be rehearsed.
  ///
  /// - Parameter key: one key, or nil.
  /// - Throws: ``UnreadableRun``, `PostgresError`, or what the job throws.
  public func preview(key: String? = nil) async throws -> [Removal]? {
    let connection = try await reconnecting.connection()
    if let key {
      try await Queue(connection, schema: schema).check(job, key: key, payload: nil)
    }
    let removals = try await connection.transaction(in: schema, planning: .noSequentialScan) {
      try await job.preview($0)
    }
    await reconnecting.close()
    return removals
  }

  // MARK: Parts

  private func dryRun<Seen: Sendable>(
    _ key: String?, in transaction: Transaction,
    _ look: (Transaction, [String]) async throws -> Seen
  ) async throws -> DryRunEnd<Seen> {
    // Nothing is claimed: the fold would wait for this transaction, and so would claims of any key.
    let runs = try await transaction.run(QueueCalls.lockForDryRun(job.definition, key: key))
    guard !runs.isEmpty else { return DryRunEnd(outcome: nil) }
    let keys = runs.map(\.key)
    let before = try await look(transaction, keys)
    let report = try await workAllSteps(of: runs, in: transaction)
    let after = try await look(transaction, keys)
    let changes = try await transaction.run(QueueCalls.countChanges)
    return DryRunEnd(
      outcome: DryRun(
        keys: keys, report: report, before: before, after: after, changes: changes))
  }

  /// The steps of a rehearsal share its one transaction, so that all of them are rolled back.
  private func workAllSteps(of runs: [ClaimedRun], in transaction: Transaction) async throws
    -> Report
  {
    let step = job.begin(runs)
    var sum = Report()
    while true {
      switch try await step(transaction) {
      case .more(let report): sum += report
      case .done(let report): return sum + report
      }
    }
  }

  /// What a rehearsal leaves, thrown so that its transaction is rolled back.
  private struct DryRunEnd<Seen: Sendable>: Error {
    let outcome: DryRun<Seen>?
  }

  private func claim(_ key: String, patience: Duration) async throws -> Claim? {
    let deadline = ContinuousClock.now + patience
    let token = UUID()
    let call = QueueCalls.claimKey(job.definition, key: key, token: token, worker: identity.id)
    while !Task.isCancelled {
      do {
        let connection = try await reconnecting.connection()
        let runs: [ClaimedRun] = try await connection.atomically(
          in: schema, planning: .noSequentialScan, call)
        if !runs.isEmpty { return Claim(job: job, token: token, runs: runs) }
        guard .now < deadline else { return nil }
        // Whoever has it may have been killed, and there need not be a worker that takes it over:
        // run by cron alone, the job would be "already running" for ever.
        _ = try await Queue(connection, schema: schema).reclaim()
      } catch let error as PostgresError where error.sqlState == .uniqueViolation {
        // Somebody claimed the key between our look and our claim: it runs elsewhere.
        guard .now < deadline else { return nil }
      } catch {
        // A statement that the cancellation ended.
        guard Task.isCancelled else { throw error }
      }
      try? await Task.sleep(for: .milliseconds(50))
    }
    return nil
  }

  /// Enters a worker for the time of `body`, so that its runs are taken over if this process dies.
  private func entered(_ body: () async throws -> Result) async throws -> Result {
    let connection = try await reconnecting.connection()
    try await dispatcher.register(on: connection)
    let beating = Task { await beat() }
    defer { beating.cancel() }
    // A statement that runs is ended too: nobody wants to wait for it.
    let result = try await withTaskCancellationHandler {
      try await body()
    } onCancel: {
      reconnecting.cancel()
    }
    try await context.activity.write(on: connection, in: schema)
    try await connection.atomically(in: schema, .run(SQL.Workers.unregister, identity.id))
    await reconnecting.close()
    return result
  }

  /// Says that this worker lives, on a connection of its own that short work never opens.
  ///
  /// Without it a worker beside us would take over steps that together last longer than 18 s.
  private func beat() async {
    while (try? await Task.sleep(for: .seconds(5))) != nil {
      guard let connection = try? await Connection.open(reconnecting.configuration) else {
        continue
      }
      try? await connection.atomically(in: schema, .run(SQL.Workers.heartbeat, identity.id))
      await connection.close()
    }
  }
}
