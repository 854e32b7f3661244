public import BatonPostgres
import Presence
import PresenceSQL
public import PresenceServer

/// Removes expired records from PostgreSQL, within one transaction.
public struct PostgresExpiredRecords: ExpiredRecords {
  private let transaction: Transaction

  /// A store whose work is part of the transaction.
  public init(_ transaction: Transaction) { self.transaction = transaction }

  /// Removes invites that ended long ago.
  ///
  /// - Throws: `PostgresError`.
  public func purgeInvites(limit: Int) async throws -> Int {
    try await transaction.run(.count(SQL.Retention.purgeInvites, Int64(limit)))
  }

  /// Removes sessions of devices that ended long ago.
  ///
  /// - Throws: `PostgresError`.
  public func purgeSessions(limit: Int) async throws -> Int {
    try await transaction.run(.count(SQL.Retention.purgeSessions, Int64(limit)))
  }

  /// Weeks that hold nothing young.
  ///
  /// - Throws: `PostgresError`.
  public func oldWeeks() async throws -> [MessageWeek] {
    let list = Call.rows(SQL.Retention.listOldMessages) { (row) throws(PostgresError) in
      let (partition, cutoff) = try row.decode(String.self, Timestamp.self)
      return MessageWeek(partition: partition, cutoff: cutoff.microseconds)
    }
    return try await transaction.run(list)
  }

  /// Truncates a week under a lock that is waited for 20 ms at most.
  ///
  /// - Throws: `PostgresError`.
  public func empty(_ week: MessageWeek) async throws -> Bool? {
    let truncate = Call<Bool?>.row(
      SQL.Retention.truncateMessages, week.partition, Timestamp(microseconds: week.cutoff)
    ) { (row) throws(PostgresError) in try row.decode(Bool?.self) }
    return try await transaction.run([truncate])[0]
  }

  /// Removes answers to commands that are too old to be asked for again.
  ///
  /// - Throws: `PostgresError`.
  public func purgeCommands(limit: Int) async throws -> Int {
    try await transaction.run(.count(SQL.Retention.purgeCommands, Int64(limit)))
  }

  /// What would go; counts rows, so it takes longer than removing them.
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
