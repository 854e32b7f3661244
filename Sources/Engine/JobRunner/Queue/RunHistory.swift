import BatonPostgres
import Foundation
import RunnerSQL

/// An ended run of a job with a history.
public struct EndedRun: Sendable, Encodable {
  /// The run's id.
  public let id: Int64
  /// The job's name.
  public let job: String
  /// The run's key.
  public let key: String
  /// The outcome of the run, which is `done` or `dead`.
  public let outcome: String
  /// The total number of attempts.
  public let attempt: Int32
  /// The time, by the server's clock, when the run ended, in UTC and ISO 8601 format.
  public let endedAt: String
  /// The start of the last attempt, or nil if the worker died during it.
  ///
  /// For a `StepJob`, the value is the start of the attempt that committed the first step.
  public let startedAt: String?
  /// The duration of the last attempt in milliseconds, plus the duration of the steps committed by
  /// earlier attempts.
  public let durationMs: Int64?
  /// For each name, the sum of the figures reported by the committed steps of all attempts.
  public internal(set) var report: [String: Int]
  /// The error of a dead run.
  public let error: String?
}

extension Queue {
  /// Returns ended runs of jobs with a history, newest first.
  ///
  /// - Throws: `PostgresError`, or `DecodingError` if another program wrote a report in another
  ///   format.
  package func history(of job: String?, limit: Int) async throws -> [EndedRun] {
    let job = try await storedName(of: job)
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
