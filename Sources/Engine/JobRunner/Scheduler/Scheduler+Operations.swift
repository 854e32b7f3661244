package import BatonJobs
package import BatonPostgres
import RunnerSQL

/// A schedule in a list.
///
/// All times are given by the domain clock, in UTC and ISO 8601 format.
package struct ListedSchedule: Sendable, Encodable {
  /// The job's name.
  package let job: String
  /// The name that distinguishes the schedule from the job's other schedules, or nil if it has no
  /// name.
  package let name: String?
  /// The expression of the schedule: a cron expression, or `every N s`.
  package let expression: String
  /// The time zone of a cron expression.
  package let timeZone: String?
  /// The rule for missed occurrences, which is `skip`, `once` or `all`.
  package let missed: String
  /// The next occurrence, or nil if there is none.
  package let nextAt: String?
  /// The time when the next occurrence fires, including the delay.
  package let firesAt: String?
  /// The last occurrence that fired.
  package let lastAt: String?
  /// The time when the last occurrence fired.
  package let lastFiredAt: String?
  /// The time when the schedule was paused, or nil if the schedule is not paused.
  package let pausedAt: String?
  /// The delay in seconds between the time of an occurrence and its firing.
  package let delaySeconds: Int64
  /// The source of the schedule, which is `program` for a declared schedule, or `sql` for a
  /// schedule that was created at run time.
  package let source: String
  /// The key of the runs, or nil if the key is derived from the schedule.
  package let key: String?
  /// The last possible time of an occurrence, or nil if the schedule does not end.
  package let until: String?

  /// The id of the schedule.
  package var id: ScheduleID { ScheduleID(job: job, name: name) }
}

/// The reason why a schedule cannot be created, or why its occurrences cannot be fired.
package enum ScheduleProblem: Error, Sendable, Equatable {
  /// The schema does not contain the schedule with this id.
  case missing(ScheduleID)
  /// The range contains more occurrences than one backfill may fire.
  case tooMany(limit: Int)
  /// The new schedule has no occurrences up to its end.
  case neverFires(ScheduleID)
}

extension Scheduler {
  /// The maximum number of occurrences that one backfill fires.
  package static let mostBackfilled = 10_000

  /// The maximum number of schedules that one call to ``list(of:after:)`` returns.
  package static let page = 1_000

  /// Returns the next ``page`` schedules of a job or of all jobs, sorted by job and name.
  ///
  /// - Parameter last: the schedule after which the list starts, or nil for the first schedules.
  /// - Throws: `PostgresError`.
  package func list(
    of job: String? = nil, after last: ScheduleID? = nil
  ) async throws(PostgresError) -> [ListedSchedule] {
    let list = Call.rows(
      SQL.Schedules.list, try await Queue(session).storedName(of: job), last?.job ?? "",
      last?.column ?? "", Int64(Self.page)
    ) { (row) throws(PostgresError) in
      let (
        job, name, expression, zone, missed, next, fires, last, fired, paused, delay, source, key,
        until
      ) =
        try row.decode(
          String.self, String.self, String.self, String?.self, String.self, String?.self,
          String?.self, String?.self, String?.self, String?.self, Int64.self, String.self,
          String?.self, String?.self)
      return ListedSchedule(
        job: job, name: ScheduleID(job: job, column: name).name, expression: expression,
        timeZone: zone, missed: missed, nextAt: next, firesAt: fires, lastAt: last,
        lastFiredAt: fired, pausedAt: paused, delaySeconds: delay, source: source, key: key,
        until: until)
    }
    return try await session.freely.atomically(list)
  }

  /// Passes the schedules of a job or of all jobs to a closure, in pages of ``page`` schedules.
  ///
  /// A job can have any number of schedules, so they are not all read into memory. If there are no
  /// schedules, the closure gets one empty page.
  ///
  /// - Throws: `PostgresError`, or any error that `tell` throws.
  package func list(
    of job: String? = nil, tell: (_ page: [ListedSchedule], _ isFirst: Bool) throws -> Void
  ) async throws {
    var last: ScheduleID?
    repeat {
      let page = try await list(of: job, after: last)
      if last == nil || !page.isEmpty { try tell(page, last == nil) }
      last = page.count == Self.page ? page.last?.id : nil
    } while last != nil
  }

