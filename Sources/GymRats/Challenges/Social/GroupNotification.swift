public import Foundation

/// A notification to one member about their group.
public struct GroupNotification: Codable, Hashable, Sendable, Identifiable {
  /// Its own id.
  public let id: String
  /// The id of the user who receives it.
  public let userId: String
  /// The id of the group that it is about.
  public let groupId: String
  /// What has happened.
  public var type: NotificationType
  /// The same in English, for clients that have no text of their own for the type.
  public var message: String
  /// Whether the member has seen it.
  public var isRead: Bool
  /// When it happened.
  public let createdAt: Date
  /// From this instant on it is not shown, read or not.
  public let expiresAt: Date

  /// How long a notification is shown.
  public static let lifetime: TimeInterval = 7 * 86_400

  /// A notification; without `expiresAt` it expires 7 days after it was made.
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

  /// Reads a notification; older servers leave `expiresAt` out.
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

  /// Whether it is shown at an instant; apps use this for stored lists too.
  public func isVisible(at instant: Date) -> Bool { instant < expiresAt }
}

/// What a notification is about.
public enum NotificationType: String, CaseIterable, Codable, Hashable, Sendable {
  /// A new member joined.
  case newMember = "new_member"
  /// The recipient's own rank moved.
  case rankChange = "rank_change"
  /// A week is over, with its winners.
  case weekEnded = "week_ended"
}
