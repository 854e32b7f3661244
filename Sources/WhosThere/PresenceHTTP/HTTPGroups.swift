import Presence
import ProductHTTP

/// Reads and changes groups, their members and their invites over HTTP.
///
/// Invite codes are sent in request bodies, because proxies log request paths.
struct HTTPGroups: GroupRepository {
  let calls: HTTPCalls

  func createGroup(
    id: String, name: String, shape: GroupShape, isPublic: Bool, timeZone: String
  ) async throws(AppError) -> LocationGroup {
    try calls.signedIn()
    // The id is sent in a header, so that a repeated request does not create a second group.
    guard ServerConnection.isKey(id) else {
      throw .invalidInput("the id of a group has 1 to 256 visible ASCII characters")
    }
    let settings = Settings(
      name: name, shape: shape, timeZone: timeZone, isPublic: isPublic, maxMembers: nil)
    return try await calls.read(
      LocationGroup.self, "POST", ["groups"], key: id, sends: settings)
  }

  func updateGroup(_ group: LocationGroup) async throws(AppError) -> LocationGroup {
    let settings = Settings(
      name: group.name, shape: group.shape, timeZone: group.timeZone, isPublic: group.isPublic,
      maxMembers: group.maxMembers)
    return try await calls.read(LocationGroup.self, "PUT", ["groups", group.id], sends: settings)
  }

  func getGroup(_ groupId: String) async throws(AppError) -> LocationGroup? {
    do {
      return try await calls.read(LocationGroup.self, "GET", ["groups", groupId])
    } catch {
      guard error == .groupNotFound || error == .notAMember else { throw error }
      return nil
    }
  }

  func joinedGroups() async throws(AppError) -> [LocationGroup] {
    try await calls.read([LocationGroup].self, "GET", ["groups"])
  }

  func publicGroups(
    after last: LocationGroup?, limit: Int
  ) async throws(AppError) -> [LocationGroup] {
    let after: String?
    do {
      after = try last.map { try GroupPosition($0).text }
    } catch {
      throw .invalidInput("the position of a page")
    }
    return try await calls.read(
      Page.self, "GET", ["public-groups"], query: ["after": after, "limit": "\(limit)"]
    ).groups
  }

  func nearbyGroups(
    around place: Coordinate, radius: Double
  ) async throws(AppError) -> [LocationGroup] {
    try await calls.read(
      [LocationGroup].self, "POST", ["nearby-groups"], sends: Nearby(place: place, radius: radius))
  }

  func getMembers(groupId: String) async throws(AppError) -> [GroupMember] {
    try await calls.read([GroupMember].self, "GET", ["groups", groupId, "members"])
  }

  func joinPublicGroup(_ groupId: String) async throws(AppError) -> LocationGroup {
    try await calls.read(LocationGroup.self, "POST", ["groups", groupId, "join"])
  }

  func leaveGroup(_ groupId: String) async throws(AppError) {
    try await calls.run("POST", ["groups", groupId, "leave"])
  }

  func removeMember(groupId: String, userId: String) async throws(AppError) {
    try await calls.run("DELETE", ["groups", groupId, "members", userId])
  }

  func promote(groupId: String, userId: String) async throws(AppError) {
    try await calls.run("POST", ["groups", groupId, "members", userId, "promote"])
  }

  func deleteGroup(_ groupId: String) async throws(AppError) {
    try await calls.run("DELETE", ["groups", groupId])
  }

  func currentInvite(groupId: String) async throws(AppError) -> GroupInvite {
    try await calls.read(GroupInvite.self, "PUT", ["groups", groupId, "invite"])
  }

  func rotateInvite(groupId: String, lifetime: Duration) async throws(AppError) -> GroupInvite {
    // The server replaces the code in `old` only if it is still valid. If another admin has already
    // replaced the code, the response contains that admin's code.
    let old = try await currentInvite(groupId: groupId)
    let rotation = Rotation(replaces: old.code, lifetime: lifetime.components.seconds)
    return try await calls.read(
      GroupInvite.self, "POST", ["groups", groupId, "invite", "rotate"], sends: rotation)
  }

  func redeemInvite(_ code: InviteCode) async throws(AppError) -> LocationGroup {
    try await calls.read(
      LocationGroup.self, "POST", ["invite-codes", "redeem"], sends: ["code": code.text])
  }

  private struct Settings: Encodable {
    let name: String
    let shape: GroupShape
    let timeZone: String
    let isPublic: Bool
    /// The maximum number of members, or nil for a new group.
    let maxMembers: Int?
  }

  private struct Nearby: Encodable {
    let place: Coordinate
    let radius: Double
  }

  private struct Rotation: Encodable {
    let replaces: InviteCode
    let lifetime: Int64
  }

  private struct Page: Decodable { let groups: [LocationGroup] }
}
