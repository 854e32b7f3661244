public import BatonPostgres
import Challenges
import ChallengesSQL
public import ChallengesServer
import ProductPostgres

/// Removes expired data from PostgreSQL, within one transaction.
public struct PostgresExpiredData: ExpiredData {
  private let transaction: Transaction

  /// Creates a store whose statements run in the given transaction.
  public init(_ transaction: Transaction) { self.transaction = transaction }

  /// Deletes expired boards together with their entries, standings, stored ranks and versions.
  ///
  /// - Throws: `PostgresError`.
  public func purgeBoards(
    limit: Int, from: BoardPosition?
  ) async throws -> (deleted: Int, reached: BoardPosition?) {
    let purge = Call.row(SQL.Retention.purgeBoards, Int64(limit), from?.week, from?.group) {
      (row) throws(PostgresError) in try row.decode(Int64.self, String?.self, String?.self)
    }
    let (boards, week, group): (Int64, String?, String?) = try await transaction.run(purge)
    guard let week, let group else { return (Int(boards), nil) }
    return (Int(boards), BoardPosition(week: week, group: group))
  }

  /// Deletes expired rows of one kind, oldest first.
  ///
  /// - Throws: `PostgresError`.
  public func purge(
    _ kind: ExpiredKind, limit: Int, from: Int64?
  ) async throws -> (deleted: Int, reached: Int64?) {
    try await transaction.purge(kind.purge, limit: Int64(limit), from: from)
  }

  /// Merges the counts of rejected private workouts into one row for each past day, and deletes
  /// expired rows.
  ///
  /// - Throws: `PostgresError`.
  public func foldIgnored(limit: Int) async throws -> Int {
    let fold = Call.row(SQL.Retention.foldIgnored, Int64(limit)) {
      (row) throws(PostgresError) in try row.decode(Int64.self)
    }
    let rows: Int64 = try await transaction.run(fold)
    return Int(rows)
  }

  /// Counts the expired rows in each table.
  ///
  /// Counting the rows takes longer than deleting them.
  ///
  /// - Throws: `PostgresError`.
  public func rows() async throws -> [ExpiredRows] {
    let list = Call.rows(SQL.Retention.listExpired) { (row) throws(PostgresError) in
      let (table, rows, oldest, newest) = try row.decode(
        String.self, Int64.self, String?.self, String?.self)
      return ExpiredRows(table: table, rows: Int(rows), oldest: oldest, newest: newest)
    }
    return try await transaction.run(list)
  }

  /// Returns the days whose notifications have all expired.
  ///
  /// - Throws: `PostgresError`.
  public func oldDays() async throws -> [NotificationDay] {
    let list = Call.rows(SQL.Retention.listOldPartitions) { (row) throws(PostgresError) in
      let (partition, cutoff) = try row.decode(String.self, Timestamp.self)
      return NotificationDay(partition: partition, cutoff: cutoff.microseconds)
    }
    return try await transaction.run(list)
  }

  /// Truncates one day's partition, waiting at most 20 ms for the lock on it.
  ///
  /// - Throws: `PostgresError`.
  public func empty(_ day: NotificationDay) async throws -> Bool? {
    let truncate = Call<Bool?>.row(
      SQL.Retention.truncatePartition, day.partition, Timestamp(microseconds: day.cutoff)
    ) { (row) throws(PostgresError) in try row.decode(Bool?.self) }
    return try await transaction.run([truncate])[0]
  }
}

extension ExpiredKind {
  /// The SQL statement that deletes the expired rows of this kind.
  fileprivate var purge: Statement {
    switch self {
    case .closedWeeks: SQL.Retention.purgeClosedWeeks
    case .reopenings: SQL.Retention.purgeReopenings
    case .reportedStreaks: SQL.Retention.purgeReportedStreaks
    case .invites: SQL.Retention.purgeInvites
    case .attempts: SQL.Retention.purgeAttempts
    case .reports: SQL.Retention.purgeReports
    case .sessions: SQL.Retention.purgeSessions
    case .pushDevices: SQL.Retention.purgePushDevices
    case .usageLog: SQL.Retention.purgeUsageLog
    case .clientEvents: SQL.Retention.purgeClientEvents
    case .workouts: SQL.Retention.purgeWorkouts
    case .refusedEdits: SQL.Retention.purgeRefusedEdits
    case .revisions: SQL.Retention.purgeRevisions
    case .pauses: SQL.Retention.purgePauses
    case .memberships: SQL.Retention.purgeMemberships
    case .groups: SQL.Retention.purgeGroups
    }
  }
}
