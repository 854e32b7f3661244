import Challenges

/// Deletes expired data.
///
/// Each call deletes a limited number of rows. The caller repeats the call until nothing is left.
public protocol ExpiredData: Sendable {
  /// Deletes final boards of weeks that ended before the retention time, with their dependent rows,
  /// oldest first.
  ///
  /// - Returns: The number of deleted boards.
  func purgeBoards(limit: Int) async throws -> Int

  /// Deletes the records of closed weeks whose boards were deleted.
  func purgeClosedWeeks(limit: Int) async throws -> Int

  /// Deletes invites that ended before the retention time.
  func purgeInvites(limit: Int) async throws -> Int

  /// Deletes expired statistics of groups and invites, and expired events of phones.
  ///
  /// - Returns: The number of rows deleted from the usage log and the number of deleted events,
  ///   each at most `limit`.
  func purgeUsage(limit: Int) async throws -> (log: Int, clientEvents: Int)

  /// Merges each day's workouts that were refused for privacy into one row, and deletes expired
  /// rows.
  ///
  /// - Returns: The number of rows that were merged or deleted.
  func foldIgnored(limit: Int) async throws -> Int

  /// Returns the number of rows that are expired at this moment, for each table.
  func rows() async throws -> [ExpiredRows]

  /// Returns the days on which every notification has expired, oldest first.
  func oldDays() async throws -> [NotificationDay]

  /// Deletes all notifications of one day.
  ///
  /// - Returns: False if a notification of the day has not expired, or nil if the day's partition
  ///   is in use.
  func empty(_ day: NotificationDay) async throws -> Bool?
}

/// One day of notifications, which are deleted together.
public struct NotificationDay: Sendable, Hashable {
  /// The name of the day's partition.
  public let partition: String
  /// The instant before which notifications are expired, in microseconds since 1970-01-01 00:00
  /// UTC.
  public let cutoff: Int64

  /// Creates a day from its partition and its cutoff.
  public init(partition: String, cutoff: Int64) {
    self.partition = partition
    self.cutoff = cutoff
  }
}

/// The expired rows of one table.
public struct ExpiredRows: Sendable, Hashable {
  /// The table, or the partition that is truncated as a whole.
  public let table: String
  /// The number of expired rows.
  public let rows: Int
  /// The earliest and the latest instant of the expired rows, in ISO 8601 and UTC.
  public let oldest, newest: String?

  /// Creates the expired rows of one table.
  public init(table: String, rows: Int, oldest: String?, newest: String?) {
    self.table = table
    self.rows = rows
    self.oldest = oldest
    self.newest = newest
  }
}
