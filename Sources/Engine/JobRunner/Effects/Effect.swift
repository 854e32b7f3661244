import BatonJobs
public import BatonPostgres

/// Runs transactions in Baton's schema for an effect in progress.
///
/// The context of an effect is created from this value. An effect uses a connection only during
/// ``transaction(endingRun:_:)``.
public struct Effect: Sendable {
  let attempt: EffectAttempt

  /// Runs `body` in a separate transaction that the fencing token guards.
  ///
  /// If another worker has claimed the run, the transaction is rolled back.
  ///
  /// - Parameter endingRun: whether the transaction also completes the run. If the transaction has
  ///   completed the run, the run stays completed, even if `perform` fails later.
  /// - Throws: the errors of `body`, or `PostgresError`, with SQLSTATE ZB011 if another worker has
  ///   claimed the run.
  public func transaction<R: Sendable>(
    endingRun: Bool = false, _ body: @escaping @Sendable (Transaction) async throws -> R
  ) async throws -> R {
    let claim = attempt.claim
    let result = try await attempt.crew.sessions.with { reconnecting in
      try await reconnecting.session().transaction { transaction in
        try await transaction.run(
          QueueCalls.limitTransaction(of: claim), QueueCalls.lockClaimed(claim))
        let result = try await body(transaction)
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
