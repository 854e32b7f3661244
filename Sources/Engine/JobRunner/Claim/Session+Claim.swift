import BatonJobs
import BatonPostgres
import RunnerSQL

extension Session {
  /// Makes a claim in a transaction of its own, in one round trip.
  ///
  /// If the job takes all payloads, two more round trips fetch them.
  ///
  /// - Parameter patience: how long it waits for a lock; nil: the server's setting.
  func claim(
    _ job: JobDefinition, _ call: Call<[ClaimedRun]>, patience: Duration? = nil
  ) async throws(PostgresError) -> [ClaimedRun] {
    guard job.payloads == .all else {
      guard let patience else { return try await atomically(call) }
      return try await atomically(Self.limit(patience, job), call).1
    }
    return try await claiming { transaction in
      if let patience { try await transaction.run(Self.limit(patience, job)) }
      return try await transaction.taking(job, for: transaction.run(call))
    }
  }

  /// Makes a claim in several steps, which throw no other error.
  func claiming(
    _ body: (Transaction) async throws -> [ClaimedRun]
  ) async throws(PostgresError) -> [ClaimedRun] {
    do {
      return try await transaction(body)
    } catch {
      guard let error = error as? PostgresError else { preconditionFailure("\(error)") }
      throw error
    }
  }

  private static func limit(_ patience: Duration, _ job: JobDefinition) -> Call<Void> {
    .run(SQL.Queue.limitClaim, patience.milliseconds, job.isEffect)
  }
}

extension Transaction {
  /// Returns the claimed runs, with the payloads that they take if the job takes all.
  func taking(
    _ job: JobDefinition, for runs: [ClaimedRun]
  ) async throws(PostgresError) -> [ClaimedRun] {
    guard job.payloads == .all, !runs.isEmpty else { return runs }
    return runs.with(try await run(QueueCalls.takePayloads(of: runs, job)))
  }
}

/// One payload of a run, for a job that takes all payloads.
struct TakenPayload: Sendable {
  let run: Int64
  let payload: String
}

extension [ClaimedRun] {
  /// Returns the runs with their payloads in the given order; a run without payloads gets an empty list.
  func with(_ taken: [TakenPayload]) -> [ClaimedRun] {
    let payloads = Dictionary(grouping: taken, by: \.run)
    return map { run in
      var run = run
      run.payloads = payloads[run.id, default: []].map(\.payload)
      return run
    }
  }
}
