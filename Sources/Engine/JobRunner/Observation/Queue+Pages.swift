package import BatonJobs
package import BatonPostgres
import Foundation
import RunnerSQL

extension Queue {
  /// What the schema knows of a job; nil where it never had one of this name.
  ///
  /// - Throws: `PostgresError`.
  package func job(_ name: String) async throws(PostgresError) -> JobPage? {
    let (_, definitions, durations, schedules, ended) = try await session.atomically(
      ObservationCalls.limit, PageCalls.job(name), PageCalls.durations(of: name),
      PageCalls.schedules(of: name), RunCalls.ended(RunFilter(.ended, job: name)))
    return definitions.first?(durations, schedules, ended.prefix(20).map(\.row))
  }

  /// All jobs by name, without what comes from their history.
  ///
  /// - Throws: `PostgresError`.
  package func jobs() async throws(PostgresError) -> [JobPage] {
    let (_, definitions, schedules) = try await session.atomically(
      ObservationCalls.limit, PageCalls.job(nil), PageCalls.schedules(of: nil))
    return definitions.map { $0(nil, schedules, []) }
  }

  /// The schedules, by job.
  ///
  /// - Throws: `PostgresError`.
  package func schedules() async throws(PostgresError) -> [ScheduleRow] {
    try await look(PageCalls.schedules(of: nil))
  }

  /// One schedule with what comes and what was; nil where the schema has none of this name.
  ///
  /// - Throws: `PostgresError`.
  package func schedule(_ id: ScheduleID) async throws(PostgresError) -> SchedulePage? {
    let now = Call.row(SQL.Schedules.now) { (row) throws(PostgresError) in
      try row.decode(Timestamp.self)
    }
    let (_, rows, past, at) = try await session.atomically(
      ObservationCalls.limit, PageCalls.schedules(of: id.job, named: id.column),
      PageCalls.occurrences(of: id), now)
    guard let row = rows.first else { return nil }
    let next =
      row.isUnderstood?.occurrences(after: at.floorSeconds, through: .max, limit: 10) ?? []
    return SchedulePage(
      schedule: row, now: at, next: next.map { Timestamp(seconds: $0) }, past: past)
  }

  /// The workers that have not said goodbye, the one that started first ahead.
  ///
  /// - Throws: `PostgresError`.
  package func workers() async throws(PostgresError) -> [WorkerObservation] {
    try await look(ObservationCalls.workers)
  }

  /// The database: the event log, sizes, locks that are waited for, and what keeps dead rows.
  ///
  /// - Throws: `PostgresError`.
  package func database() async throws(PostgresError) -> DatabasePage {
    typealias Calls = DatabaseCalls
    let (_, database, segments, tables, indexes, waits, holders) =
      try await session.freely.atomically(
        ObservationCalls.limit, Calls.database, Calls.segments, Calls.tables, Calls.indexes,
        Calls.waits, Calls.holders(olderThan: 0))
    return DatabasePage(
      at: database.at, version: database.version, bytes: database.bytes, segments: segments,
      tables: tables, indexes: indexes, waits: waits, holders: holders,
      isAllSeen: database.hidden == 0)
  }
}

extension ScheduleRow {
  /// The schedule as this program reads it; nil where it is from a newer one.
  fileprivate var isUnderstood: Schedule? {
    StoredSchedule(expression: expression, timeZone: timeZone, missed: missed).schedule
  }
}
