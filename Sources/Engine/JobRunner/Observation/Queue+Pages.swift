package import BatonJobs
package import BatonPostgres
import Foundation
import RunnerSQL

extension Queue {
  /// Returns the stored data of a job, or nil if the schema has never had a job with this name.
  ///
  /// - Throws: `PostgresError`.
  package func job(_ name: String) async throws(PostgresError) -> JobPage? {
    let name = try await storedName(of: name)
    let (_, definitions, durations, schedules, ended) = try await session.atomically(
      ObservationCalls.limit, PageCalls.job(name), PageCalls.durations(of: name),
      PageCalls.schedules(of: name), RunCalls.ended(RunFilter(.ended, job: name)))
    return definitions.first?(durations, schedules, ended.prefix(20).map(\.row))
  }

  /// Returns all jobs, sorted by name, without data from the run history.
  ///
  /// - Throws: `PostgresError`.
  package func jobs() async throws(PostgresError) -> [JobPage] {
    let (_, definitions, schedules) = try await session.atomically(
      ObservationCalls.limit, PageCalls.job(nil), PageCalls.schedules(of: nil))
    return definitions.map { $0(nil, schedules, []) }
  }

  /// Returns all schedules, sorted by job.
  ///
  /// - Throws: `PostgresError`.
  package func schedules() async throws(PostgresError) -> [ScheduleRow] {
    try await look(PageCalls.schedules(of: nil))
  }

  /// Returns a schedule with its next and past occurrences, or nil if it does not exist.
  ///
  /// - Throws: `PostgresError`.
  package func schedule(_ id: ScheduleID) async throws(PostgresError) -> SchedulePage? {
    let id = try await id.stored(in: session)
    let next = Call.row(SQL.Observation.listNextOccurrences, id.job, id.column) {
      (row) throws(PostgresError) in
      let (now, next) = try row.decode(Timestamp.self, String.self)
      return (now, next.instants)
    }
    let (_, rows, past, (now, instants)) = try await session.atomically(
      ObservationCalls.limit, PageCalls.schedules(of: id.job, named: id.column),
      PageCalls.occurrences(of: id), next)
    guard let row = rows.first else { return nil }
    return SchedulePage(
      schedule: row, now: now, next: instants.map { Timestamp(seconds: $0) }, past: past)
  }

  /// Returns the registered workers, sorted by start time, oldest first.
  ///
  /// - Throws: `PostgresError`.
  package func workers() async throws(PostgresError) -> [WorkerObservation] {
    try await look(ObservationCalls.workers)
  }

  /// Returns the database page: event log, sizes, lock waits, and transactions that block VACUUM.
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
