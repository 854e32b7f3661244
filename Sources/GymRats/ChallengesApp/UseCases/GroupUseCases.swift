public import Challenges
public import Foundation

/// Creates a group for the signed-in user, who must not be in another group.
public struct CreateGroupUseCase: Sendable {
  private let authentication: any AuthenticationRepository
  private let groups: any GroupRepository

  /// Creates the use case with the repositories of one actor.
  public init(authentication: any AuthenticationRepository, groups: any GroupRepository) {
    self.authentication = authentication
    self.groups = groups
  }

  /// Creates the group.
  ///
  /// - Parameters:
  ///   - name: The group's name. Leading and trailing whitespace is removed.
  ///   - id: The group's id. A repeated call must pass the same id.
  public func execute(name: String, id: UUID = UUID()) async throws -> Group {
    guard let user = try await authentication.currentUser() else {
      throw DomainError.notAuthenticated
    }
    let id = id.uuidString.lowercased()
    // If the response to an earlier call was lost, the user is already in the group with this id.
    // For a repeated call, the server returns the existing group.
    guard user.currentGroupId == nil || user.currentGroupId == id else {
      throw DomainError.alreadyInGroup(groupId: user.currentGroupId)
    }
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard InputLimits.isGroupName(name) else { throw DomainError.invalidInput }
    return try await groups.createGroup(id: id, name: name, ownerId: user.id)
  }
}

/// Joins the group that an invite belongs to.
public struct JoinGroupUseCase: Sendable {
  private let authentication: any AuthenticationRepository
  private let invites: any InviteRepository

  /// Creates the use case with the repositories of one actor.
  public init(authentication: any AuthenticationRepository, invites: any InviteRepository) {
    self.authentication = authentication
    self.invites = invites
  }

  /// Joins the group.
  ///
  /// The app's data about the user's group may be outdated, so only the server checks whether the
  /// user may join.
  public func execute(code: InviteCode) async throws -> Group {
    guard try await authentication.currentUser() != nil else {
      throw DomainError.notAuthenticated
    }
    return try await invites.joinGroup(code)
  }
}

/// Removes the signed-in user from the current group.
public struct LeaveGroupUseCase: Sendable {
  private let authentication: any AuthenticationRepository
  private let groups: any GroupRepository

  /// Creates the use case with the repositories of one actor.
  public init(authentication: any AuthenticationRepository, groups: any GroupRepository) {
    self.authentication = authentication
    self.groups = groups
  }

  /// Leaves the group.
  public func execute() async throws {
    guard let user = try await authentication.currentUser() else {
      throw DomainError.notAuthenticated
    }
    guard let groupId = user.currentGroupId else { throw DomainError.notAMember }
    try await groups.leaveGroup(groupId: groupId, userId: user.id)
  }
}

/// Creates an invite link that the user can share.
public struct GenerateInviteLinkUseCase: Sendable {
  /// An invite and its link.
  public struct InviteLink: Hashable, Sendable {
    /// The invite with its expiry time and the id needed to revoke it.
    public let invite: Invite
    /// The link to share.
    public let link: DeepLink
  }

  private let authentication: any AuthenticationRepository
  private let invites: any InviteRepository

  /// Creates the use case with the repositories of one actor.
  public init(authentication: any AuthenticationRepository, invites: any InviteRepository) {
    self.authentication = authentication
    self.invites = invites
  }

  /// Creates a link to the signed-in user's group.
  ///
  /// - Parameter code: The invite's code. A repeated call must pass the same code.
  public func execute(code: InviteCode = .random()) async throws -> InviteLink {
    guard let user = try await authentication.currentUser() else {
      throw DomainError.notAuthenticated
    }
    guard let groupId = user.currentGroupId else { throw DomainError.notAMember }
    let invite = try await invites.createInvite(groupId: groupId, code: code)
    return InviteLink(invite: invite, link: DeepLink(to: .groupInvite(invite.code)))
  }
}

/// Checks strings in the app against the server's limits.
///
/// The server also checks the strings of every call.
public enum InputLimits {
  /// Returns whether a string can be a group's name.
  ///
  /// A group's name is one line of 1 to 100 characters, at least one of which is not whitespace.
  public static func isGroupName(_ text: String) -> Bool {
    text.unicodeScalars.count <= 100 && isOneLine(text) && text.contains { !$0.isWhitespace }
  }

  /// Returns whether a string can be a user's name.
  ///
  /// A user's name is one line of 1 to 256 bytes that contains at least one character other than
  /// whitespace.
  public static func isDisplayName(_ text: String) -> Bool {
    isIdentifier(text) && text.contains { !$0.isWhitespace }
  }

  /// Returns whether a string can be an id.
  ///
  /// An id must be 1 to 256 bytes long and contain no control characters.
  public static func isIdentifier(_ text: String) -> Bool {
    1...256 ~= text.utf8.count && isOneLine(text)
  }

  private static func isOneLine(_ text: String) -> Bool {
    !text.utf8.contains { $0 < 0x20 || $0 == 0x7f }
  }
}
