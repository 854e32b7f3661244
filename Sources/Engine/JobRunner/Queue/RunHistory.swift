import BatonPostgres
import Foundation
import RunnerSQL

/// A run that has ended, of a job with a history.
public struct EndedRun: Sendable, Encodable {
  /// The run's id.
  public let id: Int64
  /// The job's name.
  public let job: String
  /// The key by which the run was debounced.
  public let key: String
  /// `done` or `dead`.
  public let outcome: String
  /// The total number of attempts.
  public let attempt: Int32
  /// When it ended; ISO 8601 in UTC, by the server's clock.
  public let endedAt: String
  /// When its last attempt began; nil if its worker died.
  public let startedAt: String?
  /// How long the last attempt took.
  public let durationMs: Int64?
  /// The report of its last attempt, by name.
  public internal(set) var report: [String: Int]
  /// The error that made it dead.
  public let error: String?
}

extension Queue {
  /// Returns runs that have ended, newest first, of jobs with a history.
  ///
  /// - Throws: `PostgresError`; `DecodingError` for a report that another program wrote.
  package func history(of job: String?, limit: Int) async throws -> [EndedRun] {
    let list = Call.rows(SQL.Runs.listHistory, job, Int64(limit)) {
      (row) throws(PostgresError) in
      let (id, job, key, outcome, attempt, ended, started, took, report, error) = try row.decode(
        Int64.self, String.self, String.self, String.self, Int32.self, String.self, String?.self,
        Int64?.self, String?.self, String?.self)
      let run = EndedRun(
        id: id, job: job, key: key, outcome: outcome, attempt: attempt, endedAt: ended,
        startedAt: started, durationMs: took, report: [:], error: error)
      return (run, report ?? "{}")
    }
    let rows: [(EndedRun, String)] = try await session.freely.atomically(list)
    return try rows.map { run, report in
      var run = run
      run.report = try JSONDecoder().decode([String: Int].self, from: Data(report.utf8))
      return run
    }
  }
}
