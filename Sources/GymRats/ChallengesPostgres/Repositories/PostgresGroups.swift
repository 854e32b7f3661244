import BatonPostgres
import Challenges
import ChallengesSQL
import ProductPostgres

/// Reads and changes groups and their members in PostgreSQL.
struct PostgresGroups: GroupRepository {
  let calls: ActorCalls

  func createGroup(id: String, name: String, ownerId: String) async throws -> Group {
    let actor = try calls.signedIn(as: ownerId)
    return try await calls.run(
      .row(SQL.Api.createGroup, actor, id, name) { (row) throws(PostgresError) in
        try row.group()
      })
  }

  func updateGroup(_ groupId: String, name: String) async throws -> Group {
    try await calls.run(
      .row(SQL.Api.updateGroup, try calls.signedIn(), groupId, name) {
        (row) throws(PostgresError) in try row.group()
      })
  }

  func getGroup(_ groupId: String) async throws -> Group? {
    do {
      return try await calls.group(groupId)
    } catch DomainError.groupNotFound, DomainError.notAMember {
      return nil
    }
  }

  func removeMember(groupId: String, userId: String) async throws {
    try await calls.run(
      .run(SQL.Api.removeMember, try calls.signedIn(), groupId, userId))
  }

  func leaveGroup(groupId: String, userId: String) async throws {
    try await calls.run(.run(SQL.Api.leaveGroup, try calls.signedIn(as: userId), groupId))
  }

  func deleteGroup(_ groupId: String) async throws {
    try await calls.run(.run(SQL.Api.deleteGroup, try calls.signedIn(), groupId))
  }

  func getMembers(groupId: String) async throws -> [GroupMember] {
    try await calls.run(
      .rows(SQL.Api.getMembers, try calls.signedIn(), groupId) { (row) throws(PostgresError) in
        let (id, name, photo, role, joinedAt) = try row.decode(
          String.self, String.self, String?.self, String.self, Timestamp.self)
        return GroupMember(
          id: id, displayName: name, photoURL: photo?.asPhotoURL, joinedAt: joinedAt.date,
          role: try known(GroupRole(rawValue: role), "role \(role)"), isActive: true)
      })
  }

  func promote(groupId: String, userId: String) async throws {
    try await calls.run(.run(SQL.Api.promote, try calls.signedIn(), groupId, userId))
  }

  func muteGroup(_ groupId: String, isMuted: Bool) async throws {
    try await calls.run(.run(SQL.Api.muteGroup, try calls.signedIn(), groupId, isMuted))
  }
}

extension ActorCalls {
  /// Returns a group that the actor is in.
  func group(_ groupId: String) async throws -> Group {
    try await run(
      .row(SQL.Api.getGroup, try signedIn(), groupId) { (row) throws(PostgresError) in
        try row.group()
      })
  }
}
