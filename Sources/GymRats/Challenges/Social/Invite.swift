public import Foundation

/// An invite to a group.
///
/// The server sends an invite only once, to the member who creates it.
public struct Invite: Codable, Hashable, Sendable, Identifiable {
  /// The id needed to revoke the invite.
  ///
  /// A user cannot join the group with the id alone.
  public let id: String
  /// The id of the group.
  public let groupId: String
  /// The secret code.
  ///
  /// The server stores only a hash of the code.
  public let code: InviteCode
  /// The time when the invite expires.
  public let expiresAt: Date

  /// Creates an invite.
  public init(id: String, groupId: String, code: InviteCode, expiresAt: Date) {
    self.id = id
    self.groupId = groupId
    self.code = code
    self.expiresAt = expiresAt
  }
}

/// An invite in a group's invite list, without the secret code.
public struct ListedInvite: Codable, Hashable, Sendable, Identifiable {
  /// The id needed to revoke the invite.
  public let id: String
  /// The id of the user who created the invite, or nil if the account was deleted.
  public let createdBy: String?
  /// The time when the invite was created.
  public let createdAt: Date
  /// The time when the invite expires.
  public let expiresAt: Date

  /// Creates a list entry for an existing invite of a group.
  public init(id: String, createdBy: String?, createdAt: Date, expiresAt: Date) {
    self.id = id
    self.createdBy = createdBy
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }
}

/// The code in an invite link: up to 64 letters, digits, `-` and `_`.
///
/// Links can come from other releases, so the type also accepts codes that this release does not
/// generate.
public struct InviteCode: Codable, Hashable, Sendable, LosslessStringConvertible {
  /// The code's text.
  public let text: String

  /// The maximum length of a code in bytes.
  public static let longest = 64

  /// Creates a code from a string, or returns nil if it cannot be a code.
  public init?(_ text: String) {
    guard 1...Self.longest ~= text.utf8.count, text.utf8.allSatisfy(Self.isAllowed) else {
      return nil
    }
    self.text = text
  }

  private init(digits: String) { text = digits }

  /// Returns a random code that cannot be guessed: 128 bits as 32 hexadecimal digits.
  public static func random() -> InviteCode {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  /// Returns a code from the given random number generator, for tests.
  public static func random(using generator: inout some RandomNumberGenerator) -> InviteCode {
    let digits = Array("0123456789abcdef".utf8)
    let text = (0..<32).map { _ in digits[Int.random(in: 0..<16, using: &generator)] }
    return InviteCode(digits: String(decoding: text, as: UTF8.self))
  }

  /// The code's text.
  public var description: String { text }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Decodes a code from a string.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let code = InviteCode(try value.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: value, debugDescription: "not an invite code")
    }
    self = code
  }

  /// Encodes the code as a string.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(text)
  }
}

/// The data that a user sees about a group before joining it.
public struct InvitePreview: Codable, Hashable, Sendable {
  /// The group's name.
  public let groupName: String
  /// The number of members in the group.
  public let memberCount: Int
  /// Whether the group is full, so no more users can join.
  public let isFull: Bool

  /// Creates a preview.
  public init(groupName: String, memberCount: Int, isFull: Bool) {
    self.groupName = groupName
    self.memberCount = memberCount
    self.isFull = isFull
  }
}
