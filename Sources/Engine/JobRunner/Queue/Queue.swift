import BatonJobs
package import BatonPostgres
import RunnerSQL

/// The queue of a schema, and its operations in one session.
package struct Queue: Sendable {
  let session: Session

  /// Makes the queue of a schema; nothing else may use the session meanwhile.
  package init(_ session: Session) { self.session = session }

  /// Stores the definitions and schedules, so that the fold knows which events wake which jobs.
  ///
  /// A new or changed schedule fires from its first occurrence after domain time.
  ///
  /// - Parameter program: the program that has the jobs' code; nil leaves the stored one.
  /// - Throws: ``PostgresError``.
  package func define(_ jobs: [RegisteredJob], of program: String? = nil) async throws {
    try await session.transaction { transaction in
      _ = try await transaction.run(
        jobs.sorted { $0.definition.name < $1.definition.name }
          .flatMap {
            [QueueCalls.define($0, of: program), QueueCalls.defineLimits(of: $0.definition)]
          })
      try await transaction.define(schedulesOf: jobs.map(\.definition))
    }
  }

  /// Reads what there is to do now.
  func poll() async throws(PostgresError) -> QueueCalls.Poll {
    try await session.atomically(QueueCalls.poll)
  }

  /// Runs a call and then polls, in one round trip.
  func poll<Output>(
    behind call: Call<Output>
  ) async throws(PostgresError) -> (Output, QueueCalls.Poll) {
    let (output, poll) = try await session.atomically(call, QueueCalls.poll)
    return (output, poll)
  }

  /// Wakes the sleeping workers that have one of these jobs.
  func wakeWorkers(with jobs: [String]) async throws(PostgresError) {
    try await session.atomically(.run(SQL.Workers.wakeOthers, jobs.joined(separator: "\n")))
  }

  /// Returns what is left to do.
  ///
  /// - Parameter jobs: the jobs whose runs count, unless the job is paused or the run waits for its next attempt;
  ///   nil: all runs of all jobs.
  /// - Throws: ``PostgresError``.
  package func pendingWork(of jobs: [String]? = nil) async throws(PostgresError) -> PendingWork {
    try await session.atomically(QueueCalls.countLeft(of: jobs))
  }
}

/// The remaining work of a queue.
package struct PendingWork: Sendable {
  /// Whether committed events are not folded yet.
  package let hasEvents: Bool
  /// Whether any enqueued run is ready, due later or running.
  package let hasRuns: Bool
  /// The number of dead letters.
  package let dead: Int

  /// Whether there is nothing to do.
  package var isIdle: Bool { !hasEvents && !hasRuns }
}
