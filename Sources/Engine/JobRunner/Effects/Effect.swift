import BatonJobs
public import BatonPostgres
import Synchronization

/// What the context of an effect is made from: transactions in Baton's schema, while the effect is performed.
///
/// A connection is in use only during ``transaction(endingRun:_:)``.
public struct Effect: Sendable {
  let claim: Claim
  let sessions: SessionPool
  let ending: EffectEnding

  /// Runs `body` in a transaction of its own, guarded by the fencing token.
  ///
  /// If another worker has claimed the run, the transaction is rolled back.
  ///
  /// - Parameter endingRun: whether the run ends with this transaction; it is then done, whatever `perform` does
  ///   afterwards.
  /// - Throws: the errors of `body`; `PostgresError`, ZB011 if another worker has the run.
  public func transaction<R: Sendable>(
    endingRun: Bool = false, _ body: @escaping @Sendable (Transaction) async throws -> R
  ) async throws -> R {
    let result = try await sessions.with { reconnecting in
      try await reconnecting.session().transaction { transaction in
        try await transaction.run(
          QueueCalls.limitTransaction(of: claim), QueueCalls.lockClaimed(claim))
        let result = try await body(transaction)
        if endingRun {
          try await transaction.endPayloads(of: claim)
          try await transaction.run(
            QueueCalls.complete(claim, report: Report(), took: ending.elapsed))
        }
        return result
      }
    }
    if endingRun { ending.end() }
    return result
  }
}

/// Whether a transaction of the effect has ended its run.
final class EffectEnding: Sendable {
  private let began = ContinuousClock.now
  private let state = Mutex(false)

  var isEnded: Bool { state.withLock { $0 } }

  var elapsed: Duration { began.duration(to: .now) }

  func end() { state.withLock { $0 = true } }
}
