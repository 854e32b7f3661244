public import Foundation

/// The invite to a group.
///
/// A group has only one invite at a time.
public struct GroupInvite: Codable, Hashable, Sendable, Identifiable {
  /// The code that a user enters to join the group.
  public let code: InviteCode
  /// The id of the group.
  public let groupId: String
  /// The time when the invite expires.
  public let expiresAt: Date

  /// How long an invite is valid by default: 7 days.
  public static let lifetime = Duration.seconds(7 * 86_400)

  /// Creates an invite.
  public init(code: InviteCode, groupId: String, expiresAt: Date) {
    self.code = code
    self.groupId = groupId
    self.expiresAt = expiresAt
  }

  /// Decodes an invite.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    code = try fields.decode(InviteCode.self, forKey: .code)
    groupId = try fields.id(.groupId)
    expiresAt = try fields.decode(Date.self, forKey: .expiresAt)
  }

  /// The code's text, which identifies the invite.
  public var id: String { code.text }

  /// Returns whether the invite has expired at a given time.
  public func isExpired(at instant: Date) -> Bool { instant >= expiresAt }
}
