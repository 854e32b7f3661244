import JobCore
import Postgres
import RunnerSQL

/// The statements about schedules with their parameters and results in Swift.
enum ScheduleCalls {
  /// What is entered of a job's schedule.
  struct Entered: Sendable {
    let job: String
    /// Nil where the job has none.
    let stored: StoredSchedule?
    /// Whether its next occurrence was reckoned by the clock that now counts.
    let isOfThisClock: Bool
    let now: Timestamp
    /// Whether its runs are given what they shall be given.
    let hasSamePayload: Bool
  }

  /// - Parameter jobs: names, and the payloads that runs of their schedules are to have.
  static func listDefinitions(_ jobs: [(name: String, payload: String?)]) -> Call<[Entered]> {
    .rows(
      SQL.Schedules.listDefinitions, jobs.map(\.name), jobs.map(\.payload)
    ) { (row) throws(PostgresError) in
      let (job, exists, expression, zone, missed, isOfThisClock, now, hasSamePayload) =
        try row.decode(
          String.self, Bool.self, String.self, String?.self, String.self, Bool.self,
          Timestamp.self, Bool.self)
      return Entered(
        job: job,
        stored: exists
          ? StoredSchedule(expression: expression, timeZone: zone, missed: missed) : nil,
        isOfThisClock: isOfThisClock, now: now, hasSamePayload: hasSamePayload)
    }
  }

  /// Enters a schedule; nil where it stands there already.
  static func define(
    _ schedule: Schedule, payload: String?, over entered: Entered
  ) -> Call<Void>? {
    let keepsNext =
      entered.isOfThisClock && entered.stored?.matches(schedule) == true
    guard
      !keepsNext || entered.stored?.missed != schedule.missed.rawValue || !entered.hasSamePayload
    else { return nil }
    return .run(
      SQL.Schedules.define, entered.job, schedule.expression, schedule.timeZone,
      schedule.missed.rawValue,
      schedule.next(after: entered.now.floorSeconds).map { Timestamp(seconds: $0) }, !keepsNext,
      payload)
  }

  static func takeDue(_ jobs: [String]) -> Call<[DueSchedule]> {
    .rows(SQL.Schedules.takeDue, jobs) { (row) throws(PostgresError) in
      let (job, expression, zone, missed, next, delay, now) = try row.decode(
        String.self, String.self, String?.self, String.self, Timestamp.self, Int64.self,
        Timestamp.self)
      return DueSchedule(
        job: job,
        stored: StoredSchedule(expression: expression, timeZone: zone, missed: missed),
        next: next, delay: delay, now: now)
    }
  }

  static func fire(_ schedules: [FiredSchedule]) -> Call<Int> {
    let all = schedules.flatMap { fired in
      fired.firing.skipped.map { (fired, $0, "skipped") }
        + fired.firing.fired.map { (fired, $0, "fired") }
    }
    return .count(
      SQL.Schedules.fire, all.map(\.0.job), all.map { Timestamp(seconds: $0.1) },
      all.map { $0.0.schedule.key(of: $0.1) }, all.map(\.2))
  }

  static func moveOn(_ schedules: [FiredSchedule]) -> Call<Int> {
    .count(
      SQL.Schedules.moveOn, schedules.map(\.job),
      schedules.map { $0.firing.next.map { Timestamp(seconds: $0) } },
      schedules.map { $0.firing.fired.last.map { Timestamp(seconds: $0) } })
  }

  /// Occurrences of cron are remembered for 400 days, those of intervals for 7: what is older could
  /// only matter to a backfill.
  static func forget(_ schedules: [FiredSchedule]) -> Call<Int> {
    .count(
      SQL.Schedules.forgetOccurrences, schedules.map(\.job),
      schedules.map { fired in
        let days: Int64 = fired.schedule.interval == nil ? 400 : 7
        return Timestamp(seconds: fired.now.floorSeconds - days * 86_400)
      })
  }

  static func backfill(_ job: String, _ occurrences: [Int64]) -> Call<Int> {
    .count(
      SQL.Schedules.backfill, job, occurrences.map { Timestamp(seconds: $0) },
      occurrences.map { Schedule.text(of: $0) })
  }

  static func listFired(_ job: String, _ occurrences: [Int64]) -> Call<[Int64]> {
    .rows(SQL.Schedules.listFired, job, occurrences.map { Timestamp(seconds: $0) }) {
      (row) throws(PostgresError) in
      try row.decode(Timestamp.self).floorSeconds
    }
  }
}

extension Transaction {
  /// Enters the schedules of jobs, and takes out those of jobs that have none any more.
  func define(schedulesOf jobs: [JobDefinition]) async throws {
    let known: [ScheduleCalls.Entered] = try await run(
      ScheduleCalls.listDefinitions(jobs.map { ($0.name, $0.schedulePayload) }))
    let byName = Dictionary(jobs.map { ($0.name, $0) }) { first, _ in first }
    var calls: [Call<Void>] = []
    for entered in known {
      let job = byName[entered.job]
      if let schedule = job?.schedule {
        let call = ScheduleCalls.define(schedule, payload: job?.schedulePayload, over: entered)
        if let call { calls.append(call) }
      } else if entered.stored != nil {
        calls.append(.run(SQL.Schedules.remove, [entered.job]))
      }
    }
    if !calls.isEmpty { try await run(calls) }
  }
}
