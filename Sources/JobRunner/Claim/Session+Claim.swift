import JobCore
import Postgres
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
    do {
      return try await transaction { transaction in
        if let patience { try await transaction.run(Self.limit(patience, job)) }
        let runs = try await transaction.run(call)
        guard !runs.isEmpty else { return runs }
        let taken = try await transaction.run(QueueCalls.takePayloads(of: runs, job))
        return runs.with(taken)
      }
    } catch {
      guard let error = error as? PostgresError else { preconditionFailure("\(error)") }
      throw error
    }
  }

  private static func limit(_ patience: Duration, _ job: JobDefinition) -> Call<Void> {
    .run(SQL.Queue.limitClaim, patience.milliseconds, job.isEffect)
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
