package import BatonJobs
package import BatonPostgres
import RunnerSQL

/// A schedule as a list shows it; instants are ISO 8601 in UTC, of domain time.
package struct ListedSchedule: Sendable, Encodable {
  /// The job's name.
  package let job: String
  /// What tells it from others of the job; nil for the one that has no name.
  package let name: String?
  /// A cron expression, or `every N s`.
  package let expression: String
  /// The time zone of a cron expression.
  package let timeZone: String?
  /// `skip`, `once` or `all`.
  package let missed: String
  /// The next occurrence; nil where none comes any more.
  package let nextAt: String?
  /// When that fires: its time and the delay.
  package let firesAt: String?
  /// The last occurrence that was fired.
  package let lastAt: String?
  /// When it was.
  package let lastFiredAt: String?
  /// Since when it is paused.
  package let pausedAt: String?
  /// By how much its occurrences fire after their time.
  package let delaySeconds: Int64

  /// Which schedule it is.
  package var id: ScheduleID { ScheduleID(job: job, name: name) }
}

/// Why a schedule's occurrences cannot be fired.
package enum ScheduleProblem: Error, Sendable, Equatable {
  /// It is not in this schema.
  case missing(ScheduleID)
  /// A range holds more occurrences than one backfill may fire.
  case tooMany(limit: Int)
}

extension Scheduler {
  /// How many occurrences one backfill fires at most.
  package static let mostBackfilled = 10_000

  /// Every schedule in the schema, by job.
  ///
  /// - Throws: `PostgresError`.
  package func list() async throws(PostgresError) -> [ListedSchedule] {
    let list = Call.rows(SQL.Schedules.list) { (row) throws(PostgresError) in
      let (job, name, expression, zone, missed, next, fires, last, fired, paused, delay) =
        try row.decode(
          String.self, String.self, String.self, String?.self, String.self, String?.self,
          String?.self,
          String?.self, String?.self, String?.self, Int64.self)
      return ListedSchedule(
        job: job, name: ScheduleID(job: job, column: name).name, expression: expression,
        timeZone: zone, missed: missed, nextAt: next,
        firesAt: fires, lastAt: last, lastFiredAt: fired, pausedAt: paused, delaySeconds: delay)
    }
    return try await session.freely.atomically(list)
  }

  /// Pauses or resumes a schedule; false where there is none.
  ///
  /// Its occurrences pass meanwhile; after the resume they are missed ones. The audit has a row where that
  /// changes anything.
  ///
  /// - Throws: `PostgresError`.
  package func setPaused(_ isPaused: Bool, _ id: ScheduleID) async throws -> Bool {
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

  /// The next occurrences of one schedule by domain time, as ISO 8601 in UTC, delays aside.
  ///
  /// - Throws: ``ScheduleProblem``, `PostgresError`.
  package func next(_ count: Int, of id: ScheduleID) async throws -> [String] {
    let (schedule, now) = try await entered(id)
    return schedule.occurrences(after: now, through: .max, limit: count)
      .map { Schedule.text(of: $0) }
  }

  /// Fires the occurrences of a half-open range that have not fired, each as a run of its own.
  ///
  /// What lies in the future of domain time is left to come. The audit has one row of what fires.
  ///
  /// - Parameters:
  ///   - range: seconds since 1970-01-01 00:00 UTC.
  ///   - isDryRun: only says which they are.
  /// - Returns: the occurrences, as ISO 8601 in UTC.
  /// - Throws: ``ScheduleProblem``, `PostgresError`; nothing has fired then.
  package func backfill(
    _ id: ScheduleID, _ range: Range<Int64>, isDryRun: Bool
  ) async throws -> [String] {
    let (schedule, now) = try await entered(id)
    let occurrences = schedule.occurrences(
      after: range.lowerBound - 1, through: min(range.upperBound - 1, now),
      limit: Self.mostBackfilled + 1)
    guard occurrences.count <= Self.mostBackfilled else {
      throw ScheduleProblem.tooMany(limit: Self.mostBackfilled)
    }
    return try await session.transaction { transaction in
      let fired: [Int64] = try await transaction.run(ScheduleCalls.listFired(id, occurrences))
      let done = Set(fired)
      let left = occurrences.filter { !done.contains($0) }
      guard !isDryRun, !left.isEmpty else { return left.map { Schedule.text(of: $0) } }
      try await transaction.run(ScheduleCalls.backfill(id, left))
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

  private func entered(_ id: ScheduleID) async throws -> (Schedule, now: Int64) {
    let rows: [ScheduleCalls.Entered] = try await session.freely.atomically(
      ScheduleCalls.listDefinitions([(id, nil)], of: []))
    guard let entered = rows.first, let stored = entered.stored,
      let schedule = schedule(id, stored)
    else { throw ScheduleProblem.missing(id) }
    return (schedule, entered.now.floorSeconds)
  }
}

extension ScheduleID {
  /// As the audit has it.
  fileprivate var subject: [String: AuditValue] {
    name.map { ["job": .text(job), "schedule": .text($0)] } ?? ["job": .text(job)]
  }
}
