public import BatonPostgres
import ChallengesSQL

/// The notifications that members can still see.
public struct NotificationList: Sendable {
  private let connection: Connection
  private let schema: Schema

  /// The notifications of a schema, on a connection that has no other use meanwhile.
  public init(_ connection: Connection, schema: Schema) {
    self.connection = connection
    self.schema = schema
  }

  /// Notifications, newest first.
  ///
  /// - Parameters:
  ///   - member: a user's id or a name; nil: all members.
  ///   - isUnreadOnly: whether read notifications are left out.
  /// - Throws: `PostgresError`.
  public func notifications(
    for member: String?, isUnreadOnly: Bool, limit: Int
  ) async throws(PostgresError) -> [ListedNotification] {
    let list = Call.rows(
      SQL.Notifications.listNotifications, member, isUnreadOnly, Int64(limit)
    ) { (row) throws(PostgresError) in
      let (json, name, at, isRead, message) = try row.decode(
        String.self, String.self, String.self, Bool.self, String.self)
      return ListedNotification(json: json, member: name, at: at, isRead: isRead, message: message)
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

/// One notification as a list shows it.
public struct ListedNotification: Sendable {
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
