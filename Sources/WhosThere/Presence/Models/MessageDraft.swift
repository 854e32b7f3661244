public import Foundation

/// A message that is being written.
public struct MessageDraft: Hashable, Sendable, Identifiable {
  /// The message's id: sent twice, it is one message.
  public let id: UUID
  /// To which group.
  public let groupId: String
  /// What was typed.
  public var text: String

  /// A draft.
  public init(id: UUID = UUID(), groupId: String, text: String = "") {
    self.id = id
    self.groupId = groupId
    self.text = text
  }

  /// What would be sent: without blanks and line ends around it.
  public var trimmed: String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }

  /// How many characters are left; below 0: how many are too many.
  public var remaining: Int { Message.longest - trimmed.unicodeScalars.count }

  /// Whether a button to send it should do something.
  public var canBeSent: Bool { (try? checked()) != nil }

  /// The draft as it is sent.
  ///
  /// - Throws: `messageEmpty`, `messageTooLong`, or `invalidInput` for a character that no database keeps.
  public func checked() throws(AppError) -> MessageDraft {
    let trimmed = trimmed
    guard !trimmed.isEmpty else { throw .messageEmpty }
    guard trimmed.unicodeScalars.count <= Message.longest else { throw .messageTooLong }
    guard !trimmed.unicodeScalars.contains("\u{0}") else {
      throw .invalidInput("a message has no character 0")
    }
    return MessageDraft(id: id, groupId: groupId, text: trimmed)
  }

  /// The draft as it is sent, paid with a token; an invalid draft costs none.
  public func checked(
    at now: Date, limiter: inout RateLimiter
  ) throws(AppError) -> MessageDraft {
    let checked = try checked()
    try limiter.take(at: now)
    return checked
  }
}
