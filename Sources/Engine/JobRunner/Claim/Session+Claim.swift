import BatonJobs
import BatonPostgres
import RunnerSQL

extension Session {
  /// A claim in a transaction of its own, in one round trip; where the job asks for all payloads with what its
  /// runs take, in two more.
  ///
  /// - Parameter patience: how long it waits for a lock; nil: as the server says.
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

  /// A claim in several steps, which throw no other error.
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
  /// The claimed runs, with what they take of their keys' payloads where the job asks for all.
  func taking(
    _ job: JobDefinition, for runs: [ClaimedRun]
  ) async throws(PostgresError) -> [ClaimedRun] {
    guard job.payloads == .all, !runs.isEmpty else { return runs }
    return runs.with(try await run(QueueCalls.takePayloads(of: runs, job)))
  }
}

/// One payload of a run of a job that asks for all.
struct TakenPayload: Sendable {
  let run: Int64
  let payload: String
}

extension [ClaimedRun] {
  /// The runs with their payloads in the order given; those that have none with an empty list.
  func with(_ taken: [TakenPayload]) -> [ClaimedRun] {
    let payloads = Dictionary(grouping: taken, by: \.run)
    return map { run in
      var run = run
      run.payloads = payloads[run.id, default: []].map(\.payload)
      return run
    }
  }
}
