import BatonPostgres
import Challenges
import ChallengesSQL
import Foundation
import ProductPostgres

/// Creates, lists, revokes and uses invites in PostgreSQL.
struct PostgresInvites: InviteRepository {
  let calls: ActorCalls

  func createInvite(groupId: String, code: InviteCode) async throws -> Invite {
    try await calls.run(
      .row(SQL.Api.createInvite, try calls.signedIn(), groupId, code.text) {
        (row) throws(PostgresError) in
        let (id, token, expiresAt) = try row.decode(UUID.self, String.self, Timestamp.self)
        return Invite(
          id: id.uuidString.lowercased(), groupId: groupId,
          code: try known(InviteCode(token), "the token of an invite"), expiresAt: expiresAt.date)
      })
  }

  func listInvites(groupId: String) async throws -> [ListedInvite] {
    try await calls.run(
      .rows(SQL.Api.listInvites, try calls.signedIn(), groupId) { (row) throws(PostgresError) in
        let (id, creator, createdAt, expiresAt) = try row.decode(
          UUID.self, String?.self, Timestamp.self, Timestamp.self)
        return ListedInvite(
          id: id.uuidString.lowercased(), createdBy: creator, createdAt: createdAt.date,
          expiresAt: expiresAt.date)
      })
  }

  func revokeInvite(_ inviteId: String) async throws {
    // An invalid id is sent as NULL, which matches no invite. For a NULL id, the database checks
    // the actor and reports a missing invite.
    try await calls.run(
      .run(SQL.Api.revokeInvite, try calls.signedIn(), UUID(uuidString: inviteId)))
  }

  func previewInvite(_ code: InviteCode) async throws -> InvitePreview {
    let seen: Result<InvitePreview, DomainError> = try await calls.run(
      .row(SQL.Api.previewInvite, try calls.signedIn(), code.text) {
        (row) throws(PostgresError) in
        let (refusal, name, members, isFull) = try row.decode(
          String?.self, String?.self, Int32?.self, Bool?.self)
        if let refusal { return .failure(try known(DomainError(code: refusal), refusal)) }
        return .success(
          InvitePreview(
            groupName: try known(name, "a group without name"),
            memberCount: Int(try known(members, "a group without count")),
            isFull: try known(isFull, "a group without cap")))
      })
    return try seen.get()
  }

  func joinGroup(_ code: InviteCode) async throws -> Group {
    // The database returns a refusal as a row. An error would roll back the stored number of the
    // user's attempts to join.
    let joined: Result<String, DomainError> = try await calls.run(
      .row(SQL.Api.joinGroup, try calls.signedIn(), code.text) { (row) throws(PostgresError) in
        let (refusal, group, _) = try row.decode(String?.self, String?.self, Timestamp?.self)
        if let refusal { return .failure(try known(DomainError(code: refusal), refusal)) }
        return .success(try known(group, "a group without id"))
      })
    return try await calls.group(try joined.get())
  }
}