  /// Pauses or resumes a schedule, and returns false if the schedule does not exist.
  ///
  /// Occurrences during a pause do not fire, and are treated as missed when the schedule is
  /// resumed. If the call changes anything, it adds a row to the audit log.
  ///
  /// - Throws: `PostgresError`.
  package func setPaused(_ isPaused: Bool, _ id: ScheduleID) async throws -> Bool {
    let id = try await id.stored(in: session)
    let set = Call.rows(SQL.Schedules.setPaused, id.job, id.column, isPaused) {
      (row) throws(PostgresError) in try row.decode(Bool.self)
    }
    return try await session.freely.transaction { transaction in
      guard let wasPaused = try await transaction.run(set).first else { return false }
      if wasPaused != isPaused {
        try await transaction.record(.pause(isPaused, of: "schedule", id.subject))
      }
      return true
    }
  }

  /// Returns the domain times of a schedule's next occurrences, in UTC and ISO 8601 format.
  ///
  /// The returned times do not include the job's delay.
  ///
  /// - Throws: ``ScheduleProblem`` or `PostgresError`.
  package func next(_ count: Int, of id: ScheduleID) async throws -> [String] {
    let id = try await id.stored(in: session)
    let rows: [Found] = try await session.freely.atomically(Self.find(id, most: count))
    guard let found = rows.first else { throw ScheduleProblem.missing(id) }
    return found.occurrences.map { Schedule.text(of: $0) }
  }

  /// Fires the occurrences in a half-open range that have not fired yet, each as a separate run.
  ///
  /// Occurrences later than the current domain time do not fire. The schedule is locked, so that
  /// each run gets its payload and its key. Each call adds one row to the audit log.
  ///
  /// - Parameters:
  ///   - range: the range of occurrence times, in seconds since 1970-01-01 00:00 UTC.
  ///   - isDryRun: whether the occurrences are only returned and not fired.
  /// - Returns: the occurrences, in UTC and ISO 8601 format.
  /// - Throws: ``ScheduleProblem``, ``RetiredJob`` or `PostgresError`. If the method throws, no
  ///   occurrences have fired.
  package func backfill(
    _ id: ScheduleID, _ range: Range<Int64>, isDryRun: Bool
  ) async throws -> [String] {
    let id = try await id.stored(in: session)
    return try await session.transaction { transaction in
      if !isDryRun { try await transaction.run(.run(SQL.Schedules.lock, id.job, id.column)) }
      let rows: [Found] = try await transaction.run(
        Self.find(
          id, after: range.lowerBound - 1, through: range.upperBound - 1,
          most: Self.mostBackfilled + 1))
      guard let found = rows.first else { throw ScheduleProblem.missing(id) }
      let retired: [String] = try await transaction.run(
        .rows(SQL.Workers.listRetired, [id.job], as: String.self))
      guard retired.isEmpty else { throw RetiredJob(job: id.job) }
      guard found.occurrences.count <= Self.mostBackfilled else {
        throw ScheduleProblem.tooMany(limit: Self.mostBackfilled)
      }
      let fired: [Int64] = try await transaction.run(
        ScheduleCalls.listFired(id, found.occurrences))
      let done = Set(fired)
      let left = found.occurrences.filter { !done.contains($0) }
      guard !isDryRun, !left.isEmpty else { return left.map { Schedule.text(of: $0) } }
      try await transaction.run(ScheduleCalls.backfill(id, left, key: found.key))
      try await transaction.record(
        AuditEntry(
          "schedule backfill", id.subject,
          filter: [
            "from": .text(Schedule.text(of: range.lowerBound)),
            "to": .text(Schedule.text(of: range.upperBound)),
          ], count: left.count))
      return left.map { Schedule.text(of: $0) }
    }
  }

  /// The key and some occurrences of a schedule.
  private struct Found: Sendable {
    let key: String?
    let occurrences: [Int64]
  }

  /// Returns the call that reads a schedule's key and occurrences.
  ///
  /// If the schedule does not exist, the result is empty.
  ///
  /// - Parameters:
  ///   - start: the time after which the search begins, or nil for the current domain time.
  ///   - end: the latest time of an occurrence, or nil for no limit. If `end` is after the current
  ///     domain time, the search ends at the current domain time.
  private static func find(
    _ id: ScheduleID, after start: Int64? = nil, through end: Int64? = nil, most: Int
  ) -> Call<[Found]> {
    .rows(
      SQL.Schedules.find, id.job, id.column, start.map { Timestamp(seconds: $0) },
      end.map { Timestamp(seconds: $0) }, Int32(most)
    ) { (row) throws(PostgresError) in
      let (key, occurrences) = try row.decode(String?.self, String.self)
      return Found(key: key, occurrences: occurrences.instants)
    }
  }
}

extension ScheduleID {
  /// The subject for an audit entry about this schedule.
  var subject: [String: AuditValue] {
    name.map { ["job": .text(job), "schedule": .text($0)] } ?? ["job": .text(job)]
  }
}
