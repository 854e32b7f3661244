public import Foundation

/// The invite into a group; a group has one at a time.
public struct GroupInvite: Codable, Hashable, Sendable, Identifiable {
  /// The code that a user types to join.
  public let code: InviteCode
  /// The id of the group.
  public let groupId: String
  /// From this instant on the invite is not valid.
  public let expiresAt: Date

  /// How long an invite is valid, unless its maker sets another time.
  public static let lifetime = Duration.seconds(7 * 86_400)

  /// An invite.
  public init(code: InviteCode, groupId: String, expiresAt: Date) {
    self.code = code
    self.groupId = groupId
    self.expiresAt = expiresAt
  }

  /// Reads an invite.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    code = try fields.decode(InviteCode.self, forKey: .code)
    groupId = try fields.id(.groupId)
    expiresAt = try fields.decode(Date.self, forKey: .expiresAt)
  }

  /// The code's.
  public var id: String { code.text }

  /// Whether the invite has expired.
  public func isExpired(at instant: Date) -> Bool { instant >= expiresAt }
}
