package import BatonJobs
package import BatonPostgres

extension InlineRunner {
  /// Rows that a transaction wrote in one table.
  package struct Change: Sendable {
    /// The table's name.
    package let table: String
    /// Numbers of rows.
    package let inserted, updated, deleted: Int64
  }

  /// What the work did before it was rolled back.
  package struct DryRun<Seen: Sendable>: Sendable {
    /// The keys of its runs.
    package let keys: [String]
    /// What the job says it did.
    package let report: Report
    /// What was to be shown, before and after the work.
    package let before, after: Seen
    /// What was written, by table.
    package let changes: [Change]
  }

  /// Does the work in a transaction, shows what it changed, and rolls everything back.
  ///
  /// - Parameters:
  ///   - key: one key, or nil for a batch of what is ready and due.
  ///   - look: reads what shall be shown, called before and after the work with its keys.
  /// - Returns: nil where there is nothing to do, or the key runs elsewhere.
  /// - Throws: ``UnreadableRun``, `PostgresError`, or what the job throws.
  package func dryRun<Seen: Sendable>(
    key: String?, look: (Transaction, [String]) async throws -> Seen
  ) async throws -> DryRun<Seen>? {
    let session = try await registration.control.session()
    if let key { try await Queue(session).check(job, key: key, payload: nil) }
    let result: DryRunEnd<Seen>
    do {
      try await session.transaction { transaction in
        throw try await dryRun(key, in: transaction, look)
      }
      return nil
    } catch let end as DryRunEnd<Seen> {
      result = end
    }
    await registration.control.close()
    return result.outcome
  }

  /// What a run would remove, as the job itself says; nil where only a ``dryRun(key:look:)`` shows it.
  ///
  /// - Parameter key: one key, or nil.
  /// - Throws: ``UnreadableRun``, `PostgresError`, or what the job throws.
  package func removals(key: String? = nil) async throws -> [Removal]? {
    let session = try await registration.control.session()
    if let key { try await Queue(session).check(job, key: key, payload: nil) }
    let removals = try await session.transaction { try await job.transactions.dryRun($0) }
    await registration.control.close()
    return removals
  }

  private func dryRun<Seen: Sendable>(
    _ key: String?, in transaction: Transaction,
    _ look: (Transaction, [String]) async throws -> Seen
  ) async throws -> DryRunEnd<Seen> {
    // Nothing is claimed: the fold would wait for this transaction, and so would claims of any key.
    var runs = try await transaction.run(QueueCalls.lockForDryRun(job.definition, key: key))
    guard !runs.isEmpty else { return DryRunEnd(outcome: nil) }
    if job.definition.payloads == .all {
      let seen = try await transaction.run(QueueCalls.peekPayloads(of: runs, job.definition))
      runs = runs.with(seen)
    }
    let keys = runs.map(\.key)
    let before = try await look(transaction, keys)
    let report = try await workAllSteps(of: runs, in: transaction)
    let after = try await look(transaction, keys)
    let changes = try await transaction.run(QueueCalls.countChanges)
    return DryRunEnd(
      outcome: DryRun(
        keys: keys, report: report, before: before, after: after, changes: changes))
  }

  /// The steps of a dry run share its one transaction, so that all of them are rolled back.
  private func workAllSteps(
    of runs: [ClaimedRun], in transaction: Transaction
  ) async throws -> Report {
    let beginning = job.transactions.begin(runs, true, registration.worker.logger)
    // No worker of another version takes over a run that is worked by hand.
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

/// What a dry run leaves, thrown so that its transaction is rolled back.
private struct DryRunEnd<Seen: Sendable>: Error {
  let outcome: InlineRunner.DryRun<Seen>?
}
