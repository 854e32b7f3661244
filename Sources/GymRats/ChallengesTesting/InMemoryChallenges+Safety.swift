public import Challenges
public import Foundation

/// A block, which consists of the blocking user and the blocked user.
struct UserBlock: Hashable, Sendable {
  let user: String
  let blocked: String
}

extension InMemoryChallenges {
  /// A report that the server has stored.
  public struct StoredReport: Hashable, Sendable {
    /// The id of the user who sent the report.
    public let reporter: String
    /// The report.
    public let report: UserReport
    /// The time when the server received the report.
    public let createdAt: Date
  }

  /// Returns whether a user has blocked another user.
  func isBlocked(_ userId: String, by other: String?) -> Bool {
    guard let other else { return false }
    return blocks[UserBlock(user: other, blocked: userId)] != nil
  }

  func block(_ actor: String?, _ userId: String) throws {
    let user = try signedIn(actor)
    guard userId != user.id else { throw DomainError.invalidInput }
    let block = UserBlock(user: user.id, blocked: userId)
    guard blocks[block] == nil else { return }
    guard groups.values.contains(where: { $0.members[user.id] != nil && $0.members[userId] != nil })
    else { throw DomainError.notAMember }
    guard blocks.keys.filter({ $0.user == user.id }).count < settings.blocksOfUser else {
      throw DomainError.limitReached
    }
    blocks[block] = now
  }

  func unblock(_ actor: String?, _ userId: String) throws {
    blocks[UserBlock(user: try signedIn(actor).id, blocked: userId)] = nil
  }

  func blockedUsers(_ actor: String?) throws -> [BlockedUser] {
    let user = try signedIn(actor)
    let own = blocks.filter { $0.key.user == user.id }.sorted {
      $0.value == $1.value ? $0.key.blocked < $1.key.blocked : $0.value > $1.value
    }
    return own.compactMap { block, blockedAt in
      account(block.blocked).map {
        BlockedUser(
          id: $0.id, displayName: $0.displayName, photoURL: $0.photoURL, blockedAt: blockedAt)
      }
    }
  }

  func report(_ actor: String?, _ report: UserReport) throws {
    let user = try signedIn(actor)
    guard report.note.unicodeScalars.count <= 1_000, report.userId != user.id else {
      throw DomainError.invalidInput
    }
    if let known = reports.first(where: { $0.report.id == report.id }) {
      guard known.reporter == user.id, known.report == report else {
        throw DomainError.conflictingRepeat
      }
      return
    }
    let members = groups[report.groupId]?.members ?? [:]
    if members[user.id] == nil { _ = try visibleGroup(actor, report.groupId) }
    guard members[report.userId] != nil else { throw DomainError.notAMember }
    let recent = reports.filter {
      $0.reporter == user.id && $0.createdAt > now.addingTimeInterval(-3_600)
    }
    guard recent.count < settings.reportsAnHour else { throw DomainError.limitReached }
    reports.append(StoredReport(reporter: user.id, report: report, createdAt: now))
  }
}
