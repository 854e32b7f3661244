package import BatonJobs
package import BatonPostgres

extension InlineRunner {
  /// The numbers of rows that a transaction changed in one table.
  package struct Change: Sendable {
    /// The name of the table.
    package let table: String
    /// The numbers of inserted, updated and deleted rows.
    package let inserted, updated, deleted: Int64
  }

  /// The result of a dry run, whose changes were rolled back.
  package struct DryRun<Seen: Sendable>: Sendable {
    /// The keys of the processed runs.
    package let keys: [String]
    /// The report of the job.
    package let report: Report
    /// The values that the `look` closure returned before and after the runs were processed.
    package let before, after: Seen
    /// The numbers of changed rows in each table.
    package let changes: [Change]
  }

  /// Processes runs in a transaction, returns the changes, and rolls the transaction back.
  ///
  /// - Parameters:
  ///   - key: the key of the run to process, or nil for a batch of due runs.
  ///   - look: reads values from the database for the result of the dry run. The `look` closure is
  ///     called with the keys of the runs, before and after they are processed.
  /// - Returns: nil if no run is due, or if another worker is processing the key's run.
  /// - Throws: ``NoDryRun``, ``RetiredJob``, ``UnreadableRun``, `PostgresError`, `Permanent`,
  ///   `Snooze`, or ``FailedDryRun`` with any other error that the job throws.
  package func dryRun<Seen: Sendable>(
    key: String?, look: (Transaction, [String]) async throws -> Seen
  ) async throws -> DryRun<Seen>? {
    let work = try transactionalWork
    let session = try await registration.control.session()
    if let key { try await check(key, Queue(session)) }
    let result: DryRunEnd<Seen>
    do {
      try await session.transaction { transaction in
        throw try await dryRun(work, key: key, in: transaction, look)
      }
      return nil
    } catch let end as DryRunEnd<Seen> {
      result = end
    }
    await registration.control.close()
    return result.outcome
  }

  /// Returns the removals that the job predicts, or nil if only ``dryRun(key:look:)`` can predict
  /// them.
  ///
  /// Without a key, a retired job processes only its due runs. If a retired job has no due run, the
  /// method also returns nil, and ``dryRun(key:look:)`` then processes no runs.
  ///
  /// - Parameter key: a run's key, or nil. If the job cannot decode that run's payload, the method
  ///   throws an error.
  /// - Throws: the same errors as ``dryRun(key:look:)``.
  package func removals(key: String? = nil) async throws -> [Removal]? {
    let work = try transactionalWork
    let session = try await registration.control.session()
    if let key { try await check(key, Queue(session)) }
    let needsDueRun = if key == nil { try await isRetired } else { false }
    let removals: [Removal]? = try await session.transaction { transaction in
      if needsDueRun {
        let due = try await transaction.run(QueueCalls.lockForDryRun(job.definition, key: nil))
        guard !due.isEmpty else { return nil }
      }
      return try await markingErrors { try await work.dryRun(transaction) }
    }
    await registration.control.close()
    return removals
  }

  /// The transactional part of the job, which a dry run can roll back.
  private var transactionalWork: RegisteredJob.TransactionalWork {
    get throws(NoDryRun) {
      guard case .transactions(let work) = job.work else {
        throw NoDryRun(job: job.definition.name)
      }
      return work
    }
  }

  /// Throws an error if the job cannot decode the run, or if the job is retired and has no run
  /// with this key.
  private func check(_ key: String, _ queue: Queue) async throws {
    try await queue.requireRun(key, of: job.definition)
    try await queue.check(job, key: key, payload: nil)
  }

  private func dryRun<Seen: Sendable>(
    _ work: RegisteredJob.TransactionalWork, key: String?, in transaction: Transaction,
    _ look: (Transaction, [String]) async throws -> Seen
  ) async throws -> DryRunEnd<Seen> {
    // A dry run does not claim runs. A claim would delay the dispatch of events and all other
    // claims until the dry run's transaction ends.
    var runs = try await transaction.run(QueueCalls.lockForDryRun(job.definition, key: key))
    guard !runs.isEmpty else { return DryRunEnd(outcome: nil) }
    if job.definition.payloads == .all {
      let seen = try await transaction.run(QueueCalls.peekPayloads(of: runs, job.definition))
      runs = runs.with(seen)
    }
    let keys = runs.map(\.key)
    let before = try await look(transaction, keys)
    let report = try await workAllSteps(work, of: runs, in: transaction)
    let after = try await look(transaction, keys)
    let changes = try await transaction.run(QueueCalls.countChanges)
    return DryRunEnd(
      outcome: DryRun(
        keys: keys, report: report, before: before, after: after, changes: changes))
  }

  /// Runs all steps in the dry run's transaction so that they are rolled back.
  private func workAllSteps(
    _ work: RegisteredJob.TransactionalWork, of runs: [ClaimedRun], in transaction: Transaction
  ) async throws -> Report {
    let beginning = work.begin(runs, true, registration.worker.logger)
    // If the job cannot decode a run, the dry run fails.
    if let first = beginning.unreadable.first { throw Permanent("\(first.why)") }
    guard let step = beginning.step else { return Report() }
    if let checkpoint = beginning.checkpoint {
      let rows = try await transaction.run(QueueCalls.readCheckpoint(of: runs[0]))
      checkpoint.begin(rows)
    }
    var sum = Report()
    while true {
      switch try await markingErrors({ try await step(transaction) }) {
      case .more(let report): sum += report
      case .done(let report): return sum + report
      }
    }
  }

  /// Executes the job's code, and marks its errors as job errors.
  ///
  /// A temporary error, such as a lost connection, is rethrown unchanged.
  private func markingErrors<R>(_ body: () async throws -> R) async throws -> R {
    do {
      return try await body()
    } catch let error as PostgresError where error.sqlState.isTransient {
      throw error
    } catch let error where !(error is Permanent || error is Snooze || error is CancellationError) {
      throw FailedDryRun(job: job.definition.name, error: error)
    }
  }
}

/// An error from a job's code in a dry run, which was rolled back.
package struct FailedDryRun: Error, CustomStringConvertible {
  /// The job's name.
  package let job: String
  /// The error that the job's code threw.
  package let error: any Error

  package var description: String { "\(error)" }
}

/// The error for a dry run of an effect job.
///
/// An effect cannot be rolled back.
package struct NoDryRun: Error, Equatable {
  /// The job's name.
  package let job: String

  package init(job: String) { self.job = job }
}

/// The result of a dry run, thrown as an error to roll the transaction back.
private struct DryRunEnd<Seen: Sendable>: Error {
  let outcome: InlineRunner.DryRun<Seen>?
}
