import BatonJobs
package import BatonPostgres
import RunnerSQL

/// The queue of a schema, and what is done to it in one session.
package struct Queue: Sendable {
  let session: Session

  /// The queue of a schema, seen through a session that nobody else uses meanwhile.
  package init(_ session: Session) { self.session = session }

  /// Enters the definitions and schedules, so that the fold knows which events wake which jobs.
  ///
  /// A new or changed schedule fires from its first occurrence after domain time.
  ///
  /// - Parameter program: the program that has the jobs' code; nil leaves the one that is stored.
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

  /// What there is to do now.
  func poll() async throws(PostgresError) -> QueueCalls.Poll {
    try await session.atomically(QueueCalls.poll)
  }

  /// The same behind another call, in one round trip.
  func poll<Output>(
    behind call: Call<Output>
  ) async throws(PostgresError) -> (Output, QueueCalls.Poll) {
    let (output, poll) = try await session.atomically(call, QueueCalls.poll)
    return (output, poll)
  }

  /// Wakes the workers that sleep and have one of these jobs.
  func wakeWorkers(with jobs: [String]) async throws(PostgresError) {
    try await session.atomically(.run(SQL.Workers.wakeOthers, jobs.joined(separator: "\n")))
  }

  /// What is left to do.
  ///
  /// - Parameter jobs: the jobs whose runs count, unless the job is paused or the run waits for its next
  ///   attempt; nil: all runs of all jobs.
  /// - Throws: ``PostgresError``.
  package func pendingWork(of jobs: [String]? = nil) async throws(PostgresError) -> PendingWork {
    try await session.atomically(QueueCalls.countLeft(of: jobs))
  }
}

/// What is left to do in a queue.
package struct PendingWork: Sendable {
  /// Whether committed events are not folded yet.
  package let hasEvents: Bool
  /// Whether any run that was asked for is ready, due later or running.
  package let hasRuns: Bool
  /// Dead letters.
  package let dead: Int

  /// Whether there is nothing to do.
  package var isIdle: Bool { !hasEvents && !hasRuns }
}
