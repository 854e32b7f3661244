import BatonPostgres
package import Presence
import PresenceSQL
package import ProductPostgres

/// One user's calls that the client library's repositories do not contain.
package struct PresenceMember: Sendable {
  private let calls: ActorCalls
  private let groups: PostgresGroups

  /// Creates a value for a user whose identity the caller has verified.
  package init(_ database: PresenceDatabase, user: String) {
    calls = ActorCalls(database: database, actor: user)
    groups = PostgresGroups(calls: calls)
  }

  /// Reads one piece of the data stored about the user.
  ///
  /// - Parameter position: the position in the previous piece, or nil for the first piece.
  package func export(after position: String?) async throws(AppError) -> ExportPiece {
    try await calls.run(
      .row(SQL.Api.exportMyData, try calls.signedIn, position) { (row) throws(PostgresError) in
        let (part, rows, next) = try row.decode(String.self, String.self, String?.self)
        return ExportPiece(part: part, rows: rows, next: next)
      })
  }

  /// Returns a group if it is public or the user is a member.
  ///
  /// - Throws: `groupNotFound` if the group does not exist, or if it is private and the user is not
  ///   a member.
  package func group(_ groupId: String) async throws(AppError) -> LocationGroup {
    try await groups.group(groupId)
  }

  /// Returns one page of public groups, ordered by name.
  ///
  /// - Parameter last: the name and the id of the previous page's last group, or nil for the first
  ///   page.
  package func publicGroups(
    after last: (name: String, id: String)?, limit: Int
  ) async throws(AppError) -> [LocationGroup] {
    try await groups.publicGroups(afterName: last?.name, id: last?.id, limit: limit)
  }

  /// Replaces a group's invite.
  ///
  /// If the given code is not the current invite's code, the method changes nothing and returns the
  /// current invite. A repeated call therefore changes nothing.
  ///
  /// - Parameter seconds: the lifetime of the new invite, or nil for the default lifetime.
  package func rotateInvite(
    groupId: String, replacing code: InviteCode, seconds: Int?
  ) async throws(AppError) -> GroupInvite {
    try await groups.rotateInvite(
      groupId: groupId, replacing: code, seconds: seconds.map { Double($0) })
  }
}
