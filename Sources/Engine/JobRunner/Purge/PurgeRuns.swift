package import BatonJobs
import BatonPostgres
import RunnerSQL

/// Deletes ended runs' expired data, and audit log rows that are older than 400 days.
///
/// The `runner_setting` table stores the retention period of ended runs. Each step truncates one
/// day of the history, deletes one day of the audit log, or deletes a limited number of dead runs.
/// The job can be killed at any point.
package struct PurgeRuns: StepJob {
  /// The definition of the job, which runs every day at 02:47 UTC.
  package static let definition = Definition<Self>(
    "purge-runs", on: [.cron("47 2 * * *")], timeout: .seconds(30))

  /// The key of the job's schedule.
  package typealias Key = ScheduleKey

  /// The state between two steps: the days of the history that have not been truncated yet.
  package struct State: StepState {
    var days = PartitionPurge<EndedRuns.Day>()
    var rows = RowPurge(EndedRuns.Kind.allCases)

    /// Creates the state before the first step.
    package init() {}
  }

  private static let rows = 5000

  /// Returns the data that the job would delete, without truncating any table.
  ///
  /// Truncating a day's table locks the table. If a dry run truncated the table, readers would be
  /// blocked until the dry run finished.
  package static func dryRun(in context: EndedRuns) async throws -> [Removal]? {
    try await context.expired()
  }

  /// Truncates one day of the history, or deletes one chunk of other expired data.
  ///
  /// The first steps truncate all expired days of the history. Each of the next steps deletes one
  /// expired day of the audit log. When no expired days remain in the audit log, later steps delete
  /// dead runs, failed attempts and sent events.
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
    let piece = try await state.rows.step { kind, position in
      try await context.purge(kind, limit: rows, from: position)
    }
    if let piece {
      let count = piece.deleted
      switch piece.kind {
      case .deadRuns: return .more(report(dead: count))
      case .failedAttempts: return .more(report(attempts: count))
      case .sentEvents: return .more(report(events: count))
      }
    }
    try await context.purgeProgress()
    let checkpoints = try await context.purgeCheckpoints(limit: rows)
    guard checkpoints < rows else { return .more(report()) }
    return try await context.purgeBatches(limit: rows) > 0 ? .more(report()) : .done(report())
  }

  private static func report(
    dead: Int = 0, attempts: Int = 0, events: Int = 0, audited: Int = 0
  ) -> Report {
    PartitionPurge<EndedRuns.Day>.report() + [
      "dead runs": dead, "failed attempts": attempts, "sent events": events, "audit rows": audited,
    ]
  }
}

/// The expired data that `purge-runs` deletes, within one transaction.
package struct EndedRuns: Sendable {
  /// A day of the history.
  struct Day: Sendable {
    let partition: String
    let cutoff: Timestamp
  }

  /// The kinds of rows that are deleted row by row.
  ///
  /// Deletion starts at a position: a dead run's id, a sent event's number, or a failed attempt's
  /// time in microseconds.
  enum Kind: CaseIterable {
    case deadRuns, failedAttempts, sentEvents

    var statement: Statement {
      switch self {
      case .deadRuns: SQL.Purge.purgeDeadRuns
      case .failedAttempts: SQL.Purge.purgeFailedAttempts
      case .sentEvents: SQL.Purge.purgeSentEvents
      }
    }
  }

  private let transaction: Transaction

  init(_ transaction: Transaction) { self.transaction = transaction }

  /// Returns the data that the job would delete.
  ///
  /// Counting the expired rows takes longer than truncating or deleting them.
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

  /// Truncates the history table of a day, or returns nil if the table is locked.
  ///
  /// The statement waits at most 20 ms for the table lock.
  func empty(_ day: Day) async throws -> Bool? {
    let truncate = Call<Bool?>.row(SQL.Purge.truncatePartition, day.partition, day.cutoff) {
      (row) throws(PostgresError) in try row.decode(Bool?.self)
    }
    return try await transaction.run([truncate])[0]
  }

  /// Deletes one day of the audit log and returns the number of rows, or 0 if no day is old enough.
  func purgeAudit() async throws -> Int {
    let purge = Call.row(SQL.Purge.purgeAudit) { (row) throws(PostgresError) in
      try row.decode(Int64.self)
    }
    let rows: Int64 = try await transaction.run(purge)
    return Int(rows)
  }

  /// Deletes expired rows of one kind, starting at a position that an earlier call returned.
  func purge(
    _ kind: Kind, limit: Int, from: Int64?
  ) async throws -> (deleted: Int, reached: Int64?) {
    let purge = Call.row(kind.statement, Int64(limit), from) { (row) throws(PostgresError) in
      try row.decode(Int64.self, Int64?.self)
    }
    let (deleted, reached): (Int64, Int64?) = try await transaction.run(purge)
    return (Int(deleted), reached)
  }

  func purgeCheckpoints(limit: Int) async throws -> Int {
    try await transaction.run(.count(SQL.Purge.purgeCheckpoints, Int64(limit)))
  }

  /// Deletes dead members of expired batches, and expired batches without members.
  ///
  /// Both ended batches and batches that were never sealed expire. The method first locks the
  /// expired batches that were never sealed, so that callers cannot add more members. The DELETE
  /// statement begins after the batches are locked, so it sees all members that callers have added.
  ///
  /// - Returns: the number of deleted rows.
  func purgeBatches(limit: Int) async throws -> Int {
    let lock = Call.rows(SQL.Purge.lockAbandonedBatches, Int64(limit)) {
      (row) throws(PostgresError) in try row.decode(Int64.self)
    }
    let abandoned: [Int64] = try await transaction.run(lock)
    let purge = Call.row(SQL.Purge.purgeBatches, Int64(limit), abandoned) {
      (row) throws(PostgresError) in try row.decode(Int64.self)
    }
    let rows: Int64 = try await transaction.run(purge)
    return Int(rows)
  }

  func purgeProgress() async throws {
    try await transaction.run(.run(SQL.Purge.purgeProgress))
  }
}

extension Call where Output == [Removal] {
  /// Executes a statement that lists removals, and reads the rows of the result.
  ///
  /// The result's columns are table, number of rows, oldest row and newest row.
  static func removals(_ statement: Statement) -> Call {
    .rows(statement) { (row) throws(PostgresError) in
      let (table, rows, oldest, newest) = try row.decode(
        String.self, Int64.self, String?.self, String?.self)
      return Removal(table: table, rows: Int(rows), oldest: oldest, newest: newest)
    }
  }
}

extension RegisteredJob {
  /// The runner's own jobs.
  ///
  /// Every program contains these jobs in addition to its own jobs.
  package static let ofRunner: [RegisteredJob] = [RegisteredJob(PurgeRuns.self) { EndedRuns($0) }]
}
