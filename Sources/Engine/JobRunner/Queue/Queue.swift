import BatonJobs
package import BatonPostgres
import RunnerSQL

/// The operations on a schema's queue, in one session.
package struct Queue: Sendable {
  let session: Session
  /// The positions in the queue where polls begin to search.
  let front: QueueFront
  /// The release of the polling worker, or nil if the release is unknown.
  let release: ProgramRelease?

  /// Creates the queue for the session's schema.
  ///
  /// No other task may use the session concurrently.
  package init(_ session: Session) { self.init(session, front: QueueFront()) }

  /// Creates the queue for the session's schema, with the positions found by earlier polls.
  init(_ session: Session, front: QueueFront, release: ProgramRelease? = nil) {
    self.session = session
    self.front = front
    self.release = release
  }

  /// Creates the queue for a worker's polls.
  init(_ session: Session, for worker: WorkerContext) {
    self.init(session, front: worker.front, release: worker.release)
  }

  /// Stores the definitions and schedules of jobs.
  ///
  /// A fold uses the definitions to find the jobs that an event triggers.
  ///
  /// A new or changed schedule fires at its first occurrence after the current domain time.
  ///
  /// - Throws: ``PostgresError``.
  package func define(_ jobs: [RegisteredJob]) async throws {
    _ = try await define(jobs, of: nil)
  }

  /// Stores the definitions and schedules of a program's jobs, if the program's release is current.
  ///
  /// - Parameter release: the release of the program that contains the jobs' code, or nil to keep
  ///   the stored program name and to ignore releases.
  /// - Returns: false if another release of the program is current, in which case nothing is
  ///   stored.
  /// - Throws: ``PostgresError``.
  @discardableResult
  package func define(
    _ jobs: [RegisteredJob], of release: ProgramRelease?
  ) async throws -> Bool {
    try await session.transaction { transaction in
      let isCurrent =
        if let release { try await transaction.run(release.claim) > 0 } else { true }
      try await transaction.run(QueueCalls.register(jobs))
      guard isCurrent else { return false }
      try await transaction.name(jobs.map(\.definition).sorted { $0.name < $1.name })
      _ = try await transaction.run(
        jobs.sorted { $0.definition.name < $1.definition.name }
          .flatMap {
            [
              QueueCalls.define($0, of: release?.program),
              // A statement that waits for a claim does not see the starts that the claim adds.
              QueueCalls.takeTurn($0.definition),
              QueueCalls.defineLimits(of: $0.definition),
              .run(SQL.Queue.countRunning, $0.definition.name),
            ]
          })
      try await transaction.define(schedulesOf: jobs.map(\.definition))
      return true
    }
  }

  /// Reads what work a worker must do now.
  func poll() async throws(PostgresError) -> QueueCalls.Poll {
    let search = front.begin()
    let poll = try await session.planningOnce.atomically(
      QueueCalls.poll(from: search.marks, for: release, findsDead: search.findsDead))
    front.end(search, poll)
    return poll
  }

  /// Runs a call and then a poll, in one round trip.
  func poll<Output>(
    behind call: Call<Output>
  ) async throws(PostgresError) -> (Output, QueueCalls.Poll) {
    let search = front.begin()
    let (output, poll) = try await session.planningOnce.atomically(
      call, QueueCalls.poll(from: search.marks, for: release, findsDead: search.findsDead))
    front.end(search, poll)
    return (output, poll)
  }

  /// Wakes the sleeping workers that run one of the given jobs.
  func wakeWorkers(with jobs: [String]) async throws(PostgresError) {
    try await session.atomically(.run(SQL.Workers.wakeOthers, jobs.joined(separator: "\n")))
  }

  /// Returns the queue's remaining work.
  ///
  /// - Parameter jobs: the jobs whose runs are counted, or nil for all runs of all jobs. If jobs
  ///   are given, runs of paused jobs and runs that are waiting for a retry are not counted.
  /// - Throws: ``PostgresError``.
  package func pendingWork(of jobs: [String]? = nil) async throws(PostgresError) -> PendingWork {
    try await session.planningOnce.atomically(QueueCalls.countLeft(of: jobs))
  }
}

/// A queue's remaining work.
package struct PendingWork: Sendable {
  /// Whether committed events exist that have not been folded yet.
  package let hasEvents: Bool
  /// Whether a run exists that is ready, due later or running.
  package let hasRuns: Bool
  /// The number of dead runs.
  package let dead: Int

  /// Whether the queue contains no unfolded events and no runs to process.
  package var isIdle: Bool { !hasEvents && !hasRuns }
}
