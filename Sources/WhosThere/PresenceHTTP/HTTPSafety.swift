import Foundation
import Presence

/// Blocks and reports users over HTTP.
struct HTTPSafety: SafetyRepository {
  let calls: HTTPCalls

  func block(userId: String) async throws(AppError) {
    try calls.signedIn()
    // An id that is empty or longer than 256 bytes belongs to no user and cannot be part of a path.
    guard 1...256 ~= userId.utf8.count else { throw .notAMember }
    try await calls.run("PUT", ["me", "blocks", userId])
  }

  func unblock(userId: String) async throws(AppError) {
    try calls.signedIn()
    guard 1...256 ~= userId.utf8.count else { return }
    try await calls.run("DELETE", ["me", "blocks", userId])
  }

  func blockedUsers() async throws(AppError) -> [BlockedUser] {
    try await calls.read([BlockedUser].self, "GET", ["me", "blocks"])
  }

  func report(_ report: UserReport) async throws(AppError) {
    let body = Report(
      groupId: report.groupId, userId: report.userId, reason: report.reason, note: report.note,
      messageId: report.messageId)
    try await calls.run("POST", ["reports"], key: report.id.uuidString.lowercased(), sends: body)
  }

  /// The fields of a report except the report's id, which is sent as the idempotency key.
  private struct Report: Encodable {
    let groupId: String
    let userId: String
    let reason: ReportReason
    let note: String
    let messageId: UUID?
  }
}
