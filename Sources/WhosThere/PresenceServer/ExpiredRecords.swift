import Presence

/// Deletes expired records.
///
/// Each call deletes a limited number of rows. The caller repeats the call until nothing is left.
public protocol ExpiredRecords: Sendable {
  /// Deletes expired rows of one kind, oldest first.
  ///
  /// - Parameter from: The instant at which the search begins, in microseconds since 1970-01-01
  ///   00:00 UTC, or nil to begin at the oldest row.
  /// - Returns: The number of deleted rows, and the instant of the last row that was read.
  func purge(
    _ kind: ExpiredKind, limit: Int, from: Int64?
  ) async throws -> (deleted: Int, reached: Int64?)

  /// Returns the weeks in which every message has expired, oldest first.
  func oldWeeks() async throws -> [MessageWeek]

  /// Deletes all messages of one week.
  ///
  /// - Returns: False if a message of the week has not expired, or nil if the week's partition is
  ///   in use.
  func empty(_ week: MessageWeek) async throws -> Bool?

  /// Returns anonymous users without any activity for longer than the retention time, after it has
  /// stored the activity of users who are not idle.
  ///
  /// - Returns: The ids of idle users, and the number of users whose activity was stored.
  func idleUsers(limit: Int) async throws -> (idle: [String], active: Int)

  /// Deletes the account of an anonymous user.
  ///
  /// - Returns: False if the user was active in the meantime.
  func forget(_ user: String) async throws -> Bool

  /// Returns the number of rows that are expired at this moment, for each table.
  func rows() async throws -> [ExpiredTable]
}

/// The kinds of rows that are deleted one by one, in the order of their deletion.
///
/// Groups are last, because a group is deleted after all rows that refer to it.
public enum ExpiredKind: String, CaseIterable, Sendable {
  case invites
  case sessions
  case commands
  case visits
  case firstArrivals = "first arrivals"
  case streaks
  case memberships
  case groups
}

/// One week of messages, which are deleted together.
public struct MessageWeek: Sendable, Hashable {
  /// The name of the week's partition.
  public let partition: String
  /// The instant before which messages are expired, in microseconds since 1970-01-01 00:00 UTC.
  public let cutoff: Int64

  /// Creates a week from its partition and its cutoff.
  public init(partition: String, cutoff: Int64) {
    self.partition = partition
    self.cutoff = cutoff
  }
}

/// The expired rows of one table.
public struct ExpiredTable: Hashable, Sendable {
  /// The name of the table.
  public let name: String
  /// The number of expired rows.
  public let rows: Int
  /// The instants at which the first and the last expired row ended, in ISO 8601 and UTC.
  public let oldest, newest: String?

  /// Creates the expired rows of one table.
  public init(name: String, rows: Int, oldest: String?, newest: String?) {
    self.name = name
    self.rows = rows
    self.oldest = oldest
    self.newest = newest
  }
}
