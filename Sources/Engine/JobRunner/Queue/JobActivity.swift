import BatonPostgres
import RunnerSQL

/// What a job has done since the schema was made, as far as workers have written it down.
package struct JobActivity: Sendable {
  /// ISO 8601 in UTC, by the server's clock; nil: never.
  package let lastRanAt: String?
  /// Runs that ended well.
  package let runs: Int64
  /// Batches they were worked in.
  package let batches: Int64
  /// Since when no worker claims its runs; nil where it is not paused.
  package let pausedSince: String?
}

extension Queue {
  /// What each job has done, by name.
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

  /// Pauses or resumes a job; false where there is none of this name.
  ///
  /// The audit has a row where that changes anything.
  ///
  /// - Throws: `PostgresError`.
  package func setPaused(_ isPaused: Bool, job: String) async throws -> Bool {
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
  /// A pause, or its end.
  static func pause(
    _ isPaused: Bool, of command: String, _ subject: [String: AuditValue]
  ) -> AuditEntry {
    AuditEntry(
      "\(command) \(isPaused ? "pause" : "resume")", subject, before: ["paused": .flag(!isPaused)],
      after: ["paused": .flag(isPaused)])
  }
}
