import BatonJobs
import BatonPostgres
import Foundation
import RunnerSQL

extension Session {
  /// Claims runs in a separate transaction, in one round trip.
  ///
  /// If the job receives all payloads, two more round trips fetch them. Otherwise, the caller must
  /// call ``assignPayloads(of:_:token:)`` afterwards.
  ///
  /// - Parameter patience: how long the claim waits for a lock, or nil for the server's `lock_timeout`.
  func claim(
    _ job: JobDefinition, _ call: Call<[ClaimedRun]>, patience: Duration? = nil
  ) async throws(PostgresError) -> [ClaimedRun] {
    guard job.payloads == .all else {
      guard let patience else { return try await atomically(call) }
      return try await atomically(QueueCalls.limitClaim(patience, job), call).1
    }
    return try await claiming { transaction in
      try await transaction.run(QueueCalls.limitClaim(patience, job))
      return try await transaction.taking(job, for: transaction.run(call))
    }
  }

  /// Claims runs, unless the job has limits.
  ///
  /// - Returns: nil if the job has limits and the claim therefore needs the job's turn.
  func claimWithoutLimits(
    _ job: JobDefinition, _ call: Call<[ClaimedRun]>, patience: Duration? = nil
  ) async throws(PostgresError) -> [ClaimedRun]? {
    try await claiming { transaction in
      let (_, hasLimits) = try await transaction.run(
        QueueCalls.limitClaim(patience, job), QueueCalls.hasLimits(job))
      guard !hasLimits else { return nil }
      return try await transaction.taking(job, for: transaction.run(call))
    }
  }

  /// Assigns stored payloads to claimed runs of a job that receives only the newest payload.
  ///
  /// During a deployment that changes `payloads`, payloads are stored for such runs, too. The claim
  /// is already committed, but none of the runs may be executed before the assignment. Each
  /// transaction assigns at most 10,000 payloads.
  ///
  /// If another worker has claimed a run again, the run gets no payloads. The attempt of this run
  /// then fails because of the fencing token.
  ///
  /// - Throws: `PostgresError`, also if the task is cancelled before the last transaction.
  func assignPayloads(
    of runs: [ClaimedRun], _ job: JobDefinition, token: UUID
  ) async throws(PostgresError) {
    guard job.payloads != .all, runs.contains(where: \.mayHavePayloads) else { return }
    repeat {
      // A transaction that begins in a cancelled task is not cancelled.
      guard !Task.isCancelled else {
        throw PostgresError(.queryCanceled, "its task was cancelled")
      }
    } while try await atomically(QueueCalls.assignPayloads(of: runs, job, token: token)) >= 10_000
  }

  /// Claims runs in a transaction that consists of several statements.
  ///
  /// The closure may throw only `PostgresError`.
  func claiming<R>(
    _ body: (Transaction) async throws -> R
  ) async throws(PostgresError) -> R {
    do {
      return try await transaction(body)
    } catch {
      guard let error = error as? PostgresError else { preconditionFailure("\(error)") }
      throw error
    }
  }
}

extension Transaction {
  /// Returns the claimed runs, together with their payloads if the job receives all payloads.
  ///
  /// Otherwise, the caller must call ``Session/assignPayloads(of:_:token:)`` after the claim.
  func taking(
    _ job: JobDefinition, for runs: [ClaimedRun]
  ) async throws(PostgresError) -> [ClaimedRun] {
    guard job.payloads == .all, !runs.isEmpty else { return runs }
    let (_, _, taken) = try await run(
      QueueCalls.limitPayloads(of: runs, job), QueueCalls.addPayloads(of: runs, job),
      QueueCalls.takePayloads(of: runs, job))
    return runs.with(taken)
  }
}

/// One payload of a run, for a job that receives all payloads.
struct TakenPayload: Sendable {
  let run: Int64
  let payload: String
}

extension [ClaimedRun] {
  /// Returns the runs together with the given payloads, in the given order.
  ///
  /// A run without stored payloads gets the payload of its newest call. Such a run was dispatched
  /// before the job received all payloads, or was not dispatched at all.
  func with(_ taken: [TakenPayload]) -> [ClaimedRun] {
    let payloads = Dictionary(grouping: taken, by: \.run)
    return map { run in
      var run = run
      run.payloads = payloads[run.id]?.map(\.payload) ?? [run.payload].compactMap(\.self)
      return run
    }
  }
}
