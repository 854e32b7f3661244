public import Foundation
import Presence

/// The content of a push notification to members of a group.
public struct News: Codable, Hashable, Sendable {
  /// The kind of event that a notification reports.
  public enum Kind: String, Codable, Sendable {
    /// A member sent a message.
    case message
    /// A member was the first member to arrive on a day.
    case firstArrival
  }

  /// The kind of event that the notification reports.
  public let kind: Kind
  /// The group's id and name.
  public let groupId, groupName: String
  /// The id and the name of the user who caused the event.
  ///
  /// The id and the name are nil if the account was deleted.
  public let userId, userName: String?
  /// The message's text, or nil for other events.
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

/// Reads the current contents of notifications.
public protocol NewsSource: Sendable {
  /// Returns the notification about a message.
  ///
  /// The result is nil if the message was deleted or is older than the `push_age` setting, or if
  /// the group has no other members.
  func news(ofMessage id: UUID) async throws -> News?

  /// Returns the notification about a first arrival.
  ///
  /// The result is nil in each of these cases:
  ///
  /// - The arrival date has ended.
  /// - The arrival is older than the `push_age` setting.
  /// - The user has left the group.
  /// - The group has no other members.
  func news(ofFirstArrival id: Int64) async throws -> News?
}

/// A push service, which sends notifications to users' phones.
public protocol Push: Sendable {
  /// Sends a notification to members.
  ///
  /// If two calls have the same idempotency key, the service sends only one notification.
  ///
  /// - Throws: An error if the service did not accept the notification. The call can be repeated
  ///   with the same idempotency key.
  func send(_ news: News, idempotencyKey: String) async throws
}
