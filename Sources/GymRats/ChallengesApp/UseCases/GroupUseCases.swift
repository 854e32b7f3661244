public import Challenges
public import Foundation

/// Makes a group for the signed-in user, who must not be in another one.
public struct CreateGroupUseCase: Sendable {
  private let authentication: any AuthenticationRepository
  private let groups: any GroupRepository

  /// Over repositories of one actor.
  public init(authentication: any AuthenticationRepository, groups: any GroupRepository) {
    self.authentication = authentication
    self.groups = groups
  }

  /// Makes the group.
  ///
  /// - Parameters:
  ///   - name: without the blanks around it.
  ///   - id: the same one when the call is repeated.
  public func execute(name: String, id: UUID = UUID()) async throws -> Group {
    guard let user = try await authentication.currentUser() else {
      throw DomainError.notAuthenticated
    }
    let id = id.uuidString.lowercased()
    // The answer to a first call may have been lost: then the user is in this very group, and the server
    // repeats it.
    guard user.currentGroupId == nil || user.currentGroupId == id else {
      throw DomainError.alreadyInGroup(groupId: user.currentGroupId)
    }
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard InputLimits.isGroupName(name) else { throw DomainError.invalidInput }
    return try await groups.createGroup(id: id, name: name, ownerId: user.id)
  }
}

/// Joins the group that an invite leads into.
public struct JoinGroupUseCase: Sendable {
  private let authentication: any AuthenticationRepository
  private let invites: any InviteRepository

  /// Over repositories of one actor.
  public init(authentication: any AuthenticationRepository, invites: any InviteRepository) {
    self.authentication = authentication
    self.invites = invites
  }

  /// Joins.
  ///
  /// The phone's data about the user's group may be old, so the server decides whether the user may join.
  public func execute(code: InviteCode) async throws -> Group {
    guard try await authentication.currentUser() != nil else {
      throw DomainError.notAuthenticated
    }
    return try await invites.joinGroup(code)
  }
}

/// Leaves the signed-in user's group.
public struct LeaveGroupUseCase: Sendable {
  private let authentication: any AuthenticationRepository
  private let groups: any GroupRepository

  /// Over repositories of one actor.
  public init(authentication: any AuthenticationRepository, groups: any GroupRepository) {
    self.authentication = authentication
    self.groups = groups
  }

  /// Leaves.
  public func execute() async throws {
    guard let user = try await authentication.currentUser() else {
      throw DomainError.notAuthenticated
    }
    guard let groupId = user.currentGroupId else { throw DomainError.notAMember }
    try await groups.leaveGroup(groupId: groupId, userId: user.id)
  }
}

/// Makes a link to share.
public struct GenerateInviteLinkUseCase: Sendable {
  /// A link and what is known of it.
  public struct InviteLink: Hashable, Sendable {
    /// The invite: the id to revoke it, and when it expires.
    public let invite: Invite
    /// The link.
    public let link: DeepLink
  }

  private let authentication: any AuthenticationRepository
  private let invites: any InviteRepository

  /// Over repositories of one actor.
  public init(authentication: any AuthenticationRepository, invites: any InviteRepository) {
    self.authentication = authentication
    self.invites = invites
  }

  /// Makes a link into the signed-in user's group.
  ///
  /// - Parameter code: the code of the invite; a repeated call passes the same one.
  public func execute(code: InviteCode = .random()) async throws -> InviteLink {
    guard let user = try await authentication.currentUser() else {
      throw DomainError.notAuthenticated
    }
    guard let groupId = user.currentGroupId else { throw DomainError.notAMember }
    let invite = try await invites.createInvite(groupId: groupId, code: code)
    return InviteLink(invite: invite, link: DeepLink(to: .groupInvite(invite.code)))
  }
}

/// What texts may be; the server has the same limits and the last word.
public enum InputLimits {
  /// Whether a text can be the name of a group: 1 to 100 characters on one line, not all of them blank.
  public static func isGroupName(_ text: String) -> Bool {
    text.unicodeScalars.count <= 100 && isOneLine(text) && text.contains { !$0.isWhitespace }
  }

  /// Whether a text can be the name of a user: 1 to 256 bytes on one line, not all of them blank.
  public static func isDisplayName(_ text: String) -> Bool {
    isIdentifier(text) && text.contains { !$0.isWhitespace }
  }

  /// Whether a text can be an id: 1 to 256 bytes without control characters.
  public static func isIdentifier(_ text: String) -> Bool {
    1...256 ~= text.utf8.count && isOneLine(text)
  }

  private static func isOneLine(_ text: String) -> Bool {
    !text.utf8.contains { $0 < 0x20 || $0 == 0x7f }
  }
}
