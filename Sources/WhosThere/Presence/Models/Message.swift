public import Foundation
import ProductKit

/// A message from a user to a group.
public struct Message: Codable, Hashable, Sendable, Identifiable {
  /// The message's id, which the phone chooses.
  ///
  /// If a message is sent again with the same id, it is stored only once.
  public let id: UUID
  /// The id of the group.
  public let groupId: String
  /// The id of the author, or nil if the account was deleted.
  public let userId: String?
  /// The text, or an empty string if the message was deleted.
  public let text: String
  /// The time when the server accepted the message.
  public let sentAt: Date
  /// Whether the message was deleted.
  public let isDeleted: Bool

  /// The maximum number of characters in a message.
  ///
  /// A character is a Unicode scalar, as in the database, so some emoji count as several
  /// characters.
  public static let longest = 1_000

  /// Creates a message.
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

  /// Decodes a message.
  ///
  /// - Throws: `DecodingError` if the text is empty and the message is not deleted.
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

  /// Returns whether a user is the author.
  public func isOwn(_ viewer: String) -> Bool { userId?.hasSameBytes(as: viewer) == true }
}

extension Message {
  /// Returns whether the message comes after another message in a history.
  ///
  /// A history is sorted by time and id, newest first.
  public func isOlder(than other: Message) -> Bool {
    guard sentAt == other.sentAt else { return sentAt < other.sentAt }
    // The lowercase texts of the ids have the same order as the ids in the database.
    return id.uuidString.lowercased() < other.id.uuidString.lowercased()
  }

  /// Returns the message as a viewer sees it.
  ///
  /// A message whose author is blocked looks like a deleted message.
  ///
  /// - Parameter blocked: The ids of the users whom the viewer has blocked.
  package func seen(blocking blocked: [String]) -> Message {
    guard let userId, blocked.contains(where: { $0.hasSameBytes(as: userId) }) else { return self }
    return Message(
      id: id, groupId: groupId, userId: userId, text: "", sentAt: sentAt, isDeleted: true)
  }

  /// Merges two parts of a history, in which the newest message is first.
  ///
  /// If a message is deleted in one of the parts, it is deleted in the result.
  public static func merged(_ one: [Message], _ other: [Message]) -> [Message] {
    let unique = Dictionary((one + other).map { ($0.id, $0) }) { $0.isDeleted ? $0 : $1 }
    return unique.values.sorted { $1.isOlder(than: $0) }
  }
}
