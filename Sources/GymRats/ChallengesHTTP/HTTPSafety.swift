import Challenges
import Foundation

/// Blocks and reports users over HTTP.
struct HTTPSafety: SafetyRepository {
  let calls: HTTPCalls

  func block(userId: String) async throws {
    try calls.signedIn()
    // No user has an id that is empty or longer than 256 bytes, so no request is sent.
    guard 1...256 ~= userId.utf8.count else { throw DomainError.notAMember }
    try await calls.run("PUT", ["me", "blocks", userId])
  }

  func unblock(userId: String) async throws {
    try calls.signedIn()
    guard 1...256 ~= userId.utf8.count else { return }
    try await calls.run("DELETE", ["me", "blocks", userId])
  }

  func blockedUsers() async throws -> [BlockedUser] {
    try calls.signedIn()
    return try await calls.read([BlockedUser].self, "GET", ["me", "blocks"])
  }

  func report(_ report: UserReport) async throws {
    try calls.signedIn()
    let body = Report(
      groupId: report.groupId, userId: report.userId, reason: report.reason, note: report.note)
    try await calls.run("POST", ["reports"], key: report.id.uuidString.lowercased(), sends: body)
  }

  /// The fields of a report except the report's id, which is sent as the idempotency key.
  private struct Report: Encodable {
    let groupId: String
    let userId: String
    let reason: ReportReason
    let note: String
  }
}
