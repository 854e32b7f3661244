public import Foundation
import Presence

/// A push notification to members of a group, as JSON.
public struct News: Codable, Hashable, Sendable {
  /// What happened.
  public enum Kind: String, Codable, Sendable {
    /// A new message.
    case message
    /// The first arrival on this date.
    case firstArrival
  }

  /// What happened.
  public let kind: Kind
  /// In which group.
  public let groupId, groupName: String
  /// Who did it; nil: the account is gone.
  public let userId, userName: String?
  /// The text of the message; nil for other kinds.
  public let text: String?
  /// The ids of the members who receive it.
  public let recipients: [String]

  /// News of a group.
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

/// The contents of notifications, as they are at this moment.
public protocol NewsSource: Sendable {
  /// The notification about a message; nil: it was deleted or is gone, or the group has no other member.
  func news(ofMessage id: UUID) async throws -> News?

  /// The notification about a first arrival; nil: its date is over, the user has left the group, or it has no other
  /// member.
  func news(ofFirstArrival id: Int64) async throws -> News?
}

/// The other side, which knows the phones of users.
public protocol Push: Sendable {
  /// Tells members something; the same key again is the same news.
  ///
  /// - Throws: where the other side did not take it; the same call can be made again.
  func send(_ news: News, idempotencyKey: String) async throws
}
