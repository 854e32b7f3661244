import ChallengesSQL
public import Postgres

/// What members were told and may still see.
public struct NotificationList: Sendable {
  private let connection: Connection
  private let schema: Schema

  /// The notices of a schema, on a connection that nobody else uses meanwhile.
  public init(_ connection: Connection, schema: Schema) {
    self.connection = connection
    self.schema = schema
  }

  /// Notices, newest first.
  ///
  /// - Parameters:
  ///   - member: a user's id or a name; nil: everybody.
  ///   - isUnreadOnly: without those that were read.
  /// - Throws: `PostgresError`.
  public func notices(
    for member: String?, isUnreadOnly: Bool, limit: Int
  ) async throws(PostgresError) -> [ListedNotice] {
    let list = Call.rows(
      SQL.Notifications.listNotifications, member, isUnreadOnly, Int64(limit)
    ) { (row) throws(PostgresError) in
      let (json, name, at, isRead, message) = try row.decode(
        String.self, String.self, String.self, Bool.self, String.self)
      return ListedNotice(json: json, member: name, at: at, isRead: isRead, message: message)
    }
    return try await connection.atomically(in: schema, list)
  }

  /// Whether there is a user with that id or name.
  ///
  /// - Throws: `PostgresError`.
  public func isKnown(_ member: String) async throws(PostgresError) -> Bool {
    let look = Call.row(SQL.Notifications.isMember, member) { (row) throws(PostgresError) in
      try row.decode(Bool.self)
    }
    return try await connection.atomically(in: schema, look)
  }
}

/// One notice as a list shows it.
public struct ListedNotice: Sendable {
  /// All of it.
  public let json: String
  /// The recipient's name.
  public let member: String
  /// When it was written, in UTC.
  public let at: String
  /// Whether the recipient has read it.
  public let isRead: Bool
  /// English, for people.
  public let message: String
}
