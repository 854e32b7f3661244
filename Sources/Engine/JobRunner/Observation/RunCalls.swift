import BatonPostgres
import Foundation
import RunnerSQL

/// Statements that list runs.
enum RunCalls {
  /// A row, and the cursor for a page that starts after it.
  typealias Placed = (row: RunRow, cursor: RunCursor)

  static func waiting(_ filter: RunFilter, isDue: Bool) -> Call<[Placed]> {
    let parts = filter.cursor?.parts ?? []
    return .rows(
      SQL.Observation.listWaitingRuns, filter.job, isDue, parts.first.map(due),
      parts.dropFirst().first
    ) { (row) throws(PostgresError) in
      let (id, job, key, attempt, at, first, error, due) = try row.decode(
        Int64.self, String.self, String.self, Int32.self, Timestamp?.self, Timestamp?.self,
        String?.self, Int64.self)
      return (
        RunRow(
          id: id, job: job, key: key, state: isDue ? .ready : .delayed, attempt: Int(attempt),
          at: at, firstEventAt: first, outcome: nil, durationSeconds: nil, worker: nil,
          error: error), RunCursor(due, id)
      )
    }
  }

  static func running(_ filter: RunFilter) -> Call<[Placed]> {
    .rows(
      SQL.Observation.listRunningRuns, filter.job, filter.cursor?.parts.first
    ) { (row) throws(PostgresError) in
      let (id, job, key, attempt, at, first, error, worker) = try row.decode(
        Int64.self, String.self, String.self, Int32.self, Timestamp?.self, Timestamp?.self,
        String?.self, String?.self)
      return (
        RunRow(
          id: id, job: job, key: key, state: .running, attempt: Int(attempt), at: at,
          firstEventAt: first, outcome: nil, durationSeconds: nil, worker: worker, error: error),
        RunCursor(id)
      )
    }
  }

  static func keyed(_ filter: RunFilter, _ beginning: String) -> Call<[RunRow]> {
    .rows(
      SQL.Observation.findKeyedRuns, filter.job, filter.state?.rawValue, beginning
    ) { (row) throws(PostgresError) in
      let (id, job, key, state, attempt, at, first, error, worker) = try row.decode(
        Int64.self, String.self, String.self, String.self, Int32.self, Timestamp?.self,
        Timestamp?.self, String?.self, String?.self)
      return RunRow(
        id: id, job: job, key: key, state: RunState(rawValue: state) ?? .running,
        attempt: Int(attempt), at: at, firstEventAt: first, outcome: nil, durationSeconds: nil,
        worker: worker, error: error)
    }
  }

  static func dead(_ filter: RunFilter) -> Call<[Placed]> {
    .rows(
      SQL.Observation.listDeadRuns, filter.job, filter.group, filter.key,
      filter.cursor?.parts.first
    ) { (row) throws(PostgresError) in
      let (id, job, key, attempt, at, first, error) = try row.decode(
        Int64.self, String.self, String.self, Int32.self, Timestamp.self, Timestamp?.self,
        String.self)
      return (
        RunRow(
          id: id, job: job, key: key, state: .dead, attempt: Int(attempt), at: at,
          firstEventAt: first, outcome: nil, durationSeconds: nil, worker: nil, error: error),
        RunCursor(id)
      )
    }
  }

  static func ended(_ filter: RunFilter) -> Call<[Placed]> {
    let parts = filter.cursor?.parts ?? []
    return .rows(
      SQL.Observation.listEndedRuns, filter.job, filter.key, parts.first.map(instant),
      parts.dropFirst().first
    ) { (row) throws(PostgresError) in
      let (id, job, key, attempt, at, made, outcome, took, worker, error, ended) = try row.decode(
        Int64.self, String.self, String.self, Int32.self, Timestamp.self, Timestamp?.self,
        String.self, Int64?.self, String?.self, String?.self, Int64.self)
      return (
        RunRow(
          id: id, job: job, key: key, state: .ended, attempt: Int(attempt), at: at,
          firstEventAt: made, outcome: outcome, durationSeconds: took.seconds, worker: worker,
          error: error), RunCursor(ended, id)
      )
    }
  }

  // MARK: Bounds of cursors

  // A client can send any number in a cursor, so each number is limited to a range that PostgreSQL
  // can process. An invalid cursor selects the first page or an empty page, and never causes an
  // error.

  /// Limits a time in microseconds since 1970 to the range that an `interval` can represent, up to
  /// the year 287,000.
  private static func instant(_ part: Int64) -> Int64 {
    min(max(part, 0), 9_000_000_000_000_000_000)
  }

  /// Limits a due time in the same way as ``instant(_:)``, but does not change `Int64.max`.
  ///
  /// In `list_waiting_runs`, `Int64.max` represents the due time `infinity`.
  private static func due(_ part: Int64) -> Int64 { part == .max ? part : instant(part) }
}
