import Challenges
import ChallengesApp
import Foundation

extension InMemoryChallenges {
  func createGroup(
    _ actor: String?, _ id: String, _ name: String, _ ownerId: String
  ) throws -> Group {
    let user = try signedIn(actor, as: ownerId)
    guard InputLimits.isIdentifier(id), InputLimits.isGroupName(name) else {
      throw DomainError.invalidInput
    }
    if let known = groups[id]?.group, user.currentGroupId == id {
      // A repeated call succeeds, because the response to the first call may have been lost.
      guard known.createdBy == user.id, known.name == name else {
        throw DomainError.conflictingRepeat
      }
      return known
    }
    // A user in another group must not learn whether a group with the given id exists.
    guard user.currentGroupId == nil else {
      throw DomainError.alreadyInGroup(groupId: user.currentGroupId)
    }
    guard groups[id] == nil else { throw DomainError.conflictingRepeat }
    groups[id] = StoredGroup(
      group: Group(
        id: id, name: name, createdAt: now, createdBy: user.id, memberCount: 0, isActive: true))
    enter(user, groupId: id, as: .admin)
    return groups[id]?.group
      ?? Group(
        id: id, name: name, createdAt: now, createdBy: user.id, memberCount: 1, isActive: true)
  }

  /// Adds a member without checking the permission.
  private func enter(_ user: SocialUser, groupId: String, as role: GroupRole) {
    var stored =
      groups[groupId]?.members[user.id]
      ?? StoredMember(
        member: GroupMember(
          id: user.id, displayName: user.displayName, photoURL: user.photoURL, joinedAt: now,
          role: role, isActive: true), stays: [])
    stored.member.displayName = user.displayName
    stored.member.photoURL = user.photoURL
    stored.member.role = role
    stored.member.isActive = true
    let lastEnd = stored.stays.last?.end
    stored.stays.append(Interval(start: now, end: nil))
    groups[groupId]?.members[user.id] = stored
    groups[groupId]?.group.memberCount += 1
    users[user.id]?.user.currentGroupId = groupId
    // If a former member returns within a day, the other members are not notified.
    if lastEnd.map({ now >= $0.addingTimeInterval(86_400) }) ?? true {
      announce(user, in: groupId)
    }
    refresh()
  }

  func getGroup(_ actor: String?, _ groupId: String) throws -> Group? {
    do {
      return try visibleGroup(actor, groupId).group
    } catch DomainError.groupNotFound, DomainError.notAMember {
      return nil
    }
  }

  func getMembers(_ actor: String?, _ groupId: String) throws -> [GroupMember] {
    try visibleGroup(actor, groupId).members.values.map(\.member).filter(\.isActive)
      .sorted { ($0.joinedAt, $0.id) < ($1.joinedAt, $1.id) }
  }

  func administered(_ actor: String?, _ groupId: String) throws -> StoredGroup {
    let stored = try visibleGroup(actor, groupId)
    guard let actor, stored.members[actor]?.member.role == .admin else {
      throw DomainError.notGroupAdmin
    }
    return stored
  }

  func removeMember(_ actor: String?, _ groupId: String, _ userId: String) throws {
    let stored = try administered(actor, groupId)
    // Members must leave with `leaveGroup`, which appoints a new admin if the only admin leaves.
    guard userId != actor else { throw DomainError.invalidInput }
    // A repeated removal succeeds, because the response to the first call may have been lost.
    guard let target = stored.members[userId], target.member.isActive || target.wasRemoved else {
      throw DomainError.notAMember
    }
    if target.member.isActive { exit(userId, from: groupId, wasRemoved: true) }
  }

  func leaveGroup(_ actor: String?, _ groupId: String, _ userId: String) throws {
    let user = try signedIn(actor, as: userId)
    guard let member = groups[groupId]?.members[user.id] else {
      _ = try visibleGroup(actor, groupId)
      return
    }
    if member.member.isActive { exit(user.id, from: groupId, wasRemoved: false) }
  }

