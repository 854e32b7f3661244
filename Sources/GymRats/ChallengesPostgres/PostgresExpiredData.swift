public import BatonPostgres
import Challenges
import ChallengesSQL
public import ChallengesServer

/// Removes expired data from PostgreSQL, within one transaction.
public struct PostgresExpiredData: ExpiredData {
  private let transaction: Transaction

  /// A store whose work is part of the transaction.
  public init(_ transaction: Transaction) { self.transaction = transaction }

  /// Removes boards with their entries, standings, told ranks and board_versions.
  ///
  /// - Throws: `PostgresError`.
  public func purgeBoards(limit: Int) async throws -> Int {
    let purge = Call.row(SQL.Retention.purgeBoards, Int64(limit)) {
      (row) throws(PostgresError) in try row.decode(Int64.self)
    }
    let boards: Int64 = try await transaction.run(purge)
    return Int(boards)
  }

  /// Removes marks of weeks that are gone.
  ///
  /// - Throws: `PostgresError`.
  public func purgeClosedWeeks(limit: Int) async throws -> Int {
    try await transaction.run(.count(SQL.Retention.purgeClosedWeeks, Int64(limit)))
  }

  /// Removes invites that ended as long ago as boards are kept.
  ///
  /// - Throws: `PostgresError`.
  public func purgeInvites(limit: Int) async throws -> Int {
    try await transaction.run(.count(SQL.Retention.purgeInvites, Int64(limit)))
  }

  /// Removes rows of the log and events of phones.
  ///
  /// - Throws: `PostgresError`.
  public func purgeUsage(limit: Int) async throws -> (log: Int, clientEvents: Int) {
    let purge = Call.row(SQL.Retention.purgeUsage, Int64(limit)) { (row) throws(PostgresError) in
      try row.decode(Int64.self, Int64.self)
    }
    let (log, events): (Int64, Int64) = try await transaction.run(purge)
    return (Int(log), Int(events))
  }

  /// Adds the rows of each day that is over up to one.
  ///
  /// - Throws: `PostgresError`.
  public func foldIgnored(limit: Int) async throws -> Int {
    let fold = Call.row(SQL.Retention.foldIgnored, Int64(limit)) {
      (row) throws(PostgresError) in try row.decode(Int64.self)
    }
    let rows: Int64 = try await transaction.run(fold)
    return Int(rows)
  }

  /// What would go; counts rows, so it takes longer than removing them.
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

  /// Days that hold nothing young.
  ///
  /// - Throws: `PostgresError`.
  public func oldDays() async throws -> [NotificationDay] {
    let list = Call.rows(SQL.Retention.listOldPartitions) { (row) throws(PostgresError) in
      let (partition, cutoff) = try row.decode(String.self, Timestamp.self)
      return NotificationDay(partition: partition, cutoff: cutoff.microseconds)
    }
    return try await transaction.run(list)
  }

  /// Truncates a day under a lock that is waited for 20 ms at most.
  ///
  /// - Throws: `PostgresError`.
  public func empty(_ day: NotificationDay) async throws -> Bool? {
    let truncate = Call<Bool?>.row(
      SQL.Retention.truncatePartition, day.partition, Timestamp(microseconds: day.cutoff)
    ) { (row) throws(PostgresError) in try row.decode(Bool?.self) }
    return try await transaction.run([truncate])[0]
  }
}
