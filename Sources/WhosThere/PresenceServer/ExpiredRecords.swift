import Presence

/// Removes expired records: each call removes a bounded number of things and is repeated until it finds none.
public protocol ExpiredRecords: Sendable {
  /// Removes invites that ended long ago.
  ///
  /// - Returns: how many.
  func purgeInvites(limit: Int) async throws -> Int

  /// Removes sessions of devices that ended long ago.
  ///
  /// - Returns: how many.
  func purgeSessions(limit: Int) async throws -> Int

  /// Weeks of messages that hold nothing younger than is kept, oldest first.
  func oldWeeks() async throws -> [MessageWeek]

  /// Empties one week of messages; false where something in it is young, nil where it is in use.
  func empty(_ week: MessageWeek) async throws -> Bool?

  /// Removes answers to commands that are too old to be asked for again.
  ///
  /// - Returns: how many.
  func purgeCommands(limit: Int) async throws -> Int

  /// What would go, table by table, at this moment.
  func rows() async throws -> [ExpiredTable]
}

/// One week of messages, which goes as a whole.
public struct MessageWeek: Sendable, Hashable {
  /// The partition's name.
  public let partition: String
  /// Microseconds since 1970-01-01 00:00 UTC: what is younger is kept.
  public let cutoff: Int64

  /// A week and its cutoff.
  public init(partition: String, cutoff: Int64) {
    self.partition = partition
    self.cutoff = cutoff
  }
}

/// What would go of one table.
public struct ExpiredTable: Hashable, Sendable {
  /// The table.
  public let name: String
  /// How many rows.
  public let rows: Int
  /// When the first and the last of them ended, ISO 8601 in UTC.
  public let oldest, newest: String?

  /// Rows of a table.
  public init(name: String, rows: Int, oldest: String?, newest: String?) {
    self.name = name
    self.rows = rows
    self.oldest = oldest
    self.newest = newest
  }
}
