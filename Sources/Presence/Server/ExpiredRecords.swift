/// What is no longer kept: each call removes a bounded number of things and is repeated until it finds none.
public protocol ExpiredRecords: Sendable {
  /// Removes invites that ended long ago.
  ///
  /// - Returns: how many.
  func purgeInvites(limit: Int) async throws -> Int

  /// Removes sessions of devices that ended long ago.
  ///
  /// - Returns: how many.
  func purgeSessions(limit: Int) async throws -> Int

  /// Removes answers to commands that are too old to be asked for again.
  ///
  /// - Returns: how many.
  func purgeCommands(limit: Int) async throws -> Int

  /// What would go, table by table, at this moment.
  func rows() async throws -> [ExpiredTable]
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
