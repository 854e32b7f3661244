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

  /// Deletes expired rows of one kind, oldest first.
  ///
  /// - Parameter from: The instant at which the search begins, in microseconds since 1970-01-01
  ///   00:00 UTC, or nil to begin at the oldest row.
  /// - Returns: The number of deleted rows, and the instant of the last row that was read.
  func purge(
    _ kind: ExpiredKind, limit: Int, from: Int64?
  ) async throws -> (deleted: Int, reached: Int64?)

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

/// The kinds of rows that are deleted one by one, in the order of their deletion.
///
/// Groups are last, because a group is deleted after all rows that refer to it.
public enum ExpiredKind: String, CaseIterable, Sendable {
  case closedWeeks = "weeks forgotten"
  case reopenings
  case reportedStreaks = "reported streaks"
  case invites
  case usageLog = "log rows"
  case clientEvents = "client events"
  case workouts
  case refusedEdits = "refused edits"
  case revisions
  case pauses
  case memberships
  case groups
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
