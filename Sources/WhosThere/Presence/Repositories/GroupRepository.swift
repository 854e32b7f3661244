import Foundation

/// Reads and changes groups, their members and their invites.
public protocol GroupRepository: Sendable {
  /// Creates a group with its first member, who is an admin.
  ///
  /// A repeated call returns the existing group.
  func createGroup(
    id: String, name: String, shape: GroupShape, isPublic: Bool, timeZone: String
  ) async throws(AppError) -> LocationGroup

  /// Changes a group's name, shape, visibility, time zone and maximum number of members.
  ///
  /// Only admins may call this method.
  func updateGroup(_ group: LocationGroup) async throws(AppError) -> LocationGroup

  /// Returns a group if it is public or the actor is a member, or nil for any other group.
  func getGroup(_ groupId: String) async throws(AppError) -> LocationGroup?

  /// Returns the groups that the actor is in, ordered by name.
  func joinedGroups() async throws(AppError) -> [LocationGroup]

  /// Returns one page of public groups, ordered by name.
  ///
  /// - Parameter last: The last group of the previous page, or nil for the first page.
  func publicGroups(
    after last: LocationGroup?, limit: Int
  ) async throws(AppError) -> [LocationGroup]

  /// Returns public groups and the actor's own groups near a place, nearest first.
  ///
  /// - Parameter radius: The radius, up to 50,000 meters.
  func nearbyGroups(
    around place: Coordinate, radius: Double
  ) async throws(AppError) -> [LocationGroup]

  /// Returns the members in the order in which they joined.
  func getMembers(groupId: String) async throws(AppError) -> [GroupMember]

  /// Joins a public group, or does nothing if the actor is already a member.
  func joinPublicGroup(_ groupId: String) async throws(AppError) -> LocationGroup

  /// Removes the actor from the group.
  ///
  /// If the actor was the only admin, the member who joined first becomes an admin.
  func leaveGroup(_ groupId: String) async throws(AppError)

  /// Removes another member from the group.
  ///
  /// Only admins may call this method.
  func removeMember(groupId: String, userId: String) async throws(AppError)

  /// Makes another member an admin.
  ///
  /// Only admins may call this method.
  func promote(groupId: String, userId: String) async throws(AppError)

  /// Deletes the group for all of its members.
  ///
  /// Only admins may call this method.
  func deleteGroup(_ groupId: String) async throws(AppError)

  /// Returns the group's invite, creating one if none is valid.
  ///
  /// Only members may call this method.
  func currentInvite(groupId: String) async throws(AppError) -> GroupInvite

  /// Revokes the group's invite and creates a new one.
  ///
  /// Only admins may call this method.
  func rotateInvite(groupId: String, lifetime: Duration) async throws(AppError) -> GroupInvite

  /// Joins the group that an invite belongs to.
  ///
  /// A repeated call with the same code returns the group that the actor has already joined.
  func redeemInvite(_ code: InviteCode) async throws(AppError) -> LocationGroup
}

extension GroupRepository {
  /// Creates a group with a new random id.
  public func createGroup(
    name: String, shape: GroupShape, isPublic: Bool, timeZone: String
  ) async throws(AppError) -> LocationGroup {
    try shape.check()
    return try await createGroup(
      id: UUID().uuidString.lowercased(), name: name, shape: shape, isPublic: isPublic,
      timeZone: timeZone)
  }

  /// Revokes the group's invite and creates a new one with the default lifetime.
  public func rotateInvite(groupId: String) async throws(AppError) -> GroupInvite {
    try await rotateInvite(groupId: groupId, lifetime: GroupInvite.lifetime)
  }

  /// Joins the group whose invite code the user has typed.
  ///
  /// If the string cannot be a code, the server does not receive a call or count a wrong attempt.
  ///
  /// - Throws: `inviteInvalid` if the string cannot be a code.
  public func redeemInvite(typed text: String) async throws(AppError) -> LocationGroup {
    guard let code = InviteCode(text) else { throw .inviteInvalid }
    return try await redeemInvite(code)
  }
}
