import BatonJobs
public import BatonPostgres

/// Transactions in Baton's schema that an effect can use while it is performed.
///
/// The context of an effect is created from this value. A connection is in use only during
/// ``transaction(endingRun:_:)``.
public struct Effect: Sendable {
  let attempt: EffectAttempt

  /// Runs `body` in a separate transaction that the fencing token guards.
  ///
  /// If another worker has claimed the run, the transaction is rolled back.
  ///
  /// - Parameter endingRun: whether the transaction also completes the run. The run then stays
  ///   done, regardless of what `perform` does afterwards.
  /// - Throws: the errors of `body`, or `PostgresError`, with ZB011 if another worker has claimed
  ///   the run.
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
