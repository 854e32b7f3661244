public import Foundation

/// An invite into a group; the member who makes it receives it once.
public struct Invite: Codable, Hashable, Sendable, Identifiable {
  /// The id by which the invite is revoked; the id alone does not let anyone join.
  public let id: String
  /// The id of the group.
  public let groupId: String
  /// The secret; the server stores only its hash.
  public let code: InviteCode
  /// From this instant on the invite is not valid.
  public let expiresAt: Date

  /// An invite.
  public init(id: String, groupId: String, code: InviteCode, expiresAt: Date) {
    self.id = id
    self.groupId = groupId
    self.code = code
    self.expiresAt = expiresAt
  }
}

/// What a link into a group carries: letters, digits, `-` and `_`, 64 at most.
///
/// Not a pattern that only today's secrets have, so that a link of another release still opens.
public struct InviteCode: Codable, Hashable, Sendable, LosslessStringConvertible {
  /// The text.
  public let text: String

  /// The longest code, in bytes.
  public static let longest = 64

  /// A code from its text; nil where it cannot be one.
  public init?(_ text: String) {
    guard 1...Self.longest ~= text.utf8.count, text.utf8.allSatisfy(Self.isAllowed) else {
      return nil
    }
    self.text = text
  }

  private init(digits: String) { text = digits }

  /// A code of 128 random bits, as 32 hexadecimal digits; it cannot be guessed.
  public static func random() -> InviteCode {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  /// The same from a source of numbers, for tests.
  public static func random(using generator: inout some RandomNumberGenerator) -> InviteCode {
    let digits = Array("0123456789abcdef".utf8)
    let text = (0..<32).map { _ in digits[Int.random(in: 0..<16, using: &generator)] }
    return InviteCode(digits: String(decoding: text, as: UTF8.self))
  }

  /// The text.
  public var description: String { text }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Reads a text that can be a code.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let code = InviteCode(try value.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: value, debugDescription: "not an invite code")
    }
    self = code
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(text)
  }
}

/// All that a user sees of a group before joining it.
public struct InvitePreview: Codable, Hashable, Sendable {
  /// The group's name.
  public let groupName: String
  /// How many are in it.
  public let memberCount: Int
  /// Whether the group is full, so that no other user can join.
  public let isFull: Bool

  /// What is shown.
  public init(groupName: String, memberCount: Int, isFull: Bool) {
    self.groupName = groupName
    self.memberCount = memberCount
    self.isFull = isFull
  }
}
