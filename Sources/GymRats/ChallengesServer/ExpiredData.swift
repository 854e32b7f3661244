import Challenges
import ProductKit

/// Deletes expired data.
///
/// Each call deletes a limited number of rows. The caller repeats the call until no expired rows
/// are left.
public protocol ExpiredData: Sendable {
  /// Deletes closed and cancelled boards that are older than the retention period, oldest week
  /// first, with all dependent rows.
  ///
  /// Boards that another transaction has locked are not deleted.
  ///
  /// - Parameter from: The board where the search starts, or nil to start at the oldest board.
  /// - Returns: The number of deleted boards, and the position of the last board read.
  func purgeBoards(
    limit: Int, from: BoardPosition?
  ) async throws -> (deleted: Int, reached: BoardPosition?)

  /// Deletes expired rows of one kind, oldest first.
  ///
  /// - Parameter from: The time to search from, in microseconds since 1970-01-01 00:00 UTC, or nil
  ///   to start at the oldest row.
  /// - Returns: The number of deleted rows, and the time of the last row read.
  func purge(
    _ kind: ExpiredKind, limit: Int, from: Int64?
  ) async throws -> (deleted: Int, reached: Int64?)

  /// Merges the counts of workouts that were rejected for privacy into one row per past day, and
  /// deletes expired rows.
  ///
  /// - Returns: The number of rows merged or deleted.
  func foldIgnored(limit: Int) async throws -> Int

  /// Returns the current number of expired rows in each table.
  func rows() async throws -> [ExpiredRows]

  /// Returns the days whose notifications have all expired, oldest first.
  func oldDays() async throws -> [NotificationDay]

  /// Deletes all notifications of one day.
  ///
  /// - Returns: True if the notifications were deleted. False if a notification from that day has
  ///   not expired. Nil if the day's partition is in use.
  func empty(_ day: NotificationDay) async throws -> Bool?
}

/// The week and the group of a board, which determine the order in which boards are deleted.
public struct BoardPosition: Sendable, Equatable {
  /// The first day of the week, such as `2024-06-03`.
  public let week: String
  /// The id of the group.
  public let group: String

  /// Creates a position.
  public init(week: String, group: String) {
    self.week = week
    self.group = group
  }

  /// Returns whether the two positions have the same week and the same group id, compared byte by
  /// byte.
  public static func == (left: Self, right: Self) -> Bool {
    left.week == right.week && left.group.hasSameBytes(as: right.group)
  }
}

/// The kinds of rows that are deleted row by row, in the order in which they are deleted.
///
/// Groups are the last kind, because a group is deleted after all rows that refer to it.
public enum ExpiredKind: String, CaseIterable, Sendable {
  case closedWeeks = "weeks forgotten"
  case reopenings
  case reportedStreaks = "reported streaks"
  case invites
  case attempts = "failed attempts"
  case reports
  case sessions
  case pushDevices = "push devices"
  case usageLog = "log rows"
  case clientEvents = "client events"
  case workouts
  case refusedEdits = "refused edits"
  case revisions
  case pauses
  case memberships
  case groups
}

/// A day whose notifications are deleted together.
public struct NotificationDay: Sendable, Hashable {
  /// The name of the day's partition.
  public let partition: String
  /// The cutoff in microseconds since 1970-01-01 00:00 UTC.
  ///
  /// Notifications from before the cutoff have expired.
  public let cutoff: Int64

  /// Creates a day from a partition and a cutoff.
  public init(partition: String, cutoff: Int64) {
    self.partition = partition
    self.cutoff = cutoff
  }
}

/// The number of expired rows in one table, with their earliest and latest times.
public struct ExpiredRows: Sendable, Hashable {
  /// The name of the table, or of a partition that is truncated as a whole.
  public let table: String
  /// The number of expired rows.
  public let rows: Int
  /// The expired rows' earliest and latest times, in UTC and ISO 8601 format.
  public let oldest, newest: String?

  /// Creates a value that describes the expired rows of one table.
  public init(table: String, rows: Int, oldest: String?, newest: String?) {
    self.table = table
    self.rows = rows
    self.oldest = oldest
    self.newest = newest
  }
}
