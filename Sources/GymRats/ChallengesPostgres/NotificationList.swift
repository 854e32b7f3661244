public import BatonPostgres
import ChallengesSQL

/// Reads the notifications that members can still see.
public struct NotificationList: Sendable {
  private let connection: Connection
  private let schema: Schema

  /// Creates a reader of a schema's notifications.
  ///
  /// While the reader is in use, no other task may use the connection.
  public init(_ connection: Connection, schema: Schema) {
    self.connection = connection
    self.schema = schema
  }

  /// Returns notifications, newest first.
  ///
  /// - Parameters:
  ///   - member: The id or the name of a user, or nil for all members.
  ///   - isUnreadOnly: Whether to return only unread notifications.
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

  /// Returns whether a user with the given id or name exists.
  ///
  /// - Throws: `PostgresError`.
  public func isKnown(_ member: String) async throws(PostgresError) -> Bool {
    let look = Call.row(SQL.Notifications.isMember, member) { (row) throws(PostgresError) in
      try row.decode(Bool.self)
    }
    return try await connection.atomically(in: schema, look)
  }
}

/// A notification in an operator's list.
public struct ListedNotification: Sendable {
  /// The complete notification as JSON.
  public let json: String
  /// The recipient's name.
  public let member: String
  /// The time when the notification was created, in UTC.
  public let at: String
  /// Whether the recipient has read the notification.
  public let isRead: Bool
  /// The notification's English text for display.
  public let message: String
}
