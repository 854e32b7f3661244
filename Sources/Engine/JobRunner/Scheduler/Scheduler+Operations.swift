package import BatonJobs
package import BatonPostgres
import RunnerSQL

/// A schedule as a list shows it; instants are ISO 8601 in UTC, in domain time.
package struct ListedSchedule: Sendable, Encodable {
  /// The job's name.
  package let job: String
  /// The name that distinguishes it from other schedules of the job; nil if it has none.
  package let name: String?
  /// A cron expression, or `every N s`.
  package let expression: String
  /// The time zone of a cron expression.
  package let timeZone: String?
  /// `skip`, `once` or `all`.
  package let missed: String
  /// The next occurrence; nil if there is none.
  package let nextAt: String?
  /// When that occurrence fires: its time plus the delay.
  package let firesAt: String?
  /// The last occurrence that fired.
  package let lastAt: String?
  /// When that occurrence fired.
  package let lastFiredAt: String?
  /// Since when it is paused.
  package let pausedAt: String?
  /// How long after their time its occurrences fire.
  package let delaySeconds: Int64

  /// The id of the schedule.
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
  /// The most occurrences that one backfill fires.
  package static let mostBackfilled = 10_000

  /// Returns every schedule in the schema, by job.
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

  /// Pauses or resumes a schedule; returns false if it does not exist.
  ///
  /// Occurrences during the pause do not fire; after the resume they are missed occurrences. If the call changes
  /// anything, the audit log gets a row.
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

  /// Returns the next occurrences of one schedule in domain time, as ISO 8601 in UTC, without delays.
  ///
  /// - Throws: ``ScheduleProblem``, `PostgresError`.
  package func next(_ count: Int, of id: ScheduleID) async throws -> [String] {
    let (schedule, now) = try await entered(id)
    return schedule.occurrences(after: now, through: .max, limit: count)
      .map { Schedule.text(of: $0) }
  }

  /// Fires the occurrences of a half-open range that have not fired, each as a run of its own.
  ///
  /// Occurrences in the future of domain time are not fired. The audit log gets one row for the call.
  ///
  /// - Parameters:
  ///   - range: seconds since 1970-01-01 00:00 UTC.
  ///   - isDryRun: only returns the occurrences.
  /// - Returns: the occurrences, as ISO 8601 in UTC.
  /// - Throws: ``ScheduleProblem``, `PostgresError`; then nothing has fired.
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
  /// The subject of an audit entry.
  fileprivate var subject: [String: AuditValue] {
    name.map { ["job": .text(job), "schedule": .text($0)] } ?? ["job": .text(job)]
  }
}
