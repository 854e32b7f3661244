import Foundation
import Presence

extension InMemoryPresence {
  /// The invite that opens something now.
  private func current(_ groupId: String) -> GroupInvite? {
    invites.first {
      $0.invite.groupId == groupId && $0.isCurrent && !$0.invite.isExpired(at: now)
    }?.invite
  }

  private func issue(_ groupId: String, _ lifetime: Duration) -> GroupInvite {
    for index in invites.indices where invites[index].invite.groupId == groupId {
      invites[index].isCurrent = false
    }
    var code = InviteCode.random()
    while invites.contains(where: { $0.invite.code == code }) { code = .random() }
    let seconds = TimeInterval(lifetime.components.seconds)
    let invite = GroupInvite(
      code: code, groupId: groupId, expiresAt: now.addingTimeInterval(seconds))
    invites.append(StoredInvite(invite: invite))
    return invite
  }

  func currentInvite(_ actor: String?, _ groupId: String) throws(AppError) -> GroupInvite {
    _ = try joined(actor, groupId)
    return current(groupId) ?? issue(groupId, GroupInvite.lifetime)
  }

  func rotateInvite(
    _ actor: String?, _ groupId: String, _ lifetime: Duration
  ) throws(AppError) -> GroupInvite {
    _ = try administered(actor, groupId)
    guard lifetime >= .seconds(1) else { throw .invalidInput("an invite lives for a second") }
    return issue(groupId, lifetime)
  }

  func redeemInvite(_ actor: String?, _ code: InviteCode) throws(AppError) -> LocationGroup {
    let user = try signedIn(actor)
    let index = invites.firstIndex { $0.invite.code == code }
    // The first answer may have been lost, and the invite be over since.
    if let index, invites[index].redeemed.contains(user.id),
      let stored = groups[invites[index].invite.groupId], stored.members[user.id] != nil
    {
      return stored.group
    }
    let recent = (attempts[user.id] ?? []).filter { $0 > now.addingTimeInterval(-3_600) }
    guard recent.count < settings.inviteAttempts else { throw .tooManyAttempts }
    guard let index, invites[index].isCurrent,
      let stored = groups[invites[index].invite.groupId], stored.group.isActive
    else {
      // Counted, so that whoever guesses is stopped.
      attempts[user.id] = recent + [now]
      throw .inviteInvalid
    }
    guard !invites[index].invite.isExpired(at: now) else {
      attempts[user.id] = recent + [now]
      throw .inviteExpired
    }
    guard stored.members[user.id] == nil else { throw .alreadyAMember }
    let group = try admit(user, to: stored.group.id)
    invites[index].redeemed.insert(user.id)
    return group
  }
}
