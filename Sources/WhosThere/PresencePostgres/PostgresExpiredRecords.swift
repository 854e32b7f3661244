public import BatonPostgres
import Presence
import PresenceSQL
public import PresenceServer
import ProductPostgres

/// Deletes expired records from PostgreSQL, within one transaction.
public struct PostgresExpiredRecords: ExpiredRecords {
  private let transaction: Transaction

  /// Creates a store whose statements run in the given transaction.
  public init(_ transaction: Transaction) { self.transaction = transaction }

  /// Deletes expired rows of one kind, oldest first.
  ///
  /// - Throws: `PostgresError`.
  public func purge(
    _ kind: ExpiredKind, limit: Int, from: Int64?
  ) async throws -> (deleted: Int, reached: Int64?) {
    try await transaction.purge(kind.purge, limit: Int32(limit), from: from)
  }

  /// Returns the weeks whose messages have all expired.
  ///
  /// - Throws: `PostgresError`.
  public func oldWeeks() async throws -> [MessageWeek] {
    let list = Call.rows(SQL.Retention.listOldMessages) { (row) throws(PostgresError) in
      let (partition, cutoff) = try row.decode(String.self, Timestamp.self)
      return MessageWeek(partition: partition, cutoff: cutoff.microseconds)
    }
    return try await transaction.run(list)
  }

  /// Truncates one week's partition, waiting at most 20 ms for the lock on it.
  ///
  /// - Throws: `PostgresError`.
  public func empty(_ week: MessageWeek) async throws -> Bool? {
    let truncate = Call<Bool?>.row(
      SQL.Retention.truncateMessages, week.partition, Timestamp(microseconds: week.cutoff)
    ) { (row) throws(PostgresError) in try row.decode(Bool?.self) }
    return try await transaction.run([truncate])[0]
  }

  /// Stores the activity of anonymous users who are active, and returns those who are idle.
  ///
  /// - Throws: `PostgresError`.
  public func idleUsers(limit: Int) async throws -> (idle: [String], active: Int) {
    let note = Call.row(SQL.Retention.noteActivity, Int32(limit)) { (row) throws(PostgresError) in
      try row.decode(Int64.self)
    }
    let active = Int(try await transaction.run([note])[0])
    let list = Call.rows(SQL.Retention.listIdleUsers, Int32(limit)) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
    return (try await transaction.run(list), active)
  }

  /// Deletes the account of an anonymous user who is still idle.
  ///
  /// - Throws: `PostgresError`.
  public func forget(_ user: String) async throws -> Bool {
    let forget = Call.row(SQL.Retention.forgetUser, user) { (row) throws(PostgresError) in
      try row.decode(Bool.self)
    }
    return try await transaction.run([forget])[0]
  }

  /// Counts the expired rows in each table.
  ///
  /// Counting the rows takes longer than deleting them.
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

extension ExpiredKind {
  /// The statement that deletes rows of this kind.
  fileprivate var purge: Statement {
    switch self {
    case .invites: SQL.Retention.purgeInvites
    case .attempts: SQL.Retention.purgeAttempts
    case .reports: SQL.Retention.purgeReports
    case .pushDevices: SQL.Retention.purgePushDevices
    case .sessions: SQL.Retention.purgeSessions
    case .commands: SQL.Retention.purgeCommands
    case .visits: SQL.Retention.purgeVisits
    case .firstArrivals: SQL.Retention.purgeFirstArrivals
    case .streaks: SQL.Retention.purgeStreaks
    case .memberships: SQL.Retention.purgeMemberships
    case .groups: SQL.Retention.purgeGroups
    }
  }
}
