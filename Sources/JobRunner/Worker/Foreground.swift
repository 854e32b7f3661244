import Foundation
public import Logging
public import Postgres
import SQLFiles

/// Works a job by hand: the same code, the same locks and the same fence as a worker.
public struct Foreground: Sendable {
  /// What a run by hand came to.
  public enum Result: Sendable, Equatable {
    /// So many runs were done.
    case done(Int)
    /// The key was running elsewhere for as long as was waited.
    case alreadyRunning
    /// It failed; what the runs' next attempt or their end is was written down as for any worker.
    case failed(String)
  }

  /// Rows that a transaction wrote in one table.
  public struct Change: Sendable {
    /// The table's name.
    public let table: String
    /// Numbers of rows.
    public let inserted, updated, deleted: Int64
  }

  private let job: RegisteredJob
  private let schema: Schema
  private let identity = WorkerIdentity()
  private let line: Line
  private let lane: Lane
  private let dispatcher: Dispatcher

  /// A foreground for one job; nothing is opened yet.
  public init(
    _ job: RegisteredJob, on configuration: ConnectionConfiguration, schema: Schema,
    logger: Logger
  ) {
    self.job = job
    self.schema = schema
    let doorbell = Doorbell()
    let activity = Activity()
    line = Line(configuration, logger: logger)
    lane = Lane(
      identity, jobs: [job], schema: schema, doorbell: doorbell, activity: activity, line: line,
      logger: logger)
    dispatcher = Dispatcher(
      identity: identity, jobs: [job], schema: schema, line: line, doorbell: doorbell,
      activity: activity, logger: logger)
  }

  /// Works one key now, debounce and backoff aside, together with its ready run if it has one.
  ///
  /// - Parameter patience: how long to wait while the key runs elsewhere.
  /// - Throws: `PostgresError` before and after the work; an error of the work is a result.
  public func work(key: String, patience: Duration = .seconds(10)) async throws -> Result {
    try await entered {
      guard let claim = try await claim(key, patience: patience) else { return .alreadyRunning }
      return await lane.finish(claim).map { .failed("\($0)") } ?? .done(1)
    }
  }

  /// Works what is ready and due, after folding what has committed.
  ///
  /// - Throws: `PostgresError` before and after the work; an error of the work is a result.
  public func workDue() async throws -> Result {
    try await entered {
      _ = try await Queue(try await line.connection(), schema: schema).fold()
      var done = 0
      while let claim = try await lane.claim(job) {
        if let error = await lane.finish(claim) { return .failed("\(error)") }
        done += claim.runs.count
      }
      return .done(done)
    }
  }

  /// Does the work in a transaction, shows what it changed, and rolls everything back.
  ///
  /// - Parameters:
  ///   - key: one key, or nil for a batch of what is ready and due.
  ///   - look: reads what shall be shown, called before and after the work with its keys.
  /// - Returns: nil where there is nothing to do, or the key runs elsewhere.
  /// - Throws: `PostgresError`, or what the job throws.
  public func rehearse<Seen: Sendable>(
    key: String?, look: (Transaction, [String]) async throws -> Seen
  ) async throws -> (keys: [String], before: Seen, after: Seen, changes: [Change])? {
    let connection = try await line.connection()
    let result: Rehearsal<Seen>
    do {
      try await connection.transaction(in: schema, planning: .byIndex) { transaction in
        throw try await rehearse(key, in: transaction, look)
      }
      return nil
    } catch let rehearsal as Rehearsal<Seen> {
      result = rehearsal
    }
    await line.close()
    return result.outcome
  }

  // MARK: Parts

  private func rehearse<Seen: Sendable>(
    _ key: String?, in transaction: Transaction,
    _ look: (Transaction, [String]) async throws -> Seen
  ) async throws -> Rehearsal<Seen> {
    let token = UUID()
    let runs =
      if let key {
        try await transaction.run(
          QueueCalls.claimKey(job.definition, key: key, token: token, worker: identity.id))
      } else {
        try await transaction.run(
          QueueCalls.claim(
            job.definition, token: token, worker: identity.id, from: Timestamp(microseconds: 0)))
      }
    let claim = Claim(job: job, token: token, runs: runs)
    guard !runs.isEmpty else { return Rehearsal(outcome: nil) }
    let before = try await look(transaction, claim.keys)
    try await job.work(runs, transaction)
    let after = try await look(transaction, claim.keys)
    try await transaction.run(QueueCalls.complete(claim))
    let changes = try await transaction.run(QueueCalls.countChanges)
    return Rehearsal(outcome: (claim.keys, before, after, changes))
  }

  /// What a rehearsal leaves, thrown so that its transaction is rolled back.
  private struct Rehearsal<Seen: Sendable>: Error {
    let outcome: (keys: [String], before: Seen, after: Seen, changes: [Change])?
  }

  private func claim(_ key: String, patience: Duration) async throws -> Claim? {
    let deadline = ContinuousClock.now + patience
    let token = UUID()
    let call = QueueCalls.claimKey(job.definition, key: key, token: token, worker: identity.id)
    while true {
      do throws(PostgresError) {
        let runs: [ClaimedRun] = try await line.connection().atomically(
          in: schema, planning: .byIndex, call)
        if !runs.isEmpty { return Claim(job: job, token: token, runs: runs) }
      } catch {
        // Somebody claimed the key between our look and our claim: it runs elsewhere.
        guard error.sqlState == .uniqueViolation else { throw error }
      }
      guard .now < deadline else { return nil }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Enters a worker for the time of `body`, so that its runs are taken over if this process dies.
  private func entered(_ body: () async throws -> Result) async throws -> Result {
    let connection = try await line.connection()
    try await dispatcher.register(on: connection)
    let result = try await body()
    try await dispatcher.activity.write(on: connection, in: schema)
    try await connection.atomically(in: schema, .run(SQL.Worker.unregister, identity.id))
    await line.close()
    return result
  }
}
