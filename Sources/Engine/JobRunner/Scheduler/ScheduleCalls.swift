import BatonJobs
import BatonPostgres
import RunnerSQL

/// Statements about schedules that take and return Swift values.
enum ScheduleCalls {
  /// A defined schedule together with its stored state.
  struct Entered: Sendable {
    let id: ScheduleID
    /// Whether the caller defines the schedule.
    ///
    /// If ``isWanted`` is false, the job no longer defines the stored schedule.
    let isWanted: Bool
    /// The stored schedule, or nil if the schedule is not stored yet.
    let stored: StoredSchedule?
    /// Whether the stored next occurrence was computed with the current clock.
    let isOfThisClock: Bool
    /// Whether the stored payload equals that of the defined schedule.
    let hasSamePayload: Bool
  }

  /// Lists defined schedules together with the stored state of each.
  ///
  /// - Parameters:
  ///   - wanted: the defined schedules, and the payloads of their runs.
  ///   - jobs: the jobs whose stored schedules are listed even if `wanted` does not contain them.
  static func listDefinitions(
    _ wanted: [(id: ScheduleID, payload: String?)], of jobs: [String]
  ) -> Call<[Entered]> {
    .rows(
      SQL.Schedules.listDefinitions, wanted.map(\.id.job), wanted.map(\.id.column),
      wanted.map(\.payload), jobs
    ) { (row) throws(PostgresError) in
      let (job, name, isWanted, exists, expression, zone, missed, isOfThisClock, isSame) =
        try row.decode(
          String.self, String.self, Bool.self, Bool.self, String.self, String?.self,
          String.self, Bool.self, Bool.self)
      return Entered(
        id: ScheduleID(job: job, column: name), isWanted: isWanted,
        stored: exists
          ? StoredSchedule(expression: expression, timeZone: zone, missed: missed) : nil,
        isOfThisClock: isOfThisClock, hasSamePayload: isSame)
    }
  }

  /// Returns the call that stores a schedule, or nil if the stored schedule is up to date.
  static func define(_ wanted: JobSchedule, over entered: Entered) -> Call<Void>? {
    let schedule = wanted.schedule
    let keepsNext =
      entered.isOfThisClock && entered.stored?.matches(schedule) == true
    guard
      !keepsNext || entered.stored?.missed != schedule.missed.rawValue || !entered.hasSamePayload
    else { return nil }
    return .run(
      SQL.Schedules.define, entered.id.job, entered.id.column, schedule.expression,
      schedule.timeZone, schedule.missed.rawValue, !keepsNext, wanted.payload)
  }

  /// Locks due schedules, and determines which occurrences fire.
  ///
  /// - Parameters:
  ///   - marks: the positions where the search for each job's due schedules begins.
  ///   - most: the total cost after which the call does not take any further schedules.
  static func takeDue(
    _ jobs: [String], from marks: [String: Timestamp], costing most: Int
  ) -> Call<[FiredSchedule]> {
    let marks = Array(marks)
    return .rows(
      SQL.Schedules.takeDue, jobs, marks.map(\.key), marks.map(\.value), Int64(most)
    ) { (row) throws(PostgresError) in
      let (job, name, isInterval, missed, key, fired, skipped, next, now, number, cost) =
        try row.decode(
          String.self, String.self, Bool.self, String.self, String?.self, String.self,
          String.self, Timestamp?.self, Timestamp.self, Int64.self, Int64.self)
      return FiredSchedule(
        id: ScheduleID(job: job, column: name), isInterval: isInterval, missed: missed, key: key,
        fired: fired.instants, skipped: skipped.instants, next: next, now: now,
        number: Int(number), cost: Int(cost))
    }
  }

  static func fire(_ schedules: [FiredSchedule]) -> Call<Int> {
    let all = schedules.flatMap { fired in
      fired.skipped.map { (fired, $0, "skipped") } + fired.fired.map { (fired, $0, "fired") }
    }
    return .count(
      SQL.Schedules.fire, all.map(\.0.id.job), all.map(\.0.id.column),
      all.map { Timestamp(seconds: $0.1) },
      all.map { $0.0.key(of: $0.1) }, all.map(\.2))
  }

  static func moveOn(_ schedules: [FiredSchedule]) -> Call<Int> {
    .count(
      SQL.Schedules.moveOn, schedules.map(\.id.job), schedules.map(\.id.column),
      schedules.map(\.next), schedules.map { $0.fired.last.map { Timestamp(seconds: $0) } })
  }

  /// Deletes the schedules that were created at run time and will not fire again.
  static func end(_ schedules: [FiredSchedule]) -> Call<Int> {
    .count(SQL.Schedules.endMade, schedules.map(\.id.job), schedules.map(\.id.column))
  }

  /// Deletes old occurrences.
  ///
  /// Occurrences of cron expressions are kept for 400 days after they fired, and those of intervals
  /// for 7 days. Only a backfill could use the deleted occurrences.
  static func forget(_ schedules: [FiredSchedule]) -> Call<Int> {
    .count(
      SQL.Schedules.forgetOccurrences, schedules.map(\.id.job), schedules.map(\.id.column),
      schedules.map { fired in
        let days: Int64 = fired.isInterval ? 7 : 400
        return Timestamp(seconds: fired.now.floorSeconds - days * 86_400)
      })
  }

  /// Fires the given occurrences, each as a separate run unless the schedule has a key.
  static func backfill(_ id: ScheduleID, _ occurrences: [Int64], key: String?) -> Call<Int> {
    .count(
      SQL.Schedules.backfill, id.job, id.column, occurrences.map { Timestamp(seconds: $0) },
      occurrences.map { key ?? ScheduleKey(occurrence: $0, schedule: id.name).description })
  }

  static func listFired(_ id: ScheduleID, _ occurrences: [Int64]) -> Call<[Int64]> {
    .rows(
      SQL.Schedules.listFired, id.job, id.column, occurrences.map { Timestamp(seconds: $0) }
    ) { (row) throws(PostgresError) in try row.decode(Timestamp.self).floorSeconds }
  }
}

extension ScheduleID {
  /// The value of the `name` column.
  ///
  /// The value is empty for a schedule without a name.
  var column: String { name ?? "" }

  init(job: String, column: String) {
    self.init(job: job, name: column.isEmpty ? nil : column)
  }
}

extension Transaction {
  /// Stores the schedules of jobs, and deletes schedules that the jobs no longer have.
  func define(schedulesOf jobs: [JobDefinition]) async throws {
    let wanted = jobs.flatMap { job in
      job.schedules.map { (id: ScheduleID(job: job.name, name: $0.name), schedule: $0) }
    }
    let known: [ScheduleCalls.Entered] = try await run(
      ScheduleCalls.listDefinitions(
        wanted.map { ($0.id, $0.schedule.payload) }, of: jobs.map(\.name)))
    let byID = Dictionary(wanted.map { ($0.id, $0.schedule) }) { first, _ in first }
    let calls = known.compactMap { entered in
      entered.isWanted
        ? byID[entered.id].flatMap { ScheduleCalls.define($0, over: entered) }
        : .run(SQL.Schedules.remove, entered.id.job, entered.id.column)
    }
    if !calls.isEmpty { try await run(calls) }
  }
}
