public import BatonPostgres
public import Foundation
import Presence
import PresenceSQL
public import PresenceServer

/// Reads the contents of notifications from PostgreSQL, and counts notifications that are too old
/// to be sent.
public struct PostgresNews: NewsSource {
  /// A function that reads data in a separate transaction.
  public typealias Reader =
    @Sendable (
      _ read: @escaping @Sendable (Transaction) async throws -> News?
    ) async throws -> News?

  private let reader: Reader

  /// Creates a source that uses the given function to read data.
  public init(_ reader: @escaping Reader) { self.reader = reader }

  /// Returns the notification about a message.
  ///
  /// - Throws: `PostgresError`.
  public func news(ofMessage id: UUID) async throws -> News? {
    try await reader { transaction in
      let list = Call.rows(SQL.Push.listMessageReaders, id) { (row) throws(PostgresError) in
        let (group, name, user, userName, text, reader) = try row.decode(
          String.self, String.self, String?.self, String?.self, String.self, String.self)
        return News(
          kind: .message, groupId: group, groupName: name, userId: user, userName: userName,
          text: text, recipients: [reader])
      }
      let (rows, _) = try await transaction.run(list, .count(SQL.Push.countLateMessage, id))
      return Self.united(rows)
    }
  }

  /// Returns the notification about a first arrival.
  ///
  /// - Throws: `PostgresError`.
  public func news(ofFirstArrival id: Int64) async throws -> News? {
    try await reader { transaction in
      let list = Call.rows(SQL.Push.listArrivalReaders, id) { (row) throws(PostgresError) in
        let (group, name, user, userName, reader) = try row.decode(
          String.self, String.self, String.self, String.self, String.self)
        return News(
          kind: .firstArrival, groupId: group, groupName: name, userId: user, userName: userName,
          recipients: [reader])
      }
      let (rows, _) = try await transaction.run(list, .count(SQL.Push.countLateArrival, id))
      return Self.united(rows)
    }
  }

  /// Combines the rows of all recipients into one notification, or returns nil for an empty list of
  /// rows.
  private static func united(_ rows: [News]) -> News? {
    rows.first.map {
      News(
        kind: $0.kind, groupId: $0.groupId, groupName: $0.groupName, userId: $0.userId,
        userName: $0.userName, text: $0.text, recipients: rows.flatMap(\.recipients))
    }
  }
}
