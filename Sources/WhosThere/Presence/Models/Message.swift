public import Foundation

/// A message of a user to a group.
public struct Message: Codable, Hashable, Sendable, Identifiable {
  /// Made by the phone: the same id is one message, however often it is sent.
  public let id: UUID
  /// To which group.
  public let groupId: String
  /// The id of its author; nil: the account is gone.
  public let userId: String?
  /// The text; empty if the message was deleted.
  public let text: String
  /// When the server accepted it.
  public let sentAt: Date
  /// Whether it was taken back.
  public let isDeleted: Bool

  /// The most characters, counted as the database counts them: Unicode scalars, so that some emoji are several.
  public static let longest = 1_000

  /// A message.
  public init(
    id: UUID, groupId: String, userId: String?, text: String, sentAt: Date, isDeleted: Bool = false
  ) {
    self.id = id
    self.groupId = groupId
    self.userId = userId
    self.text = text
    self.sentAt = sentAt
    self.isDeleted = isDeleted
  }

  /// Reads a message, which says something unless it was deleted.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    id = try fields.decode(UUID.self, forKey: .id)
    groupId = try fields.id(.groupId)
    userId = try fields.idIfPresent(.userId)
    text = try fields.decode(String.self, forKey: .text)
    sentAt = try fields.decode(Date.self, forKey: .sentAt)
    isDeleted = try fields.decode(Bool.self, forKey: .isDeleted)
    try fields.require(
      text.unicodeScalars.count <= Self.longest && text.isEmpty == isDeleted, .text,
      "a message has from 1 to 1,000 characters, one that was deleted none")
  }

  /// Whether a user wrote it.
  public func isOwn(_ viewer: String) -> Bool { userId == viewer }
}

extension Message {
  /// Whether it comes after another one in a history, newest first: by time, then by id.
  public func isOlder(than other: Message) -> Bool {
    guard sentAt == other.sentAt else { return sentAt < other.sentAt }
    // Lower case, whose order is that of the bytes, which is the database's.
    return id.uuidString.lowercased() < other.id.uuidString.lowercased()
  }

  /// Two parts of a history as one, newest first; of a message that both have, a deletion counts.
  public static func merged(_ one: [Message], _ other: [Message]) -> [Message] {
    let unique = Dictionary((one + other).map { ($0.id, $0) }) { $0.isDeleted ? $0 : $1 }
    return unique.values.sorted { $1.isOlder(than: $0) }
  }
}
