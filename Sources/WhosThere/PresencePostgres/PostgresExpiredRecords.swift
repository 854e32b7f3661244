public import BatonPostgres
import Presence
import PresenceSQL
public import PresenceServer

/// Deletes expired records from PostgreSQL, within one transaction.
public struct PostgresExpiredRecords: ExpiredRecords {
  private let transaction: Transaction

  /// Creates a store that uses the given transaction.
  public init(_ transaction: Transaction) { self.transaction = transaction }

  /// Deletes invites that ended before the retention time.
  ///
  /// - Throws: `PostgresError`.
  public func purgeInvites(limit: Int) async throws -> Int {
    try await transaction.run(.count(SQL.Retention.purgeInvites, Int64(limit)))
  }

  /// Deletes sessions of devices that ended before the retention time.
  ///
  /// - Throws: `PostgresError`.
  public func purgeSessions(limit: Int) async throws -> Int {
    try await transaction.run(.count(SQL.Retention.purgeSessions, Int64(limit)))
  }

  /// Returns the weeks in which every message has expired.
  ///
  /// - Throws: `PostgresError`.
  public func oldWeeks() async throws -> [MessageWeek] {
    let list = Call.rows(SQL.Retention.listOldMessages) { (row) throws(PostgresError) in
      let (partition, cutoff) = try row.decode(String.self, Timestamp.self)
      return MessageWeek(partition: partition, cutoff: cutoff.microseconds)
    }
    return try await transaction.run(list)
  }

  /// Truncates the partition of one week, waiting at most 20 ms for its lock.
  ///
  /// - Throws: `PostgresError`.
  public func empty(_ week: MessageWeek) async throws -> Bool? {
    let truncate = Call<Bool?>.row(
      SQL.Retention.truncateMessages, week.partition, Timestamp(microseconds: week.cutoff)
    ) { (row) throws(PostgresError) in try row.decode(Bool?.self) }
    return try await transaction.run([truncate])[0]
  }

  /// Deletes responses to commands that are too old to be repeated.
  ///
  /// - Throws: `PostgresError`.
  public func purgeCommands(limit: Int) async throws -> Int {
    try await transaction.run(.count(SQL.Retention.purgeCommands, Int64(limit)))
  }

  /// Counts the rows that the other methods would delete.
  ///
  /// Counting takes longer than the deletion.
  ///
  /// - Throws: `PostgresError`.
  public func rows() async throws -> [ExpiredTable] {
    let list = Call.rows(SQL.Retention.listExpired) { (row) throws(PostgresError) in
      let (name, rows, oldest, newest) = try row.decode(
        String.self, Int64.self, String?.self, String?.self)
      return ExpiredTable(name: name, rows: Int(rows), oldest: oldest, newest: newest)
    }
    return try await transaction.run(list)
  }
}