  func exit(_ userId: String, from groupId: String, wasRemoved: Bool) {
    guard var stored = groups[groupId] else { return }
    stored.members[userId]?.member.isActive = false
    stored.members[userId]?.member.role = .member
    stored.members[userId]?.wasRemoved = wasRemoved
    let last = (stored.members[userId]?.stays.count ?? 0) - 1
    stored.members[userId]?.stays[last].end = now
    stored.group.memberCount -= 1
    stored.group.isActive = stored.group.memberCount > 0
    let staying = stored.members.values.map(\.member).filter(\.isActive)
    if !staying.contains(where: { $0.role == .admin }),
      let longest = staying.min(by: { ($0.joinedAt, $0.id) < ($1.joinedAt, $1.id) })
    {
      stored.members[longest.id]?.member.role = .admin
    }
    groups[groupId] = stored
    users[userId]?.user.currentGroupId = nil
    refresh()
  }

  func deleteGroup(_ actor: String?, _ groupId: String) throws {
    let user = try signedIn(actor)
    if groups[groupId]?.deletedBy == user.id { return }
    var stored = try administered(actor, groupId)
    for (id, member) in stored.members where member.member.isActive {
      stored.members[id]?.member.isActive = false
      stored.members[id]?.stays[member.stays.count - 1].end = now
      users[id]?.user.currentGroupId = nil
    }
    stored.group.isActive = false
    stored.group.memberCount = 0
    stored.deletedBy = user.id
    groups[groupId] = stored
    for index in invites.indices where invites[index].invite.groupId == groupId {
      invites[index].isRevoked = true
    }
    refresh()
  }

  func promote(_ actor: String?, _ groupId: String, _ userId: String) throws {
    let stored = try administered(actor, groupId)
    guard stored.members[userId]?.member.isActive == true else { throw DomainError.notAMember }
    groups[groupId]?.members[userId]?.member.role = .admin
  }

  // MARK: Invites

  func createInvite(_ actor: String?, _ groupId: String, _ code: InviteCode) throws -> Invite {
    _ = try visibleGroup(actor, groupId)
    guard code.text.wholeMatch(of: /[0-9a-f]{32}/) != nil else { throw DomainError.invalidInput }
    if let known = invites.first(where: { $0.invite.code == code }) {
      guard known.invite.groupId == groupId, known.createdBy == actor else {
        throw DomainError.conflictingRepeat
      }
      return known.invite
    }
    let invite = Invite(
      id: UUID().uuidString.lowercased(), groupId: groupId, code: code,
      expiresAt: now.addingTimeInterval(settings.inviteAge))
    invites.append(StoredInvite(invite: invite, createdBy: actor, createdAt: now))
    return invite
  }

  func listInvites(_ actor: String?, _ groupId: String) throws -> [ListedInvite] {
    _ = try visibleGroup(actor, groupId)
    let valid = invites.filter {
      $0.invite.groupId == groupId && !$0.isRevoked && now < $0.invite.expiresAt
    }
    return valid.sorted { ($1.createdAt, $0.invite.id) < ($0.createdAt, $1.invite.id) }.prefix(100)
      .map {
        ListedInvite(
          id: $0.invite.id, createdBy: $0.createdBy, createdAt: $0.createdAt,
          expiresAt: $0.invite.expiresAt)
      }
  }

  func revokeInvite(_ actor: String?, _ inviteId: String) throws {
    let user = try signedIn(actor)
    guard let index = invites.firstIndex(where: { $0.invite.id == inviteId }) else {
      throw DomainError.inviteInvalid
    }
    let stored = try visibleGroup(actor, invites[index].invite.groupId)
    guard invites[index].createdBy == user.id || stored.members[user.id]?.member.role == .admin
    else { throw DomainError.notGroupAdmin }
    invites[index].isRevoked = true
  }

  /// Returns the group that an invite belongs to.
  ///
  /// The number of wrong codes per hour is limited, so that a user cannot guess a code.
  private func invited(_ user: SocialUser, _ code: InviteCode) throws -> StoredGroup {
    let recent = (attempts[user.id] ?? []).filter { $0 > now.addingTimeInterval(-3_600) }
    guard recent.count < settings.inviteAttempts else { throw DomainError.tooManyAttempts }
    let found = invites.first {
      $0.invite.code == code && !$0.isRevoked && now < $0.invite.expiresAt
        && !isBlocked(user.id, by: $0.createdBy)
    }
    guard let found, let stored = groups[found.invite.groupId], stored.group.isActive else {
      attempts[user.id] = recent + [now]
      throw DomainError.inviteInvalid
    }
    return stored
  }

