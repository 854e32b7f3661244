public import Foundation
import Presence

/// The content of a push notification to members of a group.
public struct News: Codable, Hashable, Sendable {
  /// The kind of event that a notification reports.
  public enum Kind: String, Codable, Sendable {
    /// A member sent a message.
    case message
    /// A member was the first to arrive on a date.
    case firstArrival
  }

  /// The kind of the event.
  public let kind: Kind
  /// The id and the name of the group.
  public let groupId, groupName: String
  /// The id and the name of the user who caused the event, or nil if the account was deleted.
  public let userId, userName: String?
  /// The text of the message, or nil for other events.
  public let text: String?
  /// The ids of the members who receive the notification.
  public let recipients: [String]

  /// Creates a notification for a group.
  public init(
    kind: Kind, groupId: String, groupName: String, userId: String?, userName: String?,
    text: String? = nil, recipients: [String]
  ) {
    self.kind = kind
    self.groupId = groupId
    self.groupName = groupName
    self.userId = userId
    self.userName = userName
    self.text = text
    self.recipients = recipients
  }
}

/// Reads the contents of notifications as they are at this moment.
public protocol NewsSource: Sendable {
  /// Returns the notification about a message.
  ///
  /// The result is nil if the message was deleted, if the message is older than the setting allows,
  /// or if the group has no other member.
  func news(ofMessage id: UUID) async throws -> News?

  /// Returns the notification about a first arrival.
  ///
  /// The result is nil if the date has ended, if the arrival is older than the setting allows, if
  /// the user has left the group or if the group has no other member.
  func news(ofFirstArrival id: Int64) async throws -> News?
}

/// The push service, which knows the phones of users.
public protocol Push: Sendable {
  /// Sends a notification to members.
  ///
  /// The service treats calls with the same key as one notification.
  ///
  /// - Throws: An error if the service did not accept the notification. The same call can be
  ///   repeated.
  func send(_ news: News, idempotencyKey: String) async throws
}
