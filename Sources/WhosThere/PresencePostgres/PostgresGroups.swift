import BatonPostgres
import Foundation
import Presence
import PresenceSQL
import ProductKit
import ProductPostgres

/// Reads and changes groups, their members and their invites in PostgreSQL.
struct PostgresGroups: GroupRepository {
  let calls: ActorCalls

  func createGroup(
    id: String, name: String, shape: GroupShape, isPublic: Bool, timeZone: String
  ) async throws(AppError) -> LocationGroup {
    try await calls.run(
      .row(
        SQL.Api.createGroup, try calls.signedIn, id, name, try shape.json, timeZone, isPublic,
        decode: Self.group))
  }

  func updateGroup(_ group: LocationGroup) async throws(AppError) -> LocationGroup {
    guard let most = Int32(exactly: group.maxMembers) else { throw .invalidInput("most members") }
    return try await calls.run(
      .row(
        SQL.Api.updateGroup, try calls.signedIn, group.id, group.name, try group.shape.json,
        group.timeZone, group.isPublic, most, decode: Self.group))
  }

  func getGroup(_ groupId: String) async throws(AppError) -> LocationGroup? {
    do {
      return try await group(groupId)
    } catch {
      guard error == .groupNotFound || error == .notAMember else { throw error }
      return nil
    }
  }

  func joinedGroups() async throws(AppError) -> [LocationGroup] {
    try await calls.run(
      .rows(SQL.Api.joinedGroups, try calls.signedIn, decode: Self.group))
  }

  func publicGroups(
    after last: LocationGroup?, limit: Int
  ) async throws(AppError) -> [LocationGroup] {
    try await publicGroups(afterName: last?.name, id: last?.id, limit: limit)
  }

  func publicGroups(
    afterName name: String?, id: String?, limit: Int
  ) async throws(AppError) -> [LocationGroup] {
    guard let limit = Int32(exactly: limit) else { throw .invalidInput("a page of \(limit)") }
    return try await calls.run(
      .rows(SQL.Api.publicGroups, try calls.signedIn, name, id, limit, decode: Self.group))
  }

  func nearbyGroups(
    around place: Coordinate, radius: Double
  ) async throws(AppError) -> [LocationGroup] {
    try await calls.run(
      .rows(
        SQL.Api.nearbyGroups, try calls.signedIn, place.latitude, place.longitude, radius,
        decode: Self.group))
  }

  func getMembers(groupId: String) async throws(AppError) -> [GroupMember] {
    try await calls.run(
      .rows(SQL.Api.getMembers, try calls.signedIn, groupId) { (row) throws(PostgresError) in
        let (id, name, photo, role, joinedAt) = try row.decode(
          String.self, String.self, String?.self, String.self, Timestamp.self)
        return GroupMember(
          userId: id, displayName: name, photoURL: photo?.asPhotoURL,
          role: try known(GroupRole(rawValue: role), "role \(role)"), joinedAt: joinedAt.date)
      })
  }

  func joinPublicGroup(_ groupId: String) async throws(AppError) -> LocationGroup {
    try await calls.run(
      .row(SQL.Api.joinPublicGroup, try calls.signedIn, groupId, decode: Self.group))
  }

  func leaveGroup(_ groupId: String) async throws(AppError) {
    try await calls.run(.run(SQL.Api.leaveGroup, try calls.signedIn, groupId))
  }

  func removeMember(groupId: String, userId: String) async throws(AppError) {
    try await calls.run(.run(SQL.Api.removeMember, try calls.signedIn, groupId, userId))
  }

  func promote(groupId: String, userId: String) async throws(AppError) {
    try await calls.run(.run(SQL.Api.promote, try calls.signedIn, groupId, userId))
  }

  func deleteGroup(_ groupId: String) async throws(AppError) {
    try await calls.run(.run(SQL.Api.deleteGroup, try calls.signedIn, groupId))
  }

  func group(_ groupId: String) async throws(AppError) -> LocationGroup {
    try await calls.run(.row(SQL.Api.getGroup, try calls.signedIn, groupId, decode: Self.group))
  }

  private static func group(_ row: Row) throws(PostgresError) -> LocationGroup { try row.group() }
}

// MARK: - Invites

extension PostgresGroups {
  func currentInvite(groupId: String) async throws(AppError) -> GroupInvite {
    try await calls.run(
      .row(SQL.Api.currentInvite, try calls.signedIn, groupId) { (row) throws(PostgresError) in
        try row.invite()
      })
  }

  func rotateInvite(groupId: String, lifetime: Duration) async throws(AppError) -> GroupInvite {
    // The server replaces the code in `old` only if it is still valid. If another admin has already
    // replaced the code, the response contains that admin's code.
    let old = try await currentInvite(groupId: groupId)
    return try await rotateInvite(
      groupId: groupId, replacing: old.code, seconds: Double(lifetime.components.seconds))
  }

  func rotateInvite(
    groupId: String, replacing code: InviteCode, seconds: Double?
  ) async throws(AppError) -> GroupInvite {
    try await calls.run(
      .row(SQL.Api.rotateInvite, try calls.signedIn, groupId, code.text, seconds) {
        (row) throws(PostgresError) in try row.invite()
      })
  }

  func redeemInvite(_ code: InviteCode) async throws(AppError) -> LocationGroup {
    // The database returns a refusal as a row, because an error would roll back the counter of
    // failed attempts.
    let redeemed: Result<String, AppError> = try await calls.run(
      .row(SQL.Api.redeemInvite, try calls.signedIn, code.text) { (row) throws(PostgresError) in
        let (refusal, group, _) = try row.decode(String?.self, String?.self, Timestamp?.self)
        if let refusal {
          let error = AppError.refusals.first { $0.code == refusal }
          return .failure(try known(error, "the refusal \(refusal)"))
        }
        return .success(try known(group, "a group without id"))
      })
    return try await group(try redeemed.get())
  }
}

extension GroupShape {
  /// The shape as JSON for the database.
  fileprivate var json: String {
    get throws(AppError) {
      do {
        return String(decoding: try WireFormat.data(of: self), as: UTF8.self)
      } catch {
        // A shape with an infinite number is rejected, because JSON cannot represent infinity.
        throw .invalidInput("a shape")
      }
    }
  }
}
