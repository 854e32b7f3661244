public import BatonJobs
public import BatonPostgres
import Foundation
import RunnerSQL

// Schedules that are created at run time.
//
// A schedule has these states: absent, waiting, paused. The `schedule` function creates the
// schedule's row, with the first occurrence after the call. A worker fires the occurrences that
// become due. When the last occurrence before the schedule's end fires, the firing deletes the row.
//
// Each change to a schedule locks only that schedule's row, until the caller's COMMIT. A change to
// a schedule waits for an earlier change to the same schedule. A firing never waits for a locked
// row. The firing skips locked rows, and rereads each row after locking it. The possible
// interleavings are:
//
// - If a firing begins while a change to a schedule has not been committed, the firing skips the
//   schedule's row. A later firing finds the changed row.
// - If a schedule is changed while a worker is firing it, the change waits until the firing ends.
//   The change waits for at most a few hundred ms. If the change keeps the schedule's times, the
//   change also keeps the next occurrence.
// - If a schedule's firing commits before the schedule's removal, the fired occurrence becomes a
//   run. If the removal commits before the firing, the firing does not find the schedule's row. A
//   removed schedule's recorded occurrences are deleted after seven days.
// - If a transaction creates a schedule and commits after the schedule's first occurrence, the next
//   poll finds the schedule's row. If the transaction that created the schedule was open for more
//   than 10 s, a poll finds the schedule's row within 5 s. The schedule's policy for missed
//   occurrences applies to occurrences before the commit.
// - Until a backfill of a schedule commits, firings skip the schedule's row. Later firings find the
//   occurrences recorded by the backfill. If a firing has locked a schedule's row, a backfill of
//   that schedule waits for the firing. The backfill then finds the occurrences that the firing has
//   recorded. Each occurrence of a schedule fires only once.
// - If a removal of a schedule is open, a backfill of the schedule waits for the removal. After the
//   removal commits, the backfill does not find the schedule.
// - If two backfills of one schedule overlap, the second waits for the first. The second backfill
//   then finds the occurrences fired by the first.
// - If the `schedule` function is called while the `jobs retire` command retires the job, the
//   schedule can be created after the job is retired. Polls and firings ignore retired jobs. If
//   firings did not ignore retired jobs, an error for one run of a retired job would roll back the
//   whole firing.
// - If a program registers a schedule while the `schedule` function is creating one with the same
//   job and name, the primary key admits only one. If the function's transaction commits before the
//   registration, the registration does not change the schedule. The `check` command reports a
//   declared schedule that was not registered. If the registration commits before the function's
//   transaction, the function fails with ZB018.

extension Transaction {
  /// Creates a schedule, which exists only if this transaction commits.
  ///
  /// If a schedule with the same job and name was already created at run time, the request replaces
  /// that schedule. If the old and new schedules have the same times, the next occurrence remains
  /// unchanged. A schedule that has no occurrences up to its end is not stored, and the call
  /// deletes the schedule that it would replace.
  ///
  /// - Throws: `PostgresError` with one of the following codes. If the method throws, nothing is
  ///   scheduled.
  ///   - ZB005: The job is unknown.
  ///   - ZB006: The key is malformed or missing.
  ///   - ZB007: The payload is too large.
  ///   - ZB016: The job is retired.
  ///   - ZB017: The name, cron expression, interval, time zone, payload or end is invalid.
  ///   - ZB018: The name already belongs to a schedule that a program declares.
  public func schedule(_ request: ScheduleRequest) async throws(PostgresError) {
    try await run(request.call)
  }

  /// Pauses a schedule that was created at run time.
  ///
  /// Occurrences during a pause do not fire, and are treated as missed when the schedule is
  /// resumed.
  ///
  /// - Throws: `PostgresError`, with ZB018 if no schedule with this name was created at run time.
  public func pauseSchedule(_ name: String, ofJob job: String) async throws(PostgresError) {
    try await run(.run(SQL.Schedules.pause, job, name))
  }

  /// Resumes a schedule that was created at run time.
  ///
  /// - Throws: `PostgresError`, with ZB018 if no schedule with this name was created at run time.
  public func resumeSchedule(_ name: String, ofJob job: String) async throws(PostgresError) {
    try await run(.run(SQL.Schedules.resume, job, name))
  }

  /// Removes a schedule that was created at run time.
  ///
  /// Runs that the schedule has already enqueued remain.
  ///
  /// - Returns: whether the schedule existed.
  /// - Throws: `PostgresError`, with ZB018 if a program declares the schedule.
  @discardableResult
  public func removeSchedule(
    _ name: String, ofJob job: String
  ) async throws(PostgresError) -> Bool {
    try await run(.row(SQL.Schedules.removeMade, job, name, as: Bool.self))
  }
}

extension Scheduler {
  /// Creates or replaces a schedule for an operator, and adds a row, which does not contain the
  /// payload, to the audit log.
  ///
  /// - Throws: `PostgresError`, with the same codes as `Transaction.schedule`, or
  ///   ``ScheduleProblem`` if the schedule has no occurrences up to its end.
  package func make(_ request: ScheduleRequest) async throws {
    let id = ScheduleID(job: try await session.storedName(of: request.job), name: request.name)
    try await session.freely.transaction { transaction in
      try await transaction.schedule(request)
      let isStored = Call.row(SQL.Schedules.isStored, id.job, request.name, as: Bool.self)
      guard try await transaction.run(isStored) else { throw ScheduleProblem.neverFires(id) }
      var after: [String: AuditValue] = ["missed": .text(request.missed.rawValue)]
      switch request.times {
      case .cron(let expression, let zone):
        (after["cron"], after["time_zone"]) = (.text(expression), .text(zone))
      case .every(let interval): after["every_seconds"] = .number(interval.components.seconds)
      }
      after["key"] = request.key.map { .text($0) }
      after["until"] = request.until.map { .text($0.secondsText) }
      try await transaction.record(AuditEntry("schedule add", id.subject, after: after))
    }
  }

  /// On behalf of an operator, removes a schedule that was created at run time, and adds a row to
  /// the audit log.
  ///
  /// - Returns: whether the schedule existed.
  /// - Throws: `PostgresError`, with ZB018 if a program declares the schedule.
  package func remove(_ id: ScheduleID) async throws -> Bool {
    let id = try await id.stored(in: session)
    return try await session.freely.transaction { transaction in
      let existed = try await transaction.removeSchedule(id.column, ofJob: id.job)
      if existed { try await transaction.record(AuditEntry("schedule remove", id.subject)) }
      return existed
    }
  }
}

extension ScheduleRequest {
  fileprivate var call: Call<Void> {
    var (cron, every, zone): (String?, Int64?, String?)
    switch times {
    case .cron(let expression, let timeZone): (cron, zone) = (expression, timeZone)
    case .every(let interval): every = interval.clampedMicroseconds
    }
    return .run(
      SQL.Schedules.make, job, name, cron, every, zone, payload, key, missed.rawValue,
      until.map { Timestamp(clamping: $0) })
  }
}

extension Duration {
  /// The duration in microseconds, rounded up so that a fraction below 1 µs is not lost.
  fileprivate var clampedMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !isTooLarge else { return seconds < 0 ? .min : .max }
    let (fraction, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000)
    let (sum, overflows) = product.addingReportingOverflow(fraction + (rest > 0 ? 1 : 0))
    return overflows ? .max : sum
  }
}
