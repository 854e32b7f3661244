import BatonPostgres
import RunnerSQL

/// The work of a job since the schema was made, as far as workers have stored it.
package struct JobActivity: Sendable {
  /// When it last ran, in ISO 8601, UTC, by the server's clock; nil if never.
  package let lastRanAt: String?
  /// Runs that ended well.
  package let runs: Int64
  /// The batches of these runs.
  package let batches: Int64
  /// Since when it is paused, so that no worker claims its runs; nil if it is not paused.
  package let pausedSince: String?
}

extension Queue {
  /// Returns the activity of each job, by name.
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

  /// Pauses or resumes a job; returns false if there is no job of this name.
  ///
  /// If that changes anything, the audit log gets a row.
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
  /// An entry for a pause or its end.
  static func pause(
    _ isPaused: Bool, of command: String, _ subject: [String: AuditValue]
  ) -> AuditEntry {
    AuditEntry(
      "\(command) \(isPaused ? "pause" : "resume")", subject, before: ["paused": .flag(!isPaused)],
      after: ["paused": .flag(isPaused)])
  }
}