  func previewInvite(_ actor: String?, _ code: InviteCode) throws -> InvitePreview {
    let group = try invited(try signedIn(actor), code).group
    return InvitePreview(
      groupName: group.name, memberCount: group.memberCount,
      isFull: group.memberCount >= settings.mostMembers)
  }

  func joinGroup(_ actor: String?, _ code: InviteCode) throws -> Group {
    let user = try signedIn(actor)
    let group = try invited(user, code).group
    try admit(user, to: group.id)
    return groups[group.id]?.group ?? group
  }

  private func admit(_ user: SocialUser, to groupId: String) throws {
    guard let stored = groups[groupId], stored.group.isActive else {
      throw DomainError.groupNotFound
    }
    guard user.currentGroupId == nil else {
      throw DomainError.alreadyInGroup(groupId: user.currentGroupId)
    }
    guard stored.group.memberCount < settings.mostMembers else { throw DomainError.groupFull }
    enter(user, groupId: groupId, as: .member)
  }

  func addMember(
    _ groupId: String, _ userId: String, _ displayName: String, _ photoURL: URL?
  ) throws {
    guard InputLimits.isIdentifier(userId), InputLimits.isDisplayName(displayName) else {
      throw DomainError.invalidInput
    }
    guard groups[groupId]?.group.isActive == true else { throw DomainError.groupNotFound }
    // The name of an existing account does not change.
    let known = users[userId]?.user
    let user = known ?? addUser(userId, displayName: displayName)
    if known == nil { users[userId]?.user.photoURL = photoURL }
    try admit(users[userId]?.user ?? user, to: groupId)
  }

  // MARK: Notifications

  private func announce(_ user: SocialUser, in groupId: String) {
    for member in groups[groupId]?.members.values.map(\.member) ?? []
    where member.isActive && member.id != user.id && !isBlocked(user.id, by: member.id) {
      notifications.append(
        GroupNotification(
          id: UUID().uuidString.lowercased(), userId: member.id, groupId: groupId,
          type: .newMember, message: "\(user.displayName) joined", isRead: false, createdAt: now))
    }
  }

  /// Returns the notifications that are visible to a user, newest first.
  private func visible(_ userId: String) -> [GroupNotification] {
    notifications.filter { $0.userId == userId && $0.isVisible(at: now) }
      .sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
  }

  func fetchNotifications(
    _ actor: String?, _ last: GroupNotification?, _ limit: Int
  ) throws -> [GroupNotification] {
    let user = try signedIn(actor)
    guard 1...200 ~= limit else { throw DomainError.invalidInput }
    let behind = visible(user.id).filter { one in
      last.map { (one.createdAt, one.id) < ($0.createdAt, $0.id) } ?? true
    }
    return Array(behind.prefix(limit))
  }

  func badgeCount(_ actor: String?) throws -> Int {
    visible(try signedIn(actor).id).count { !$0.isRead }
  }

  func markAsRead(_ actor: String?, _ ids: [String]) throws {
    let user = try signedIn(actor)
    for index in notifications.indices
    where notifications[index].userId == user.id && ids.contains(notifications[index].id) {
      notifications[index].isRead = true
    }
  }

  func createNotification(_ notification: GroupNotification) throws {
    // Jobs create the notifications about ranks and weeks, so this method rejects these types.
    guard users[notification.userId] != nil, groups[notification.groupId] != nil,
      notification.type == .newMember
    else { throw DomainError.invalidInput }
    // The notification's id makes the call idempotent, so a repeated call does not send a second
    // notification.
    guard !notifications.contains(where: { $0.id == notification.id }) else { return }
    notifications.append(
      GroupNotification(
        id: notification.id, userId: notification.userId, groupId: notification.groupId,
        type: notification.type, message: notification.message, isRead: false, createdAt: now))
  }
}
