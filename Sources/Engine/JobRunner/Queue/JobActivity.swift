import BatonPostgres
import RunnerSQL

/// The activity of a job since the schema was created, as stored by workers.
package struct JobActivity: Sendable {
  /// The time of the last run by the server's clock, in UTC and ISO 8601 format, or nil if the job
  /// has never run.
  package let lastRanAt: String?
  /// The number of successful runs.
  package let runs: Int64
  /// The number of batches in which the successful runs were processed.
  package let batches: Int64
  /// The time when the job was paused, or nil if the job is not paused.
  package let pausedSince: String?
}

extension Queue {
  /// Returns each job's activity, as a dictionary keyed by job name.
  ///
  /// - Throws: `PostgresError`.
  package func activity() async throws -> [String: JobActivity] {
    let list = Call.rows(SQL.Workers.listActivity) { (row) throws(PostgresError) in
      let (job, at, runs, batches, paused) = try row.decode(
        String.self, String?.self, Int64.self, Int64.self, String?.self)
      return (
        job, JobActivity(lastRanAt: at, runs: runs, batches: batches, pausedSince: paused)
      )
    }
    let rows: [(String, JobActivity)] = try await session.freely.atomically(list)
    return Dictionary(uniqueKeysWithValues: rows)
  }

  /// Pauses or resumes a job, and returns false if no job has this name.
  ///
  /// If the call changes anything, it adds a row to the audit log.
  ///
  /// - Throws: `PostgresError`.
  package func setPaused(_ isPaused: Bool, job: String) async throws -> Bool {
    let job = try await storedName(of: job)
    let set = Call.rows(SQL.Workers.setPaused, job, isPaused) { (row) throws(PostgresError) in
      try row.decode(Bool.self)
    }
    return try await session.freely.transaction { transaction in
      guard let wasPaused = try await transaction.run(set).first else { return false }
      if wasPaused != isPaused {
        try await transaction.record(.pause(isPaused, of: "jobs", ["job": .text(job)]))
      }
      return true
    }
  }
}

extension AuditEntry {
  /// Returns an audit entry about pausing or resuming a job.
  static func pause(
    _ isPaused: Bool, of command: String, _ subject: [String: AuditValue]
  ) -> AuditEntry {
    AuditEntry(
      "\(command) \(isPaused ? "pause" : "resume")", subject, before: ["paused": .flag(!isPaused)],
      after: ["paused": .flag(isPaused)])
  }
}
