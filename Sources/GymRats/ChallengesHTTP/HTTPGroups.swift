import Challenges
import ProductHTTP

/// Reads and changes groups and their members over HTTP.
struct HTTPGroups: GroupRepository {
  let calls: HTTPCalls

  func createGroup(id: String, name: String, ownerId: String) async throws -> Group {
    try calls.signedIn(as: ownerId)
    // The id is sent in a header, so that a repeated request does not create a second group.
    guard ServerConnection.isKey(id) else { throw DomainError.invalidInput }
    return try await calls.read(Group.self, "POST", ["groups"], key: id, sends: ["name": name])
  }

  func updateGroup(_ groupId: String, name: String) async throws -> Group {
    try calls.signedIn()
    return try await calls.read(Group.self, "PUT", ["groups", groupId], sends: ["name": name])
  }

  func getGroup(_ groupId: String) async throws -> Group? {
    try calls.signedIn()
    do {
      return try await calls.read(Group.self, "GET", ["groups", groupId])
    } catch DomainError.groupNotFound, DomainError.notAMember {
      return nil
    }
  }

  func removeMember(groupId: String, userId: String) async throws {
    try calls.signedIn()
    try await calls.run("DELETE", ["groups", groupId, "members", userId])
  }

  func leaveGroup(groupId: String, userId: String) async throws {
    try calls.signedIn(as: userId)
    try await calls.run("POST", ["groups", groupId, "leave"])
  }

  func deleteGroup(_ groupId: String) async throws {
    try calls.signedIn()
    try await calls.run("DELETE", ["groups", groupId])
  }

  func getMembers(groupId: String) async throws -> [GroupMember] {
    try calls.signedIn()
    return try await calls.read([GroupMember].self, "GET", ["groups", groupId, "members"])
  }

  func promote(groupId: String, userId: String) async throws {
    try calls.signedIn()
    try await calls.run("POST", ["groups", groupId, "members", userId, "promote"])
  }

  func muteGroup(_ groupId: String, isMuted: Bool) async throws {
    try calls.signedIn()
    try await calls.run("PUT", ["groups", groupId, "muted"], sends: ["isMuted": isMuted])
  }
}

/// Creates, lists, revokes and redeems invites over HTTP.
///
/// Invite codes are sent in request bodies, because proxies log request paths.
struct HTTPInvites: InviteRepository {
  let calls: HTTPCalls

  func createInvite(groupId: String, code: InviteCode) async throws -> Invite {
    try calls.signedIn()
    return try await calls.read(
      Invite.self, "POST", ["groups", groupId, "invites"], sends: ["code": code])
  }

  func listInvites(groupId: String) async throws -> [ListedInvite] {
    try calls.signedIn()
    return try await calls.read([ListedInvite].self, "GET", ["groups", groupId, "invites"])
  }

  func revokeInvite(_ inviteId: String) async throws {
    try calls.signedIn()
    try await calls.run("DELETE", ["invites", inviteId])
  }

  func previewInvite(_ code: InviteCode) async throws -> InvitePreview {
    try calls.signedIn()
    return try await calls.read(
      InvitePreview.self, "POST", ["invite-codes", "preview"], sends: ["code": code])
  }

  func joinGroup(_ code: InviteCode) async throws -> Group {
    try calls.signedIn()
    return try await calls.read(
      Group.self, "POST", ["invite-codes", "join"], sends: ["code": code])
  }
}
