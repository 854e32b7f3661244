package import BatonJobs
package import BatonPostgres
import CivilTime
import RunnerSQL

/// Fires the due occurrences of the schedules in a schema.
///
/// Any number of processes may fire occurrences concurrently, without a leader. A schedule is
/// locked while its occurrences fire, and each occurrence is stored once. docs/guides/schedules.md
/// describes the rules.
package struct Scheduler: Sendable {
  /// The time when a schedule will fire next.
  package struct FireTime: Sendable, Equatable {
    /// The id of the schedule.
    package let id: ScheduleID
    /// The time of the next occurrence plus the job's delay, in domain time.
    package let at: Timestamp
    /// The interval between two occurrences, or nil for a cron expression.
    package let interval: Duration?
  }

  let session: Session
  private let jobs: [RegisteredJob]

  /// Creates the scheduler for the session's schema.
  ///
  /// No other task may use the session concurrently.
  ///
  /// - Parameter jobs: the jobs that this process contains. Schedules of other jobs are ignored.
  package init(_ session: Session, jobs: [RegisteredJob]) {
    self.session = session
    self.jobs = jobs
  }

  /// Stores the jobs and their schedules, as ``Queue/define(_:)`` does.
  ///
  /// Call this method again after the schema has become a development schema. Until this method is
  /// called again, no schedules fire.
  ///
  /// - Throws: `PostgresError`.
  package func define() async throws {
    try await Queue(session).define(jobs)
  }

  /// Returns the next fire time of each schedule that is not paused, earliest first.
  ///
  /// The returned list is empty in a development schema whose clock does not fire schedules.
  ///
  /// - Throws: `PostgresError`.
  package func nextFireTimes() async throws -> [FireTime] {
    let list = Call.rows(SQL.Schedules.listWaiting, names(only: nil)) {
      (row) throws(PostgresError) in
      let (job, name, at, seconds) = try row.decode(
        String.self, String.self, Timestamp.self, Int64?.self)
      return FireTime(
        id: ScheduleID(job: job, column: name), at: at,
        interval: seconds.map { Duration.seconds($0) })
    }
    return try await session.freely.atomically(list)
  }

  /// Fires the occurrences that are due in domain time, unless another process is firing them.
  ///
  /// - Parameter only: the jobs whose schedules may fire, or nil for all jobs in this process.
  /// - Returns: the number of occurrences that became events.
  /// - Throws: `PostgresError`. If the method throws, no occurrences have fired.
  @discardableResult
  package func fireDue(only: Set<String>? = nil) async throws -> Int {
    var events = 0
    while true {
      let piece = try await firePiece(only: only)
      events += piece.events
      guard piece.hasMore else { return events }
    }
  }

  func names(only: Set<String>?) -> [String] {
    jobs.map(\.definition.name).filter { only?.contains($0) ?? true }
  }
}

/// A schedule as stored in the database.
struct StoredSchedule: Sendable {
  let expression: String
  let timeZone: String?
  let missed: String

  func matches(_ schedule: Schedule) -> Bool {
    expression == schedule.expression && timeZone == schedule.timeZone
  }
}

extension Timestamp {
  /// Creates the time of an occurrence.
  init(seconds: Int64) { self.init(microseconds: seconds * 1_000_000) }

  /// The whole seconds since 1970-01-01 00:00 UTC, rounded down.
  var floorSeconds: Int64 { floorDivide(microseconds, 1_000_000) }
}
