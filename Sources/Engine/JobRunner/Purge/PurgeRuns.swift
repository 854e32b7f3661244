package import BatonJobs
import BatonPostgres
import RunnerSQL

/// Removes expired data of ended runs, and rows of the audit log that are older than 400 days.
///
/// `runner_setting` holds how long ended runs are stored. The history is emptied one day at a time by TRUNCATE. The
/// audit log is purged one day at a time by DELETE, and dead runs in limited numbers. Each step is complete, so the
/// job can be killed at any point and can run every minute.
package struct PurgeRuns: StepJob {
  /// Every day at 02:47 UTC.
  package static let definition = Definition<Self>(
    "purge-runs", on: [.cron("47 2 * * *")], timeout: .seconds(30))

  /// The key of its schedule.
  package typealias Key = ScheduleKey

  /// The days that are still to be emptied.
  package struct State: StepState {
    var days = PartitionPurge<EndedRuns.Day>()

    /// The state before the first step.
    package init() {}
  }

  private static let rows = 5000

  /// Emptying a day locks it: a dry run that did so would block its readers until the end.
  package static func dryRun(in context: EndedRuns) async throws -> [Removal]? {
    try await context.expired()
  }

  /// Empties one day of the history in each step.
  ///
  /// After the last day, it removes one day of the audit log in each step, and then dead runs and failed attempts.
  package static func step(
    _ run: Run<Self>, _ state: inout State, in context: EndedRuns
  ) async throws -> StepResult {
    if let report = try await state.days.step(
      list: { try await context.oldDays() }, empty: { try await context.empty($0) })
    {
      return .more(report)
    }
    let audited = try await context.purgeAudit()
    guard audited == 0 else { return .more(report(audited: audited)) }
    let dead = try await context.purgeDead(limit: rows)
    let attempts = try await context.purgeFailedAttempts(limit: rows)
    let report = report(dead: dead, attempts: attempts)
    return max(dead, attempts) == rows ? .more(report) : .done(report)
  }

  private static func report(dead: Int = 0, attempts: Int = 0, audited: Int = 0) -> Report {
    PartitionPurge<EndedRuns.Day>.report() + [
      "dead runs": dead, "failed attempts": attempts, "audit rows": audited,
    ]
  }
}

/// The data that `purge-runs` removes, in one transaction: the history, dead runs, and the audit log.
package struct EndedRuns: Sendable {
  /// One day of the history.
  struct Day: Sendable {
    let partition: String
    let cutoff: Timestamp
  }

  private let transaction: Transaction

  init(_ transaction: Transaction) { self.transaction = transaction }

  /// Returns what would be removed; it counts rows, so it takes longer than the removal.
  func expired() async throws -> [Removal] {
    try await transaction.run(.removals(SQL.Purge.listExpired))
  }

  func oldDays() async throws -> [Day] {
    let list = Call.rows(SQL.Purge.listOldPartitions) { (row) throws(PostgresError) in
      let (partition, cutoff) = try row.decode(String.self, Timestamp.self)
      return Day(partition: partition, cutoff: cutoff)
    }
    return try await transaction.run(list)
  }

  /// Truncates a day, with a wait of at most 20 ms for its lock; returns nil if the day is in use.
  func empty(_ day: Day) async throws -> Bool? {
    let truncate = Call<Bool?>.row(SQL.Purge.truncatePartition, day.partition, day.cutoff) {
      (row) throws(PostgresError) in try row.decode(Bool?.self)
    }
    return try await transaction.run([truncate])[0]
  }

  /// Removes one day of the audit log, and returns the number of rows; 0 if no day is old enough.
  func purgeAudit() async throws -> Int {
    let purge = Call.row(SQL.Purge.purgeAudit) { (row) throws(PostgresError) in
      try row.decode(Int64.self)
    }
    let rows: Int64 = try await transaction.run(purge)
    return Int(rows)
  }

  func purgeDead(limit: Int) async throws -> Int {
    try await transaction.run(.count(SQL.Purge.purgeDeadRuns, Int64(limit)))
  }

  func purgeFailedAttempts(limit: Int) async throws -> Int {
    try await transaction.run(.count(SQL.Purge.purgeFailedAttempts, Int64(limit)))
  }
}

extension Call where Output == [Removal] {
  /// Reads a list of what would be removed: table, rows, oldest, newest.
  static func removals(_ statement: Statement) -> Call {
    .rows(statement) { (row) throws(PostgresError) in
      let (table, rows, oldest, newest) = try row.decode(
        String.self, Int64.self, String?.self, String?.self)
      return Removal(table: table, rows: Int(rows), oldest: oldest, newest: newest)
    }
  }
}

extension RegisteredJob {
  /// The runner's own jobs; every program has them in addition to its jobs.
  package static let ofRunner: [RegisteredJob] = [RegisteredJob(PurgeRuns.self) { EndedRuns($0) }]
}
