public import Foundation

/// The way into a group; there is one at a time.
public struct GroupInvite: Codable, Hashable, Sendable, Identifiable {
  /// What somebody types.
  public let code: InviteCode
  /// Into which group.
  public let groupId: String
  /// From when on it opens nothing.
  public let expiresAt: Date

  /// How long an invite opens something, unless its maker says otherwise.
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

  /// Whether it opens nothing any more.
  public func isExpired(at instant: Date) -> Bool { instant >= expiresAt }
}
