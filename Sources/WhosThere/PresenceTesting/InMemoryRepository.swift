import Foundation
public import Presence

extension InMemoryPresence {
  /// Returns one actor's account repository.
  ///
  /// If the actor is nil, the method returns the repository for a phone on which no user is signed
  /// in.
  public nonisolated func users(for actor: String?) -> any UserRepository {
    InMemoryRepository(server: self, actor: actor)
  }

  /// Returns one actor's group repository.
  public nonisolated func groups(for actor: String?) -> any GroupRepository {
    InMemoryRepository(server: self, actor: actor)
  }
}

struct InMemoryRepository: Sendable {
  let server: InMemoryPresence
  let actor: String?
}

extension InMemoryRepository: UserRepository {
  func getUser(_ userId: String) async throws(AppError) -> User? {
    try await server.getUser(actor, userId)
  }

  func getUsers(_ userIds: [String]) async throws(AppError) -> [User] {
    try await server.getUsers(actor, userIds)
  }

  func updateUser(_ user: User) async throws(AppError) -> User {
    try await server.updateUser(actor, user)
  }

  func deleteAccount() async throws(AppError) { try await server.deleteAccount(actor) }
}

extension InMemoryRepository: GroupRepository {
  func createGroup(
    id: String, name: String, shape: GroupShape, isPublic: Bool, timeZone: String
  ) async throws(AppError) -> LocationGroup {
    let wanted = LocationGroup(
      id: id, name: name, shape: shape, isPublic: isPublic, timeZone: timeZone, memberCount: 0,
      maxMembers: 1, createdAt: .distantPast)
    return try await server.createGroup(actor, wanted)
  }

  func updateGroup(_ group: LocationGroup) async throws(AppError) -> LocationGroup {
    try await server.updateGroup(actor, group)
  }

  func getGroup(_ groupId: String) async throws(AppError) -> LocationGroup? {
    try await server.getGroup(actor, groupId)
  }

  func joinedGroups() async throws(AppError) -> [LocationGroup] {
    try await server.joinedGroups(actor)
  }

  func publicGroups(
    after last: LocationGroup?, limit: Int
  ) async throws(AppError) -> [LocationGroup] {
    try await server.publicGroups(actor, last, limit)
  }

  func nearbyGroups(
    around place: Coordinate, radius: Double
  ) async throws(AppError) -> [LocationGroup] {
    try await server.nearbyGroups(actor, place, radius)
  }

  func getMembers(groupId: String) async throws(AppError) -> [GroupMember] {
    try await server.getMembers(actor, groupId)
  }

  func joinPublicGroup(_ groupId: String) async throws(AppError) -> LocationGroup {
    try await server.joinPublicGroup(actor, groupId)
  }

  func leaveGroup(_ groupId: String) async throws(AppError) {
    try await server.leaveGroup(actor, groupId)
  }

  func removeMember(groupId: String, userId: String) async throws(AppError) {
    try await server.removeMember(actor, groupId, userId)
  }

  func promote(groupId: String, userId: String) async throws(AppError) {
    try await server.promote(actor, groupId, userId)
  }

  func deleteGroup(_ groupId: String) async throws(AppError) {
    try await server.deleteGroup(actor, groupId)
  }

  func currentInvite(groupId: String) async throws(AppError) -> GroupInvite {
    try await server.currentInvite(actor, groupId)
  }

  func rotateInvite(groupId: String, lifetime: Duration) async throws(AppError) -> GroupInvite {
    // The server replaces the code in `old` only if it is still valid, as in the database.
    let old = try await server.currentInvite(actor, groupId).code
    return try await server.rotateInvite(actor, groupId, replacing: old, lifetime)
  }

  func redeemInvite(_ code: InviteCode) async throws(AppError) -> LocationGroup {
    try await server.redeemInvite(actor, code)
  }
}
