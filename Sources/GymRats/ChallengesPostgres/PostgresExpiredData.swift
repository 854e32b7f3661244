public import BatonPostgres
import Challenges
import ChallengesSQL
public import ChallengesServer

/// Removes expired data from PostgreSQL, within one transaction.
public struct PostgresExpiredData: ExpiredData {
  private let transaction: Transaction

  /// Creates a store that uses the given transaction.
  public init(_ transaction: Transaction) { self.transaction = transaction }

  /// Deletes expired boards with their entries, standings, stored ranks and versions.
  ///
  /// - Throws: `PostgresError`.
  public func purgeBoards(limit: Int) async throws -> Int {
    let purge = Call.row(SQL.Retention.purgeBoards, Int64(limit)) {
      (row) throws(PostgresError) in try row.decode(Int64.self)
    }
    let boards: Int64 = try await transaction.run(purge)
    return Int(boards)
  }

  /// Deletes records of closed weeks whose boards were deleted.
  ///
  /// - Throws: `PostgresError`.
  public func purgeClosedWeeks(limit: Int) async throws -> Int {
    try await transaction.run(.count(SQL.Retention.purgeClosedWeeks, Int64(limit)))
  }

  /// Deletes invites that ended before the retention time of boards.
  ///
  /// - Throws: `PostgresError`.
  public func purgeInvites(limit: Int) async throws -> Int {
    try await transaction.run(.count(SQL.Retention.purgeInvites, Int64(limit)))
  }

  /// Deletes expired rows of the usage log and expired events of phones.
  ///
  /// - Throws: `PostgresError`.
  public func purgeUsage(limit: Int) async throws -> (log: Int, clientEvents: Int) {
    let purge = Call.row(SQL.Retention.purgeUsage, Int64(limit)) { (row) throws(PostgresError) in
      try row.decode(Int64.self, Int64.self)
    }
    let (log, events): (Int64, Int64) = try await transaction.run(purge)
    return (Int(log), Int(events))
  }

  /// Merges the rows of each past day into one row.
  ///
  /// - Throws: `PostgresError`.
  public func foldIgnored(limit: Int) async throws -> Int {
    let fold = Call.row(SQL.Retention.foldIgnored, Int64(limit)) {
      (row) throws(PostgresError) in try row.decode(Int64.self)
    }
    let rows: Int64 = try await transaction.run(fold)
    return Int(rows)
  }

  /// Counts the rows that the other methods would delete.
  ///
  /// Counting takes longer than the deletion.
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

  /// Returns the days on which every notification has expired.
  ///
  /// - Throws: `PostgresError`.
  public func oldDays() async throws -> [NotificationDay] {
    let list = Call.rows(SQL.Retention.listOldPartitions) { (row) throws(PostgresError) in
      let (partition, cutoff) = try row.decode(String.self, Timestamp.self)
      return NotificationDay(partition: partition, cutoff: cutoff.microseconds)
    }
    return try await transaction.run(list)
  }

  /// Truncates the partition of one day, waiting at most 20 ms for its lock.
  ///
  /// - Throws: `PostgresError`.
  public func empty(_ day: NotificationDay) async throws -> Bool? {
    let truncate = Call<Bool?>.row(
      SQL.Retention.truncatePartition, day.partition, Timestamp(microseconds: day.cutoff)
    ) { (row) throws(PostgresError) in try row.decode(Bool?.self) }
    return try await transaction.run([truncate])[0]
  }
}
