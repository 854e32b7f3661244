import BatonJobs
package import BatonPostgres
import RunnerSQL

/// The error for a job whose name already belongs to another job of the schema.
package struct TakenName: Error, Sendable, Equatable {
  /// The name that belongs to two jobs.
  package let name: String
  /// The oldest name of the program's job.
  ///
  /// The schema stores each job under its oldest name.
  package let job: String
  /// The stored name of the existing job that already has the name ``name``.
  package let other: String

  /// Whether the oldest name of the program's job is already stored as another job's newer name.
  package var isLaterName: Bool { name == job }
}

extension Session {
  /// Returns the name under which a job is stored, or the given name if no job has that name.
  func storedName(of job: String) async throws(PostgresError) -> String {
    try await freely.atomically(.row(SQL.Runs.storedName, job, as: String.self))
  }
}

extension Queue {
  /// Returns the name under which a job is stored, or the given name if no job has that name.
  ///
  /// - Parameter job: any name of the job.
  /// - Throws: `PostgresError`.
  package func storedName(of job: String) async throws(PostgresError) -> String {
    try await session.storedName(of: job)
  }

  /// Returns the name under which a job is stored, or nil if `job` is nil, which means all jobs.
  func storedName(of job: String?) async throws(PostgresError) -> String? {
    guard let job else { return nil }
    return try await session.storedName(of: job)
  }
}

extension RunSelection {
  /// Returns a copy of the selection that contains the job's stored name.
  func stored(in queue: Queue) async throws(PostgresError) -> RunSelection {
    RunSelection(job: try await queue.storedName(of: job), keyPrefix: keyPrefix)
  }
}

extension ScheduleID {
  /// Returns a copy of the schedule id that contains the job's stored name.
  func stored(in session: Session) async throws(PostgresError) -> ScheduleID {
    ScheduleID(job: try await session.storedName(of: job), name: name)
  }
}

extension Transaction {
  /// Stores the newer names of jobs that have been renamed.
  ///
  /// - Throws: ``TakenName`` if another job has one of the names, or `PostgresError`.
  func name(_ jobs: [JobDefinition]) async throws {
    let later = jobs.flatMap { job in job.aliases.map { (name: $0, job: job.name) } }
    let list = Call.rows(
      SQL.Workers.listTakenNames, jobs.map(\.name), later.map(\.name), later.map(\.job)
    ) { (row) throws(PostgresError) in
      let (name, job, other) = try row.decode(String.self, String.self, String.self)
      return TakenName(name: name, job: job, other: other)
    }
    if let taken = try await run(list).first { throw taken }
    for job in jobs where !job.aliases.isEmpty {
      try await run(.count(SQL.Workers.nameJob, job.name, job.aliases))
    }
  }
}
