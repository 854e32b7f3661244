import BatonPostgres
import Presence
import PresenceSQL
import ProductPostgres

/// Blocks and reports users in PostgreSQL.
struct PostgresSafety: SafetyRepository {
  let calls: ActorCalls

  func block(userId: String) async throws(AppError) {
    try await calls.run(.run(SQL.Api.blockUser, try calls.signedIn, userId))
  }

  func unblock(userId: String) async throws(AppError) {
    try await calls.run(.run(SQL.Api.unblockUser, try calls.signedIn, userId))
  }

  func blockedUsers() async throws(AppError) -> [BlockedUser] {
    try await calls.run(
      .rows(SQL.Api.blockedUsers, try calls.signedIn) { (row) throws(PostgresError) in
        let (id, name, photo, blockedAt) = try row.decode(
          String.self, String.self, String?.self, Timestamp.self)
        return BlockedUser(
          id: id, displayName: name, photoURL: photo?.asPhotoURL, blockedAt: blockedAt.date)
      })
  }

  func report(_ report: UserReport) async throws(AppError) {
    try await calls.run(
      .run(
        SQL.Api.reportUser, try calls.signedIn, report.id, report.groupId, report.userId,
        report.reason.rawValue, report.note, report.messageId))
  }
}
