import Foundation
import Presence

extension InMemoryPresence {
  // MARK: Reading groups and members

  /// Returns the group if it is public or the actor is a member.
  private func visible(_ actor: String?, _ groupId: String) throws(AppError) -> StoredGroup {
    let user = try signedIn(actor)
    guard let stored = groups[groupId], stored.group.isActive,
      stored.group.isPublic || stored.members[user.id] != nil
    else { throw .groupNotFound }
    return stored
  }

  /// Returns the group with the given id if the actor is a member.
  func joined(_ actor: String?, _ groupId: String) throws(AppError) -> StoredGroup {
    let stored = try visible(actor, groupId)
    guard let actor, stored.members[actor] != nil else { throw .notAMember }
    return stored
  }

  func administered(_ actor: String?, _ groupId: String) throws(AppError) -> StoredGroup {
    let stored = try joined(actor, groupId)
    guard let actor, stored.members[actor]?.isAdmin == true else { throw .notGroupAdmin }
    return stored
  }

  func getGroup(_ actor: String?, _ groupId: String) throws(AppError) -> LocationGroup? {
    do {
      return try visible(actor, groupId).group
    } catch {
      guard error == .groupNotFound else { throw error }
      return nil
    }
  }

  func getMembers(_ actor: String?, _ groupId: String) throws(AppError) -> [GroupMember] {
    try joined(actor, groupId).members.values
      .sorted { ($0.joinedAt, $0.userId) < ($1.joinedAt, $1.userId) }
  }

  /// Returns the groups for which `isShown` returns true, ordered by name and id.
  ///
  /// Names and ids are compared by bytes, because the order of groups must be the same on every
  /// system.
  private func sorted(_ isShown: (StoredGroup) -> Bool) -> [LocationGroup] {
    groups.values.filter { $0.group.isActive && isShown($0) }.map(\.group)
      .sorted { Self.precedes($0, $1) }
  }

  private static func precedes(_ one: LocationGroup, _ other: LocationGroup) -> Bool {
    let (left, right) = (Array(one.name.utf8), Array(other.name.utf8))
    return left == right
      ? one.id.utf8.lexicographicallyPrecedes(other.id.utf8)
      : left.lexicographicallyPrecedes(right)
  }

  func joinedGroups(_ actor: String?) throws(AppError) -> [LocationGroup] {
    let user = try signedIn(actor)
    return sorted { $0.members[user.id] != nil }
  }

  func publicGroups(
    _ actor: String?, _ last: LocationGroup?, _ limit: Int
  ) throws(AppError) -> [LocationGroup] {
    _ = try signedIn(actor)
    guard InputLimits.pageLengths ~= limit else {
      throw .invalidInput("a page has 1 to 100 groups")
    }
    let behind = sorted(\.group.isPublic).filter { group in
      last.map { Self.precedes($0, group) } ?? true
    }
    return Array(behind.prefix(limit))
  }

  func nearbyGroups(
    _ actor: String?, _ place: Coordinate, _ radius: Double
  ) throws(AppError) -> [LocationGroup] {
    let user = try signedIn(actor)
    guard InputLimits.searchRadii ~= radius else {
      throw .invalidInput("a search goes 50 km far at most")
    }
    let near = sorted { $0.group.isPublic || $0.members[user.id] != nil }
      .map { (group: $0, metres: $0.shape.distance(to: place)) }.filter { $0.metres <= radius }
    return near.sorted { ($0.metres, $0.group.id) < ($1.metres, $1.group.id) }.map(\.group)
  }

  // MARK: Changing groups and members

  private func check(_ group: LocationGroup) throws(AppError) {
    try group.shape.check()
    guard InputLimits.isGroupName(group.name) else { throw .invalidInput("not a name") }
    guard TimeZone(identifier: group.timeZone) != nil else {
      throw .invalidInput("not a time zone")
    }
    guard 1...1_000 ~= group.maxMembers, group.maxMembers >= group.memberCount else {
      throw .invalidInput("not a number of members")
    }
  }

  func createGroup(_ actor: String?, _ wanted: LocationGroup) throws(AppError) -> LocationGroup {
    let user = try signedIn(actor)
    try check(wanted)
    if let known = groups[wanted.id]?.group {
      // A repeated call succeeds, because the response to the first call may have been lost.
      guard groups[wanted.id]?.members[user.id] != nil, known.createdBy == user.id,
        known.name == wanted.name, known.shape == wanted.shape, known.isPublic == wanted.isPublic,
        known.timeZone == wanted.timeZone
      else { throw .conflictingRepeat }
      return known
    }
    let group = LocationGroup(
      id: wanted.id, name: wanted.name, shape: wanted.shape, isPublic: wanted.isPublic,
      timeZone: wanted.timeZone, memberCount: 0, maxMembers: settings.mostMembers, createdAt: now,
      createdBy: user.id)
    groups[group.id] = StoredGroup(group: group)
    return enter(user, group.id, as: .admin)
  }

