package import BatonPostgres
import RunnerSQL

/// One run as a list shows it.
public struct ListedRun: Sendable, Encodable {
  /// The id, which stays the same through retries; a run that is enqueued again gets a new one.
  public let id: Int64
  /// The job's name.
  public let job: String
  /// The key by which the run is debounced.
  public let key: String
  /// `ready`, `running` or `dead`.
  public let state: String
  /// The number of attempts so far.
  public let attempt: Int32
  /// When it is due, became claimable, or died; ISO 8601 in UTC.
  public let at: String
  /// The last error, if there was one.
  public let error: String?
}

extension Queue {
  /// Runs that are waiting, running or dead, newest first.
  ///
  /// - Throws: `PostgresError`.
  package func runs(
    of job: String?, state: String?, limit: Int
  ) async throws(PostgresError) -> [ListedRun] {
    try await session.freely.atomically(
      .rows(SQL.Runs.list, job, state, Int64(limit), decode: ListedRun.decode))
  }

  /// Returns the details of one run as JSON, also of one that has ended; nil if there is no record of it.
  ///
  /// - Parameters:
  ///   - id: its id, or one of its earlier ids.
  ///   - isOnOneLine: whether a program reads it.
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
