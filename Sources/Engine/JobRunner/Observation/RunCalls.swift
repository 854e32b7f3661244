import BatonPostgres
import Foundation
import RunnerSQL

/// The statements that list runs, which return Swift values.
enum RunCalls {
  /// A row, and the cursor of the page after that row.
  typealias Placed = (row: RunRow, cursor: RunCursor)

  static func waiting(_ filter: RunFilter, isDue: Bool) -> Call<[Placed]> {
    let parts = filter.cursor?.parts ?? []
    return .rows(
      SQL.Observation.listWaitingRuns, filter.job, isDue, parts.first.map(due),
      place(parts.dropFirst())
    ) { (row) throws(PostgresError) in
      let (id, job, key, attempt, at, first, error, due, place) = try row.decode(
        Int64.self, String.self, String.self, Int32.self, Timestamp?.self, Timestamp?.self,
        String?.self, Int64.self, String.self)
      let (block, line) = try numbers(of: place)
      return (
        RunRow(
          id: id, job: job, key: key, state: isDue ? .ready : .delayed, attempt: Int(attempt),
          at: at, firstEventAt: first, outcome: nil, durationSeconds: nil, worker: nil,
          error: error), RunCursor(due, block, line)
      )
    }
  }

  static func running(_ filter: RunFilter) -> Call<[Placed]> {
    .rows(
      SQL.Observation.listRunningRuns, filter.job,
      place(filter.cursor?.parts[...] ?? []) ?? "(0,0)"
    ) { (row) throws(PostgresError) in
      let (id, job, key, attempt, at, first, error, worker, place) = try row.decode(
        Int64.self, String.self, String.self, Int32.self, Timestamp?.self, Timestamp?.self,
        String?.self, String?.self, String.self)
      let (block, line) = try numbers(of: place)
      return (
        RunRow(
          id: id, job: job, key: key, state: .running, attempt: Int(attempt), at: at,
          firstEventAt: first, outcome: nil, durationSeconds: nil, worker: worker, error: error),
        RunCursor(block, line)
      )
    }
  }

  /// The number of table blocks that one page of running runs reads.
  ///
  /// `list_running_runs.sql` contains the same number.
  static let mostPages: Int64 = 4_000

  static let pages = Call.row(SQL.Observation.countRunPages) { (row) throws(PostgresError) in
    try row.decode(Int64.self)
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

  // A client can send any numbers in a cursor. Each number is therefore limited to a range that
  // PostgreSQL can compute with. An invalid cursor returns the first page or an empty page, never
  // an error.

  /// Returns a place such as `(12,3)` for block 12 and line 3, or nil if the cursor has no parts.
  private static func place(_ parts: ArraySlice<Int64>) -> String? {
    guard let first = parts.first else { return nil }
    return "(\(block(first)),\(min(parts.dropFirst().first ?? 0, Int64(UInt16.max))))"
  }

  /// Limits a block number to PostgreSQL's 32 bits.
  static func block(_ part: Int64) -> Int64 { min(max(part, 0), Int64(UInt32.max)) }

  /// Limits a time in microseconds since 1970 to the range of an interval, up to the year 287,000.
  private static func instant(_ part: Int64) -> Int64 {
    min(max(part, 0), 9_000_000_000_000_000_000)
  }

  /// Limits a due time like ``instant(_:)``, except that the largest number stands for infinity.
  ///
  /// `list_waiting_runs` uses the same number for infinity.
  private static func due(_ part: Int64) -> Int64 { part == .max ? part : instant(part) }

  private static func numbers(of place: String) throws(PostgresError) -> (Int64, Int64) {
    let parts = place.dropFirst().dropLast().split(separator: ",").compactMap { Int64($0) }
    guard parts.count == 2 else {
      throw PostgresError(.dataException, "'\(place)' is not a place in a table")
    }
    return (parts[0], parts[1])
  }
}
