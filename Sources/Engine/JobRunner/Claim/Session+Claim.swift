import BatonJobs
import BatonPostgres
import RunnerSQL

extension Session {
  /// Claims runs in a separate transaction, in one round trip.
  ///
  /// If the job receives all payloads, two more round trips fetch them.
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
  func taking(
    _ job: JobDefinition, for runs: [ClaimedRun]
  ) async throws(PostgresError) -> [ClaimedRun] {
    guard job.payloads == .all, !runs.isEmpty else { return runs }
    return runs.with(try await run(QueueCalls.takePayloads(of: runs, job)))
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
