import Foundation

/// Groups, their members, and their invites.
public protocol GroupRepository: Sendable {
  /// Makes a group with its first member, an admin. The same call again answers the same group.
  func createGroup(
    id: String, name: String, shape: GroupShape, isPublic: Bool, timeZone: String
  ) async throws(AppError) -> LocationGroup

  /// Changes name, shape, visibility, time zone and the most members; for admins.
  func updateGroup(_ group: LocationGroup) async throws(AppError) -> LocationGroup

  /// A group that the actor is in, or that is public; nil for any other.
  func getGroup(_ groupId: String) async throws(AppError) -> LocationGroup?

  /// The groups that the actor is in, by name.
  func joinedGroups() async throws(AppError) -> [LocationGroup]

  /// Public groups by name.
  ///
  /// - Parameter last: the last one of the page before; nil: begin.
  func publicGroups(
    after last: LocationGroup?, limit: Int
  ) async throws(AppError) -> [LocationGroup]

  /// Public groups and the actor's own around a place, the nearest first.
  ///
  /// - Parameter radius: in metres, 50,000 at most.
  func nearbyGroups(
    around place: Coordinate, radius: Double
  ) async throws(AppError) -> [LocationGroup]

  /// The members, by joining.
  func getMembers(groupId: String) async throws(AppError) -> [GroupMember]

  /// Joins a public group; a user who is already a member stays one.
  func joinPublicGroup(_ groupId: String) async throws(AppError) -> LocationGroup

  /// Leaves the group; if the actor was the only admin, the member of longest standing becomes one.
  func leaveGroup(_ groupId: String) async throws(AppError)

  /// Removes another member; for admins.
  func removeMember(groupId: String, userId: String) async throws(AppError)

  /// Makes another member an admin too; for admins.
  func promote(groupId: String, userId: String) async throws(AppError)

  /// Ends the group for all of its members; for admins.
  func deleteGroup(_ groupId: String) async throws(AppError)

  /// The group's invite, made if there is no valid one; for members.
  func currentInvite(groupId: String) async throws(AppError) -> GroupInvite

  /// Ends the group's invite and makes another; for admins.
  func rotateInvite(groupId: String, lifetime: Duration) async throws(AppError) -> GroupInvite

  /// Joins the group that an invite leads into; the same invite again answers the same group.
  func redeemInvite(_ code: InviteCode) async throws(AppError) -> LocationGroup
}

extension GroupRepository {
  /// Makes a group with a new random id.
  public func createGroup(
    name: String, shape: GroupShape, isPublic: Bool, timeZone: String
  ) async throws(AppError) -> LocationGroup {
    try shape.check()
    return try await createGroup(
      id: UUID().uuidString.lowercased(), name: name, shape: shape, isPublic: isPublic,
      timeZone: timeZone)
  }

  /// Ends the group's invite and makes another with the usual lifetime.
  public func rotateInvite(groupId: String) async throws(AppError) -> GroupInvite {
    try await rotateInvite(groupId: groupId, lifetime: GroupInvite.lifetime)
  }

  /// Joins the group of a code that the user typed.
  ///
  /// - Throws: `inviteInvalid` for a text that cannot be a code, without a call: it costs no attempt.
  public func redeemInvite(typed text: String) async throws(AppError) -> LocationGroup {
    guard let code = InviteCode(text) else { throw .inviteInvalid }
    return try await redeemInvite(code)
  }
}
