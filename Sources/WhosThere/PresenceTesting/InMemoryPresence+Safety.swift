public import Foundation
public import Presence

/// A block, which consists of the blocking user and the blocked user.
struct UserBlock: Hashable, Sendable {
  let user: String
  let blocked: String
}

extension InMemoryPresence {
  /// A report that the server has stored.
  public struct StoredReport: Hashable, Sendable {
    /// The id of the user who sent the report, or nil if the account was deleted.
    public let reporter: String?
    /// The report.
    public let report: UserReport
    /// The text of the reported message, or nil if the report is not about a message.
    public let text: String?
    /// The time when the server received the report.
    public let createdAt: Date
  }

  /// Returns the users whom a user has blocked.
  func blockedUsers(by userId: String?) -> [String] {
    blocks.keys.filter { $0.user == userId }.map(\.blocked)
  }

  /// Returns all users who have blocked the given user or whom the given user has blocked.
  func hiddenUsers(from userId: String?) -> [String] {
    blockedUsers(by: userId) + blocks.keys.filter { $0.blocked == userId }.map(\.user)
  }

  /// Returns the number of users whom the given user sees at a group's place.
  func presentCount(of groupId: String, seenBy userId: String) -> Int {
    let hidden = hiddenUsers(from: userId)
    guard !hidden.isEmpty else { return summaries[groupId]?.presentCount ?? 0 }
    return presences.values.filter {
      $0.groupId == groupId && $0.isPresent && !hidden.contains($0.userId)
    }.count
  }

  func block(_ actor: String?, _ userId: String) throws(AppError) {
    let user = try signedIn(actor)
    guard userId != user.id else { throw .invalidInput("a user cannot block the same user") }
    let block = UserBlock(user: user.id, blocked: userId)
    guard blocks[block] == nil else { return }
    let isKnown = groups.values.contains { stored in
      let current = [user.id, userId].filter { stored.members[$0] != nil }
      return !current.isEmpty
        && [user.id, userId].allSatisfy { current.contains($0) || stored.wasMember($0) }
    }
    guard isKnown else { throw .notAMember }
    guard blockedUsers(by: user.id).count < settings.blocksOfUser else { throw .limitReached }
    blocks[block] = now
    tellGroups()
  }

  func unblock(_ actor: String?, _ userId: String) throws(AppError) {
    blocks[UserBlock(user: try signedIn(actor).id, blocked: userId)] = nil
    tellGroups()
  }

  func blockedUsers(_ actor: String?) throws(AppError) -> [BlockedUser] {
    let user = try signedIn(actor)
    let own = blocks.filter { $0.key.user == user.id }.sorted {
      $0.value == $1.value ? $0.key.blocked < $1.key.blocked : $0.value > $1.value
    }
    return own.compactMap { block, blockedAt in
      users[block.blocked].map {
        BlockedUser(
          id: $0.id, displayName: $0.displayName, photoURL: $0.photoURL, blockedAt: blockedAt)
      }
    }
  }

  func report(_ actor: String?, _ report: UserReport) throws(AppError) {
    let user = try signedIn(actor)
    guard report.note.unicodeScalars.count <= 1_000 else {
      throw .invalidInput("a note has at most 1,000 characters")
    }
    guard report.userId != user.id else {
      throw .invalidInput("a user cannot report the same user")
    }
    if let known = reports.first(where: { $0.report.id == report.id }) {
      guard known.reporter == user.id, known.report == report else { throw .conflictingRepeat }
      return
    }
    let stored = groups[report.groupId]
    if stored?.wasMember(user.id) != true { _ = try joined(actor, report.groupId) }
    guard let stored, stored.members[report.userId] != nil || stored.wasMember(report.userId)
    else { throw .notAMember }
    let recent = reports.filter {
      $0.reporter == user.id && $0.createdAt > now.addingTimeInterval(-3_600)
    }
    guard recent.count < settings.reportsAnHour else { throw .limitReached }
    let message = report.messageId.flatMap { messages[$0] }
    guard
      report.messageId == nil
        || (message?.groupId == report.groupId && message?.userId == report.userId)
    else { throw .invalidInput("the message of another user") }
    reports.append(
      StoredReport(reporter: user.id, report: report, text: message?.text, createdAt: now))
  }

  /// Removes the blocks of a deleted account and the reports about it.
  ///
  /// The user's reports about other users are kept without the user's id and without the note.
  func forgetBlocks(of userId: String) {
    blocks = blocks.filter { $0.key.user != userId && $0.key.blocked != userId }
    reports = reports.filter { $0.report.userId != userId }.map { stored in
      guard stored.reporter == userId else { return stored }
      return stored.with(reporter: nil, stored.report.with(userId: stored.report.userId, note: ""))
    }
  }

  /// Moves one user's blocks and reports to another user.
  func mergeBlocks(_ gone: String, into account: String) {
    func owner(_ user: String) -> String { user == gone ? account : user }
    for (block, at) in blocks where block.user == gone || block.blocked == gone {
      blocks[block] = nil
      let merged = UserBlock(user: owner(block.user), blocked: owner(block.blocked))
      if merged.user != merged.blocked { blocks[merged] = blocks[merged] ?? at }
    }
    reports = reports.map {
      $0.with(
        reporter: $0.reporter.map(owner),
        $0.report.with(userId: owner($0.report.userId), note: $0.report.note))
    }
  }

  /// Sends the observers of each group the changes that result from a new or ended block.
  private func tellGroups() {
    for groupId in groups.keys {
      tell(groupId)
      tellMessages(of: groupId)
    }
  }
}

extension InMemoryPresence.StoredGroup {
  /// Returns whether a user has left the group or been removed from it.
  func wasMember(_ userId: String) -> Bool { left.contains(userId) || removed.contains(userId) }
}

extension InMemoryPresence.StoredReport {
  fileprivate func with(reporter: String?, _ report: UserReport) -> Self {
    Self(reporter: reporter, report: report, text: text, createdAt: createdAt)
  }
}

extension UserReport {
  fileprivate func with(userId: String, note: String) -> UserReport {
    UserReport(
      groupId: groupId, userId: userId, reason: reason, note: note, messageId: messageId, id: id)
  }
}
