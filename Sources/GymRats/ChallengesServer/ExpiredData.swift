import Challenges

/// Removes expired data: each call removes a bounded number of things and is repeated until it finds none.
public protocol ExpiredData: Sendable {
  /// Removes final boards of weeks that ended long ago, oldest first, with all that hangs on them.
  ///
  /// - Returns: how many boards.
  func purgeBoards(limit: Int) async throws -> Int

  /// Removes the records of who was notified about weeks whose boards are gone.
  func purgeClosedWeeks(limit: Int) async throws -> Int

  /// Removes invites that ended long ago.
  func purgeInvites(limit: Int) async throws -> Int

  /// Removes what was counted of groups, invites and phones too long ago.
  ///
  /// - Returns: how many rows of the log, and how many events of phones; of each at most `limit`.
  func purgeUsage(limit: Int) async throws -> (log: Int, clientEvents: Int)

  /// Makes one row a day of the workouts that privacy refused, and removes those of too long ago.
  ///
  /// - Returns: how many rows went into that.
  func foldIgnored(limit: Int) async throws -> Int

  /// How many rows each table would lose at this moment.
  func rows() async throws -> [ExpiredRows]

  /// Days of notifications that hold nothing young, oldest first.
  func oldDays() async throws -> [NotificationDay]

  /// Empties one day of notifications; false where something in it is young, nil where it is in use.
  func empty(_ day: NotificationDay) async throws -> Bool?
}

/// One day of notifications, which goes as a whole.
public struct NotificationDay: Sendable, Hashable {
  /// The partition's name.
  public let partition: String
  /// Microseconds since 1970-01-01 00:00 UTC: what is younger is kept.
  public let cutoff: Int64

  /// A day and its cutoff.
  public init(partition: String, cutoff: Int64) {
    self.partition = partition
    self.cutoff = cutoff
  }
}

/// The expired rows of one table.
public struct ExpiredRows: Sendable, Hashable {
  /// The table, or the partition that goes as a whole.
  public let table: String
  /// How many rows.
  public let rows: Int
  /// When the oldest and the newest of them ended or were written, ISO 8601 in UTC.
  public let oldest, newest: String?

  /// Rows of a table.
  public init(table: String, rows: Int, oldest: String?, newest: String?) {
    self.table = table
    self.rows = rows
    self.oldest = oldest
    self.newest = newest
  }
}
