public import Foundation

// AccountRepositories.swift describes the rules of all repositories.

/// Reads and changes groups and their members.
public protocol GroupRepository: Sendable {
  /// Creates a group with its first member, who is an admin.
  ///
  /// A repeated call returns the same group.
  func createGroup(id: String, name: String, ownerId: String) async throws -> Group

  /// Changes the name of a group.
  ///
  /// Only admins may call this method. If the group has a new name, a repeated call to
  /// ``createGroup(id:name:ownerId:)`` with the old name throws `conflictingRepeat`.
  ///
  /// - Throws: `invalidInput` if the name is empty or longer than 100 characters.
  func updateGroup(_ groupId: String, name: String) async throws -> Group

  /// Returns a group that the actor is in, or nil for any other group.
  func getGroup(_ groupId: String) async throws -> Group?

  /// Removes another member from the group.
  ///
  /// Only admins may call this method.
  func removeMember(groupId: String, userId: String) async throws

  /// Removes the actor from the group.
  ///
  /// If the actor was the only admin, the member who joined first becomes an admin.
  func leaveGroup(groupId: String, userId: String) async throws

  /// Deletes the group for all of its members.
  ///
  /// Only admins may call this method.
  func deleteGroup(_ groupId: String) async throws

  /// Returns the members in the order in which they joined.
  func getMembers(groupId: String) async throws -> [GroupMember]

  /// Makes another member an admin.
  ///
  /// Only admins may call this method.
  func promote(groupId: String, userId: String) async throws

  /// Turns the actor's notifications about rank changes in a group off or on.
  ///
  /// Notifications about new members and about the end of a week are still sent.
  func muteGroup(_ groupId: String, isMuted: Bool) async throws
}

extension GroupRepository {
  /// Creates a group with a new random id.
  public func createGroup(name: String, ownerId: String) async throws -> Group {
    try await createGroup(id: UUID().uuidString.lowercased(), name: name, ownerId: ownerId)
  }
}

/// Creates, lists, revokes and redeems invites to groups.
public protocol InviteRepository: Sendable {
  /// Creates an invite to a group that the actor is in.
  ///
  /// A repeated call returns the same invite.
  ///
  /// - Parameter code: A code that cannot be guessed, with 32 hexadecimal digits, for example the
  ///   result of `InviteCode.random()`.
  func createInvite(groupId: String, code: InviteCode) async throws -> Invite

  /// Returns up to 100 valid invites to a group that the actor is in, newest first.
  ///
  /// The list does not contain the codes, because the server stores only their hashes.
  func listInvites(groupId: String) async throws -> [ListedInvite]

  /// Revokes an invite.
  ///
  /// Only the invite's creator and the group's admins may call this method.
  func revokeInvite(_ inviteId: String) async throws

  /// Returns the data that a user may see about a group before joining it.
  func previewInvite(_ code: InviteCode) async throws -> InvitePreview

  /// Joins the group that an invite belongs to.
  func joinGroup(_ code: InviteCode) async throws -> Group
}

extension InviteRepository {
  /// Creates an invite with a new random code.
  public func createInvite(groupId: String) async throws -> Invite {
    try await createInvite(groupId: groupId, code: .random())
  }
}

/// Calls that only the server can make, not an app.
public protocol ServerRepository: Sendable {
  /// Adds a user to a group.
  ///
  /// The group must not be full, and the user must not be in another group. If the user has no
  /// account, an account is created with the given name and photo. An existing account is not
  /// changed.
  func addMember(groupId: String, userId: String, displayName: String, photoURL: URL?) async throws

  /// Sends a notification to a user, who can see it until it expires.
  ///
  /// The notification's id makes the call idempotent, so a repeated call does not send a second
  /// notification. The server may store the notification under a different id.
  ///
  /// - Throws: `invalidInput` for notification types that only jobs send.
  func createNotification(_ notification: GroupNotification) async throws
}
