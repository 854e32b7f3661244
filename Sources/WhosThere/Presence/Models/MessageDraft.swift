public import Foundation

/// A message that the user is writing.
public struct MessageDraft: Hashable, Sendable, Identifiable {
  /// The id of the message.
  ///
  /// If a draft is sent twice with the same id, only one message is stored.
  public let id: UUID
  /// The id of the group.
  public let groupId: String
  /// The text that the user has typed.
  public var text: String

  /// Creates a draft.
  public init(id: UUID = UUID(), groupId: String, text: String = "") {
    self.id = id
    self.groupId = groupId
    self.text = text
  }

  /// The text that is sent, which has no leading or trailing whitespace.
  public var trimmed: String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }

  /// The number of characters that the user can still add, or a negative number if the text is too
  /// long.
  public var remaining: Int { Message.longest - trimmed.unicodeScalars.count }

  /// Whether the draft can be sent.
  ///
  /// A view enables the send button if the value is true.
  public var canBeSent: Bool { (try? checked()) != nil }

  /// Returns the draft without leading and trailing whitespace, if it can be sent.
  ///
  /// - Throws: `messageEmpty`, `messageTooLong`, or `invalidInput` if the database cannot store a
  ///   character in the text.
  public func checked() throws(AppError) -> MessageDraft {
    let trimmed = trimmed
    guard !trimmed.isEmpty else { throw .messageEmpty }
    guard trimmed.unicodeScalars.count <= Message.longest else { throw .messageTooLong }
    guard !trimmed.unicodeScalars.contains("\u{0}") else {
      throw .invalidInput("a message has no character 0")
    }
    return MessageDraft(id: id, groupId: groupId, text: trimmed)
  }

  /// Returns the draft without leading and trailing whitespace, and takes a token from the rate
  /// limiter.
  ///
  /// If the draft is invalid, no token is taken from the rate limiter.
  public func checked(
    at now: Date, limiter: inout RateLimiter
  ) throws(AppError) -> MessageDraft {
    let checked = try checked()
    try limiter.take(at: now)
    return checked
  }
}
