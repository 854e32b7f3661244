package import BatonPostgres
package import Foundation
import RunnerSQL

/// One run in a list of runs.
public struct ListedRun: Sendable, Encodable {
  /// The run's id.
  ///
  /// Retries do not change the id. A run that is enqueued again gets a new id.
  public let id: Int64
  /// The job's name.
  public let job: String
  /// The run's key.
  public let key: String
  /// The state of the run, which is `ready`, `running` or `dead`.
  public let state: String
  /// The number of attempts so far.
  public let attempt: Int32
  /// The time when the run is due or when it died, in UTC and ISO 8601 format.
  public let at: String
  /// The run's last error, or nil if no attempts have failed.
  public let error: String?
}

/// A filter for a list of runs.
///
/// A property that is nil matches every run.
package struct RunSearch: Sendable {
  /// The job's name.
  package var job: String?
  /// The run's key.
  package var key: String?
  /// The state of the runs to select, which is `ready`, `running` or `dead`.
  package var state: String?
  /// The bounds of a run's time ``ListedRun/at``.
  ///
  /// For a dead run, `at` is the time of death. For every other run, `at` is the due time.
  ///
  /// The `until` bound is exclusive.
  package var since, until: Date?
  /// A substring of the last error of the runs to select, ignoring case.
  package var error: String?
  /// The name of a worker.
  ///
  /// The filter selects runs that the worker is executing, and runs that have an attempt that
  /// failed in that worker.
  package var worker: String?

  /// Creates a filter that selects all runs.
  package init() {}
}

extension Queue {
  /// Returns runs that are waiting, running or dead, newest first.
  ///
  /// - Throws: `PostgresError`.
  package func runs(
    _ filter: RunSearch = RunSearch(), limit: Int
  ) async throws(PostgresError) -> [ListedRun] {
    let job = try await storedName(of: filter.job)
    return try await session.freely.atomically(
      .rows(
        SQL.Runs.list, job, filter.state, Int64(limit), filter.key,
        filter.since.map { Timestamp(clamping: $0) }, filter.until.map { Timestamp(clamping: $0) },
        filter.error, filter.worker, decode: ListedRun.decode))
  }

  /// Returns the details of a run as JSON, or nil if no record of the run exists.
  ///
  /// The method also finds runs that have ended.
  ///
  /// - Parameters:
  ///   - id: the run's id, or one of its earlier ids.
  ///   - isOnOneLine: whether the JSON is written on one line, for use by programs.
  /// - Throws: `PostgresError`.
  package func run(_ id: Int64, isOnOneLine: Bool = false) async throws(PostgresError) -> String? {
    let show = Call.rows(SQL.Runs.show, id, isOnOneLine) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
    let found: [String] = try await session.freely.atomically(show)
    return found.first
  }
}

extension ListedRun {
  static func decode(_ row: Row) throws(PostgresError) -> ListedRun {
    let (id, job, key, state, attempt, at, error) = try row.decode(
      Int64.self, String.self, String.self, String.self, Int32.self, String.self, String?.self)
    return ListedRun(
      id: id, job: job, key: key, state: state, attempt: attempt, at: at, error: error)
  }
}
