import BatonJobs
import BatonPostgres
import Foundation

extension EffectAttempt: StepStore {
  var now: Date { worker.endsSleeps ? .distantFuture : worker.serverClock.now.date }

  func check(step name: String) throws {
    guard !Effect.isInTransaction else {
      throw NestedTransaction(
        "the step \(name)", in: claim, next: "perform the step before or after the transaction")
    }
  }

  func readSteps() async throws -> [String: String] {
    let steps = try await withSession { reconnecting in
      let found: [StoredStep?] = try await reconnecting.session().atomically(
        QueueCalls.readSteps(of: claim))
      return found.compactMap { $0 }
    }
    if !steps.isEmpty { noteSteps() }
    return Dictionary(steps.map { ($0.name, $0.result) }) { first, _ in first }
  }

  /// Stores the result of a step in a short transaction guarded by the fencing token.
  ///
  /// If the result is not stored, the next attempt performs the step again. After a temporary
  /// error, the transaction is retried until the attempt is cancelled or another worker may claim
  /// the run.
  func storeStep(_ name: String, _ result: String) async throws {
    // If the response to COMMIT was lost, the step's result may be stored although an error is
    // reported.
    noteSteps()
    try await persist(result, "cannot store a step yet") { try await save(name, result, on: $0) }
  }

  /// Searches for an event in a short transaction guarded by the fencing token.
  func search(for event: AwaitedEvent) async throws -> AwaitedEvent.Outcome {
    noteWait(event.step)
    return try await withSession {
      try await guarded(QueueCalls.search(for: event, of: claim), on: $0)
    }
  }

  private func save(
    _ name: String, _ result: String, on reconnecting: ReconnectingSession
  ) async throws {
    _ = try await guarded(QueueCalls.saveStep(name, result, of: claim), on: reconnecting)
  }

  /// Executes a call in a transaction that fails if another worker has claimed the run.
  private func guarded<Output: Sendable>(
    _ call: Call<Output>, on reconnecting: ReconnectingSession
  ) async throws -> Output {
    let session = try await reconnecting.session()
    let (_, output) = try await session.atomically(QueueCalls.lockClaimed(claim), call)
    return output
  }
}
