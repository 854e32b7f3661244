public import Foundation

/// A notification to one member about the member's group.
public struct GroupNotification: Codable, Hashable, Sendable, Identifiable {
  /// The notification's id.
  public let id: String
  /// The id of the recipient.
  public let userId: String
  /// The id of the group that the notification is about.
  public let groupId: String
  /// The event that the notification reports.
  public var type: NotificationType
  /// The notification's English text, for clients that do not have a text for the type.
  public var message: String
  /// Whether the recipient has read the notification.
  public var isRead: Bool
  /// The time of the event.
  public let createdAt: Date
  /// The time when the notification expires.
  ///
  /// An expired notification is hidden, even if it is unread.
  public let expiresAt: Date

  /// How long a notification is visible: 7 days, in seconds.
  public static let lifetime: TimeInterval = 7 * 86_400

  /// Creates a notification that expires after 7 days, unless `expiresAt` is given.
  public init(
    id: String, userId: String, groupId: String, type: NotificationType, message: String,
    isRead: Bool, createdAt: Date, expiresAt: Date? = nil
  ) {
    self.id = id
    self.userId = userId
    self.groupId = groupId
    self.type = type
    self.message = message
    self.isRead = isRead
    self.createdAt = createdAt
    self.expiresAt = expiresAt ?? createdAt.addingTimeInterval(Self.lifetime)
  }

  /// Decodes a notification.
  ///
  /// Older servers omit `expiresAt`.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try fields.decode(String.self, forKey: .id),
      userId: try fields.decode(String.self, forKey: .userId),
      groupId: try fields.decode(String.self, forKey: .groupId),
      type: try fields.decode(NotificationType.self, forKey: .type),
      message: try fields.decode(String.self, forKey: .message),
      isRead: try fields.decode(Bool.self, forKey: .isRead),
      createdAt: try fields.decode(Date.self, forKey: .createdAt),
      expiresAt: try fields.decodeIfPresent(Date.self, forKey: .expiresAt))
  }

  /// Returns whether the notification is visible at a given time.
  ///
  /// An app should call this method before it shows a stored notification.
  public func isVisible(at instant: Date) -> Bool { instant < expiresAt }
}

/// The kind of event that a notification reports.
public enum NotificationType: String, CaseIterable, Codable, Hashable, Sendable {
  /// A new member joined.
  case newMember = "new_member"
  /// The recipient's own rank changed.
  case rankChange = "rank_change"
  /// A week ended, and the message lists the winners.
  case weekEnded = "week_ended"
}
