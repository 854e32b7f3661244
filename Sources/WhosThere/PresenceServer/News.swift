public import Foundation
import Presence

/// What members of a group are told on their phones, as JSON.
public struct News: Codable, Hashable, Sendable {
  /// What happened.
  public enum Kind: String, Codable, Sendable {
    /// Somebody wrote.
    case message
    /// Somebody is the first one there on this date.
    case firstArrival
  }

  /// What happened.
  public let kind: Kind
  /// In which group.
  public let groupId, groupName: String
  /// Who did it; nil: the account is gone.
  public let userId, userName: String?
  /// What was written; nil of what is no message.
  public let text: String?
  /// Who is to be told.
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

/// What there is to be told at this moment.
public protocol NewsSource: Sendable {
  /// What is told of a message; nil: it was deleted or is gone, or nobody else is in the group.
  func news(ofMessage id: UUID) async throws -> News?

  /// What is told of a first arrival; nil: its date is over, whoever came has left the group, or nobody else is in it.
  func news(ofFirstArrival id: Int64) async throws -> News?
}

/// The other side, which knows the phones of users.
public protocol Push: Sendable {
  /// Tells members something; the same key again is the same news.
  ///
  /// - Throws: where the other side did not take it; the same call can be made again.
  func send(_ news: News, idempotencyKey: String) async throws
}
