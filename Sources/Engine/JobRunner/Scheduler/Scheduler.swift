package import BatonJobs
package import BatonPostgres
import RunnerSQL

/// Fires the due occurrences of the schedules in a schema.
///
/// Any number of processes may fire occurrences concurrently, without a leader. A schedule is
/// locked while its occurrences fire, and each occurrence is stored once. docs/guides/schedules.md
/// describes the rules.
package struct Scheduler: Sendable {
  /// The time when a schedule fires next.
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

  /// Creates the scheduler of the session's schema.
  ///
  /// No other task may use the session at the same time.
  ///
  /// - Parameter jobs: the jobs that this process contains. Schedules of other jobs are ignored.
  package init(_ session: Session, jobs: [RegisteredJob]) {
    self.session = session
    self.jobs = jobs
  }

  /// Stores the jobs and their schedules, as ``Queue/define(_:)`` does.
  ///
  /// Call this method again after the schema has become a development schema. Schedules do not fire
  /// before that second call, because their next occurrences are not computed with the development
  /// clock yet.
  ///
  /// - Throws: `PostgresError`.
  package func define() async throws {
    try await Queue(session).define(jobs)
  }

  /// Returns the next fire time of each schedule that is not paused, earliest first.
  ///
  /// The list is empty in a development schema whose clock does not fire schedules.
  ///
  /// - Throws: `PostgresError`.
  package func nextFireTimes() async throws -> [FireTime] {
    let list = Call.rows(SQL.Schedules.listWaiting, names(only: nil)) {
      (row) throws(PostgresError) in
      let (job, name, at, expression, zone, missed) = try row.decode(
        String.self, String.self, Timestamp.self, String.self, String?.self, String.self)
      return (
        ScheduleID(job: job, column: name), at,
        StoredSchedule(expression: expression, timeZone: zone, missed: missed)
      )
    }
    let waiting: [(ScheduleID, Timestamp, StoredSchedule)] = try await session.freely.atomically(
      list)
    return waiting.map { id, at, stored in
      FireTime(id: id, at: at, interval: schedule(id, stored)?.interval)
    }
  }

  /// Fires the occurrences that are due in domain time, unless another process is firing them.
  ///
  /// - Parameter only: the jobs that may fire, or nil for all jobs of this process.
  /// - Returns: the number of occurrences that became events.
  /// - Throws: `PostgresError`. If the method throws, no occurrence has fired.
  @discardableResult
  package func fireDue(only: Set<String>? = nil) async throws -> Int {
    let names = names(only: only)
    guard !names.isEmpty else { return 0 }
    return try await session.transaction { transaction in
      let (_, due) = try await transaction.run(
        .run(SQL.Queue.limitCursor), ScheduleCalls.takeDue(names))
      let fired = due.compactMap { due in
        schedule(due.id, due.stored).flatMap { FiredSchedule(due, $0) }
      }
      guard !fired.isEmpty else { return 0 }
      let (events, _, _) = try await transaction.run(
        ScheduleCalls.fire(fired), ScheduleCalls.moveOn(fired), ScheduleCalls.forget(fired))
      return events
    }
  }

  private func names(only: Set<String>?) -> [String] {
    jobs.map(\.definition.name).filter { only?.contains($0) ?? true }
  }

  /// Returns the stored schedule.
  ///
  /// If a newer program stored the schedule in an unknown format, the method returns this program's
  /// own definition.
  func schedule(_ id: ScheduleID, _ stored: StoredSchedule) -> Schedule? {
    stored.schedule
      ?? jobs.first { $0.definition.name == id.job }?.definition.schedules
      .first { $0.name == id.name }?.schedule
  }
}

/// A schedule as stored in the database.
struct StoredSchedule: Sendable {
  let expression: String
  let timeZone: String?
  let missed: String

  var schedule: Schedule? {
    try? Schedule.parse(stored: expression, timeZone: timeZone, missed: missed)
  }

  func matches(_ schedule: Schedule) -> Bool {
    expression == schedule.expression && timeZone == schedule.timeZone
  }
}

/// A due schedule whose row is locked.
struct DueSchedule: Sendable {
  let id: ScheduleID
  let stored: StoredSchedule
  let next: Timestamp
  /// The delay in microseconds between the time of an occurrence and its firing.
  let delay: Int64
  let now: Timestamp
}

/// The occurrences of a due schedule that fire now.
struct FiredSchedule: Sendable {
  let id: ScheduleID
  let schedule: Schedule
  let firing: Schedule.Firing
  let now: Timestamp

  init?(_ due: DueSchedule, _ schedule: Schedule) {
    guard
      let firing = schedule.firing(
        from: due.next.ceilingSeconds, delay: due.delay, at: due.now.microseconds)
    else { return nil }
    self.id = due.id
    self.schedule = schedule
    self.firing = firing
    self.now = due.now
  }

  /// Returns the key of the run that an occurrence creates.
  func key(of occurrence: Int64) -> String {
    schedule.key(of: occurrence, named: id.name).description
  }
}

extension Timestamp {
  /// Creates the instant of an occurrence.
  init(seconds: Int64) { self.init(microseconds: seconds * 1_000_000) }

  /// The whole seconds since 1970-01-01 00:00 UTC, rounded down.
  var floorSeconds: Int64 { floorDivide(microseconds, 1_000_000) }

  /// The whole seconds since 1970-01-01 00:00 UTC, rounded up.
  var ceilingSeconds: Int64 { -Timestamp(microseconds: -microseconds).floorSeconds }
}
