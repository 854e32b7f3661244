import BatonJobs
public import BatonPostgres

/// Runs transactions in Baton's schema for an effect in progress.
///
/// The runner creates the context of an effect from this value. An effect uses a connection only
/// during a call to ``transaction(endingRun:_:)``.
public struct Effect: Sendable {
  let attempt: EffectAttempt

  /// Whether the current task is inside the closure of an effect's transaction.
  @TaskLocal static var isInTransaction = false

  /// Runs `body` in a separate transaction guarded by the fencing token.
  ///
  /// If another worker has claimed the run, the transaction is rolled back. While `body` is
  /// running, the effect cannot begin any steps or other transactions.
  ///
  /// - Parameter endingRun: whether the transaction also completes the run. If the transaction has
  ///   completed the run, it stays completed even if `perform` fails later.
  /// - Throws: any error that `body` throws, or `PostgresError`, with SQLSTATE ZB011 if another
  ///   worker has claimed the run.
  public func transaction<R: Sendable>(
    endingRun: Bool = false, _ body: @escaping @Sendable (Transaction) async throws -> R
  ) async throws -> R {
    let claim = attempt.claim
    guard !Self.isInTransaction else {
      throw NestedTransaction("a transaction", in: claim, next: "use only the outer transaction")
    }
    let result = try await attempt.withSession(isOwn: true) { reconnecting in
      try await reconnecting.session().transaction { transaction in
        try await transaction.run(
          QueueCalls.limitTransaction(of: claim), QueueCalls.lockClaimed(claim))
        let result = try await Self.$isInTransaction.withValue(true) {
          try await body(transaction)
        }
        if endingRun {
          try await transaction.endPayloads(of: claim)
          try await attempt.endSteps(in: transaction)
          try await transaction.run(
            QueueCalls.complete(claim, report: Report(), took: attempt.elapsed))
        }
        return result
      }
    }
    if endingRun { attempt.endByTransaction() }
    return result
  }
}

/// The error for a step or a transaction that begins inside an effect's transaction.
///
/// The outer transaction locks the run, and occupies one of the two connections on which the worker
/// completes effects. An inner step or transaction would wait forever for the run's lock or for a
/// free connection.
struct NestedTransaction: Error, CustomStringConvertible {
  let description: String

  init(_ what: String, in claim: Claim, next: String) {
    description =
      "\(what) begins inside a transaction of the effect (job \(claim.job.definition.name), "
      + "run \(claim.runs[0].id)): \(next)"
  }
}
