import Foundation
import Presence

extension InMemoryPresence {
  /// Returns a group's currently valid invite, or nil if the group has none.
  private func current(_ groupId: String) -> GroupInvite? {
    invites.first {
      $0.invite.groupId == groupId && $0.isCurrent && !$0.invite.isExpired(at: now)
    }?.invite
  }

  private func issue(
    _ groupId: String, _ lifetime: Duration, by actor: String?
  ) -> GroupInvite {
    for index in invites.indices where invites[index].invite.groupId == groupId {
      invites[index].isCurrent = false
    }
    var code = InviteCode.random()
    while invites.contains(where: { $0.invite.code == code }) { code = .random() }
    let seconds = TimeInterval(lifetime.components.seconds)
    let invite = GroupInvite(
      code: code, groupId: groupId, expiresAt: now.addingTimeInterval(seconds))
    invites.append(StoredInvite(invite: invite, createdBy: actor))
    return invite
  }

  func currentInvite(_ actor: String?, _ groupId: String) throws(AppError) -> GroupInvite {
    _ = try joined(actor, groupId)
    return current(groupId) ?? issue(groupId, GroupInvite.lifetime, by: actor)
  }

  /// Replaces a group's invite code with a new one.
  ///
  /// If another call has already replaced the code, the current code is returned.
  func rotateInvite(
    _ actor: String?, _ groupId: String, replacing old: InviteCode, _ lifetime: Duration
  ) throws(AppError) -> GroupInvite {
    _ = try administered(actor, groupId)
    guard Self.lifetimes ~= lifetime else {
      throw .invalidInput("an invite lives for a minute to 366 days")
    }
    let there = invites.first { $0.invite.groupId == groupId && $0.isCurrent }?.invite
    if let there, there.code != old { return there }
    return issue(groupId, lifetime, by: actor)
  }

  private static let lifetimes = Duration.seconds(60)...Duration.seconds(366 * 86_400)

  /// Counts an attempt to use a code.
  ///
  /// The method throws an error if the user has made too many attempts.
  private func countAttempt(_ userId: String) throws(AppError) {
    var count = attempts[userId] ?? AttemptCount(beganAt: now)
    if count.beganAt <= now.addingTimeInterval(-3_600) { count = AttemptCount(beganAt: now) }
    count.count += 1
    guard count.count <= settings.inviteAttempts else { throw .tooManyAttempts }
    attempts[userId] = count
  }

  func redeemInvite(_ actor: String?, _ code: InviteCode) throws(AppError) -> LocationGroup {
    let user = try signedIn(actor)
    try countAttempt(user.id)
    // An attempt with an unknown code is counted, because a user might be guessing codes.
    guard let index = invites.firstIndex(where: { $0.invite.code == code }) else {
      throw .inviteInvalid
    }
    attempts[user.id]?.count -= 1
    let there = invites[index]
    guard let stored = groups[there.invite.groupId] else { throw .inviteInvalid }
    if stored.members[user.id] != nil { return stored.group }
    guard there.isCurrent, stored.group.isActive, !there.redeemed.contains(user.id),
      // If the invite's creator has blocked the user, the invite is invalid for the user.
      !blockedUsers(by: there.createdBy).contains(user.id)
    else {
      throw .inviteInvalid
    }
    guard !there.invite.isExpired(at: now) else { throw .inviteExpired }
    let group = try admit(user, to: stored.group.id)
    invites[index].redeemed.insert(user.id)
    return group
  }
}
