package import BatonJobs
package import BatonPostgres
import RunnerSQL

/// Turns time into runs: fires the due occurrences of the schedules in a schema.
///
/// Any number of processes may fire at the same time, without a leader. A schedule is locked while it is fired, and
/// each occurrence is stored once. docs/guides/schedules.md has the rules.
package struct Scheduler: Sendable {
  /// When a schedule fires next.
  package struct FireTime: Sendable, Equatable {
    /// The id of the schedule.
    package let id: ScheduleID
    /// The occurrence's own time and the delay of its job, in domain time.
    package let at: Timestamp
    /// The pause between two occurrences; nil for a cron expression.
    package let interval: Duration?
  }

  let session: Session
  private let jobs: [RegisteredJob]

  /// Makes the scheduler of a schema; nothing else may use the session meanwhile.
  ///
  /// - Parameter jobs: the jobs that this process knows; schedules of other jobs are not touched.
  package init(_ session: Session, jobs: [RegisteredJob]) {
    self.session = session
    self.jobs = jobs
  }

  /// Stores the jobs and their schedules, as ``Queue/define(_:)`` does.
  ///
  /// Call it again after a database has become a development database. The schedules are then computed with its
  /// clock; until then none of them fires.
  ///
  /// - Throws: `PostgresError`.
  package func define() async throws {
    try await Queue(session).define(jobs)
  }

  /// Returns when each schedule that is not paused fires next, the earliest first.
  ///
  /// It is empty in a development database whose clock fires no schedules.
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
  /// - Parameter only: the jobs that may fire; nil: all that this process knows.
  /// - Returns: the number of occurrences that became events.
  /// - Throws: `PostgresError`; then nothing has fired.
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

  /// The schedule as stored; if a newer binary stored it in an unknown form, as this binary defines it.
  func schedule(_ id: ScheduleID, _ stored: StoredSchedule) -> Schedule? {
    stored.schedule
      ?? jobs.first { $0.definition.name == id.job }?.definition.schedules
      .first { $0.name == id.name }?.schedule
  }
}

/// A schedule as its row stores it.
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

/// A due schedule; its row is locked.
struct DueSchedule: Sendable {
  let id: ScheduleID
  let stored: StoredSchedule
  let next: Timestamp
  /// The delay in microseconds.
  let delay: Int64
  let now: Timestamp
}

/// The firing of a due schedule.
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

  /// The key of the run that an occurrence makes.
  func key(of occurrence: Int64) -> String {
    schedule.key(of: occurrence, named: id.name).description
  }
}

extension Timestamp {
  /// Makes the instant of an occurrence.
  init(seconds: Int64) { self.init(microseconds: seconds * 1_000_000) }

  /// Whole seconds since 1970-01-01 00:00 UTC, rounded down.
  var floorSeconds: Int64 { floorDivide(microseconds, 1_000_000) }

  /// Whole seconds since 1970-01-01 00:00 UTC, rounded up.
  var ceilingSeconds: Int64 { -Timestamp(microseconds: -microseconds).floorSeconds }
}