  func updateGroup(_ actor: String?, _ changed: LocationGroup) throws(AppError) -> LocationGroup {
    var group = try administered(actor, changed.id).group
    (group.name, group.shape, group.isPublic) = (changed.name, changed.shape, changed.isPublic)
    (group.timeZone, group.maxMembers) = (changed.timeZone, changed.maxMembers)
    try check(group)
    groups[group.id]?.group = group
    return group
  }

  /// Adds a member without checking whether the user may join.
  private func enter(_ user: User, _ groupId: String, as role: GroupRole) -> LocationGroup {
    guard var stored = groups[groupId] else { preconditionFailure("a group that was looked at") }
    stored.members[user.id] = GroupMember(
      userId: user.id, displayName: user.displayName, photoURL: user.photoURL, role: role,
      joinedAt: now)
    stored.removed.remove(user.id)
    stored.left.remove(user.id)
    stored.group.memberCount = stored.members.count
    groups[groupId] = stored
    return stored.group
  }

  /// Adds a user who is permitted to join, or does nothing if the user is already a member.
  func admit(_ user: User, to groupId: String) throws(AppError) -> LocationGroup {
    guard let stored = groups[groupId], stored.group.isActive else { throw .groupNotFound }
    guard stored.members[user.id] == nil else { return stored.group }
    guard !stored.group.isFull else { throw .groupFull }
    return enter(user, groupId, as: .member)
  }

  func joinPublicGroup(_ actor: String?, _ groupId: String) throws(AppError) -> LocationGroup {
    let user = try signedIn(actor)
    guard try visible(actor, groupId).group.isPublic else { throw .groupNotFound }
    return try admit(user, to: groupId)
  }

  /// Removes a member.
  ///
  /// If the removed member was the last admin, the member who joined first becomes an admin.
  func exit(_ userId: String, from groupId: String) {
    guard var stored = groups[groupId] else { return }
    stored.members[userId] = nil
    stored.group.memberCount = stored.members.count
    stored.group.isActive = !stored.members.isEmpty
    if !stored.members.values.contains(where: \.isAdmin),
      let longest = stored.members.values.min(by: {
        ($0.joinedAt, $0.userId) < ($1.joinedAt, $1.userId)
      })
    {
      stored.members[longest.userId]?.role = .admin
    }
    groups[groupId] = stored
    endPresence(of: userId, in: groupId)
    tellMessages(of: groupId)
  }

  func leaveGroup(_ actor: String?, _ groupId: String) throws(AppError) {
    let user = try signedIn(actor)
    // A repeated call succeeds, because the response to the first call may have been lost.
    if groups[groupId]?.left.contains(user.id) == true { return }
    _ = try joined(actor, groupId)
    exit(user.id, from: groupId)
    groups[groupId]?.left.insert(user.id)
  }

  func removeMember(
    _ actor: String?, _ groupId: String, _ userId: String
  ) throws(AppError) {
    let stored = try administered(actor, groupId)
    // An admin cannot remove themselves, but can call the method for leaving the group.
    guard userId != actor else { throw .invalidInput("an admin leaves") }
    if stored.removed.contains(userId) { return }
    guard stored.members[userId] != nil else { throw .notAMember }
    exit(userId, from: groupId)
    groups[groupId]?.removed.insert(userId)
  }

  func promote(_ actor: String?, _ groupId: String, _ userId: String) throws(AppError) {
    guard try administered(actor, groupId).members[userId] != nil else { throw .notAMember }
    groups[groupId]?.members[userId]?.role = .admin
  }

  func deleteGroup(_ actor: String?, _ groupId: String) throws(AppError) {
    let user = try signedIn(actor)
    if groups[groupId]?.deletedBy == user.id { return }
    var stored = try administered(actor, groupId)
    let members = stored.members.keys
    stored.members = [:]
    (stored.group.memberCount, stored.group.isActive) = (0, false)
    stored.deletedBy = user.id
    groups[groupId] = stored
    for member in members { endPresence(of: member, in: groupId) }
    tellMessages(of: groupId)
  }
}
