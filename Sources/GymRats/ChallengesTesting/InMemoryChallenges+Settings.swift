import Challenges
import ChallengesApp
import Foundation

/// Changes names, and deletes accounts.
extension InMemoryChallenges {
  func updateProfile(
    _ actor: String?, _ userId: String, _ displayName: String, _ photoURL: URL?
  ) throws {
    let user = try signedIn(actor, as: userId)
    let photo = photoURL?.absoluteString ?? "https://none"
    guard InputLimits.isDisplayName(displayName), photo.hasPrefix("https://"),
      photo.utf8.count <= 2_048
    else { throw DomainError.invalidInput }
    users[user.id]?.user.displayName = displayName
    users[user.id]?.user.photoURL = photoURL
    users[user.id]?.user.asksForName = false
    for groupId in groups.keys {
      groups[groupId]?.members[user.id]?.member.displayName = displayName
      groups[groupId]?.members[user.id]?.member.photoURL = photoURL
    }
    refresh()
  }

  func deleteAccount(_ actor: String?, _ userId: String) throws {
    let user = try signedIn(actor, as: userId)
    if let groupId = user.currentGroupId { exit(user.id, from: groupId, wasRemoved: false) }
    users[user.id] = nil
    ledger[user.id] = nil
    reportedStreaks[user.id] = nil
    clientEvents[user.id] = nil
    attempts[user.id] = nil
    notifications.removeAll { $0.userId == user.id }
    invites.removeAll { $0.createdBy == user.id }
    for groupId in groups.keys { forget(user.id, in: groupId) }
    hideName(of: user.id)
    refresh()
  }

  private func forget(_ userId: String, in groupId: String) {
    guard var stored = groups[groupId] else { return }
    stored.members[userId] = nil
    if stored.deletedBy == userId { stored.deletedBy = nil }
    let group = stored.group
    if group.createdBy == userId {
      stored.group = Group(
        id: group.id, name: group.name, createdAt: group.createdAt, createdBy: nil,
        memberCount: group.memberCount, isActive: group.isActive)
    }
    groups[groupId] = stored
  }

  /// Removes the name of a deleted account from closed boards, but keeps the rank.
  private func hideName(of userId: String) {
    let tombstone = "former-\(UUID().uuidString.lowercased())"
    for (place, board) in boards {
      guard let index = board.entries.firstIndex(where: { $0.id == userId }) else { continue }
      let entry = board.entries[index]
      boards[place]?.entries[index] = LeaderboardEntry(
        id: tombstone, displayName: "Former member", value: entry.value, rank: entry.rank,
        lastUpdated: entry.lastUpdated)
      boards[place]?.version += 1
    }
  }

  // MARK: Groups

  func updateGroup(_ actor: String?, _ groupId: String, _ name: String) throws -> Group {
    var group = try administered(actor, groupId).group
    guard InputLimits.isGroupName(name) else { throw DomainError.invalidInput }
    group.name = name
    groups[groupId]?.group = group
    return group
  }

  /// Checks that the actor is a member of the group.
  ///
  /// The in-memory server does not send notifications about rank changes, so there is nothing to
  /// mute.
  func muteGroup(_ actor: String?, _ groupId: String) throws {
    _ = try visibleGroup(actor, groupId)
  }
}
