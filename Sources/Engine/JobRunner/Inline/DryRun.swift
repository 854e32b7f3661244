package import BatonJobs
package import BatonPostgres

extension InlineRunner {
  /// Rows that a transaction wrote in one table.
  package struct Change: Sendable {
    /// The table's name.
    package let table: String
    /// The numbers of rows.
    package let inserted, updated, deleted: Int64
  }

  /// The result of work that was rolled back.
  package struct DryRun<Seen: Sendable>: Sendable {
    /// The keys of its runs.
    package let keys: [String]
    /// The report of the job.
    package let report: Report
    /// The results of `look`, before and after the work.
    package let before, after: Seen
    /// The changes, by table.
    package let changes: [Change]
  }

  /// Does the work in a transaction, returns what it changed, and rolls everything back.
  ///
  /// - Parameters:
  ///   - key: one key, or nil for a batch of runs that are ready and due.
  ///   - look: reads what to show; called before and after the work with its keys.
  /// - Returns: nil if there is nothing to do, or if the key is running elsewhere.
  /// - Throws: ``NoDryRun``, ``UnreadableRun``, `PostgresError`, or the errors of the job.
  package func dryRun<Seen: Sendable>(
    key: String?, look: (Transaction, [String]) async throws -> Seen
  ) async throws -> DryRun<Seen>? {
    let work = try transactionalWork
    let session = try await registration.control.session()
    if let key { try await Queue(session).check(job, key: key, payload: nil) }
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

  /// Returns what a run would remove, as the job itself reports it; nil if only ``dryRun(key:look:)`` can show it.
  ///
  /// - Parameter key: one key, or nil.
  /// - Throws: ``NoDryRun``, ``UnreadableRun``, `PostgresError`, or the errors of the job.
  package func removals(key: String? = nil) async throws -> [Removal]? {
    let work = try transactionalWork
    let session = try await registration.control.session()
    if let key { try await Queue(session).check(job, key: key, payload: nil) }
    let removals = try await session.transaction { try await work.dryRun($0) }
    await registration.control.close()
    return removals
  }

  /// The work that a dry run rolls back.
  private var transactionalWork: RegisteredJob.TransactionalWork {
    get throws(NoDryRun) {
      guard case .transactions(let work) = job.work else {
        throw NoDryRun(job: job.definition.name)
      }
      return work
    }
  }

  private func dryRun<Seen: Sendable>(
    _ work: RegisteredJob.TransactionalWork, key: String?, in transaction: Transaction,
    _ look: (Transaction, [String]) async throws -> Seen
  ) async throws -> DryRunEnd<Seen> {
    // Nothing is claimed: otherwise the fold, and claims of any key, would wait for this transaction.
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

  /// The steps of a dry run share its one transaction, so that all of them are rolled back.
  private func workAllSteps(
    _ work: RegisteredJob.TransactionalWork, of runs: [ClaimedRun], in transaction: Transaction
  ) async throws -> Report {
    let beginning = work.begin(runs, true, registration.worker.logger)
    // A run that is worked manually is not left for a worker of another version.
    if let first = beginning.unreadable.first { throw Permanent("\(first.why)") }
    guard let step = beginning.step else { return Report() }
    var sum = Report()
    while true {
      switch try await step(transaction) {
      case .more(let report): sum += report
      case .done(let report): return sum + report
      }
    }
  }
}

/// An effect cannot be rolled back, so there is no dry run of it.
package struct NoDryRun: Error, Equatable {
  /// The job's name.
  package let job: String

  package init(job: String) { self.job = job }
}

/// The result of a dry run, thrown so that its transaction is rolled back.
private struct DryRunEnd<Seen: Sendable>: Error {
  let outcome: InlineRunner.DryRun<Seen>?
}
