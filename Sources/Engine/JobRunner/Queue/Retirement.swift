package import BatonJobs
import BatonPostgres
import RunnerSQL

/// The result of retiring a job.
package struct Retirement: Sendable, Equatable {
  /// Whether the job was already retired.
  package let wasRetired: Bool
  /// The number of schedules that were deleted.
  package let schedules: Int
}

/// The error for a new run of a retired job.
package struct RetiredJob: Error, Sendable, Equatable {
  /// The name under which the job is stored.
  package let job: String
}

extension Queue {
  /// Retires a job or undoes its retirement, and returns nil if no job has this name.
  ///
  /// A retired job does not get any runs from events, tables, schedules or calls, even if a program
  /// that contains the job starts. A retired job's waiting runs remain. Before the method retires
  /// the job, it folds all committed events. Therefore, calls to the job that were accepted before
  /// it was retired become runs. If the call changes anything, it adds a row to the audit log.
  ///
  /// - Throws: `PostgresError`.
  package func retire(_ job: String, isUndo: Bool = false) async throws -> Retirement? {
    let job = try await storedName(of: job)
    if !isUndo { try await Queue(session.freely).foldForOperator() }
    let retire = Call.rows(SQL.Workers.retireJob, job, !isUndo) { (row) throws(PostgresError) in
      let (wasRetired, schedules) = try row.decode(Bool.self, Int64.self)
      return Retirement(wasRetired: wasRetired, schedules: Int(schedules))
    }
    return try await session.freely.transaction { transaction in
      guard let end = try await transaction.run(retire).first else { return nil }
      if end.wasRetired == isUndo {
        try await transaction.record(
          AuditEntry(
            "jobs retire", ["job": .text(job)], before: ["retired": .flag(isUndo)],
            after: ["retired": .flag(!isUndo), "schedules": .number(Int64(end.schedules))]))
      }
      return end
    }
  }

  /// Returns those of the given jobs that are retired.
  ///
  /// - Throws: `PostgresError`.
  package func retired(of jobs: [String]) async throws -> [String] {
    try await session.freely.atomically(
      .rows(SQL.Workers.listRetired, jobs, as: String.self))
  }

  /// Throws an error if the job is retired and has neither a waiting nor a running run with the
  /// key.
  ///
  /// - Throws: ``RetiredJob`` or `PostgresError`.
  package func requireRun(_ key: String, of job: JobDefinition) async throws {
    let isRefused: Bool = try await session.freely.atomically(
      .row(SQL.Runs.isRefused, job.name, key, as: Bool.self))
    guard !isRefused else { throw RetiredJob(job: job.name) }
  }
}
