import Presence

/// Deletes expired records.
///
/// Each call deletes a limited number of rows. The caller repeats the call until nothing is left.
public protocol ExpiredRecords: Sendable {
  /// Deletes invites that ended before the retention time.
  ///
  /// - Returns: The number of deleted invites.
  func purgeInvites(limit: Int) async throws -> Int

  /// Deletes sessions of devices that ended before the retention time.
  ///
  /// - Returns: The number of deleted sessions.
  func purgeSessions(limit: Int) async throws -> Int

  /// Returns the weeks in which every message has expired, oldest first.
  func oldWeeks() async throws -> [MessageWeek]

  /// Deletes all messages of one week.
  ///
  /// - Returns: False if a message of the week has not expired, or nil if the week's partition is
  ///   in use.
  func empty(_ week: MessageWeek) async throws -> Bool?

  /// Deletes responses to commands that are too old to be repeated.
  ///
  /// - Returns: The number of deleted responses.
  func purgeCommands(limit: Int) async throws -> Int

  /// Returns the number of rows that are expired at this moment, for each table.
  func rows() async throws -> [ExpiredTable]
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
