import Presence

/// Deletes expired records.
///
/// Each call deletes a limited number of rows. The caller repeats the call until no expired rows
/// are left.
public protocol ExpiredRecords: Sendable {
  /// Deletes expired rows of one kind, oldest first.
  ///
  /// - Parameter from: The time to search from, in microseconds since 1970-01-01 00:00 UTC, or nil
  ///   to start at the oldest row.
  /// - Returns: The number of deleted rows, and the time of the last row read.
  func purge(
    _ kind: ExpiredKind, limit: Int, from: Int64?
  ) async throws -> (deleted: Int, reached: Int64?)

  /// Returns the weeks whose messages have all expired, oldest first.
  func oldWeeks() async throws -> [MessageWeek]

  /// Deletes all messages of one week.
  ///
  /// - Returns: True if the messages were deleted. False if a message from the week has not
  ///   expired. Nil if the week's partition is in use.
  func empty(_ week: MessageWeek) async throws -> Bool?

  /// Stores the activity of anonymous users who are active, and returns those who are idle.
  ///
  /// A user is idle if the user's last activity is older than the retention period.
  ///
  /// - Returns: The ids of idle users, and the number of users whose activity was stored.
  func idleUsers(limit: Int) async throws -> (idle: [String], active: Int)

  /// Deletes the account of an anonymous user.
  ///
  /// - Returns: False if the user has become active again.
  func forget(_ user: String) async throws -> Bool

  /// Returns the current number of expired rows in each table.
  func rows() async throws -> [ExpiredTable]
}

/// The kinds of rows that are deleted row by row, in the order in which they are deleted.
///
/// Groups are the last kind, because a group is deleted after all rows that refer to it.
public enum ExpiredKind: String, CaseIterable, Sendable {
  case invites
  case attempts = "failed attempts"
  case reports
  case pushDevices = "push devices"
  case sessions
  case commands
  case visits
  case firstArrivals = "first arrivals"
  case streaks
  case memberships
  case groups
}

/// A week whose messages are deleted together.
public struct MessageWeek: Sendable, Hashable {
  /// The name of the week's partition.
  public let partition: String
  /// The cutoff in microseconds since 1970-01-01 00:00 UTC.
  ///
  /// Messages from before the cutoff have expired.
  public let cutoff: Int64

  /// Creates a week from a partition and a cutoff.
  public init(partition: String, cutoff: Int64) {
    self.partition = partition
    self.cutoff = cutoff
  }
}

/// The number of expired rows in one table, and their earliest and latest times.
public struct ExpiredTable: Hashable, Sendable {
  /// The name of the table.
  public let name: String
  /// The number of expired rows.
  public let rows: Int
  /// The expired rows' earliest and latest end times, as UTC strings in ISO 8601 format.
  public let oldest, newest: String?

  /// Creates a value from the number and the times of a table's expired rows.
  public init(name: String, rows: Int, oldest: String?, newest: String?) {
    self.name = name
    self.rows = rows
    self.oldest = oldest
    self.newest = newest
  }
}
