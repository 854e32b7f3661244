import Presence

extension InMemoryPresence {
  func getUser(_ actor: String?, _ userId: String) throws(AppError) -> User? {
    let user = try signedIn(actor)
    return user.id == userId ? user : nil
  }

  /// Returns the names and photos of users who share a group with the actor.
  ///
  /// All data of an account except the name and the photo is private.
  func getUsers(_ actor: String?, _ userIds: [String]) throws(AppError) -> [User] {
    let user = try signedIn(actor)
    let seen = groups.values.filter { $0.members[user.id] != nil }.flatMap(\.members.keys)
    return Set(userIds).intersection(seen + [user.id]).sorted().compactMap { users[$0] }.map {
      User(
        id: $0.id, displayName: $0.displayName, photoURL: $0.photoURL, version: $0.version,
        createdAt: $0.createdAt)
    }
  }

  func updateUser(_ actor: String?, _ changed: User) throws(AppError) -> User {
    let user = try signedIn(actor)
    guard changed.id == user.id else { throw .notAuthenticated }
    guard InputLimits.isDisplayName(changed.displayName) else {
      throw .invalidInput("not a name")
    }
    let isSame =
      (user.displayName, user.photoURL, user.timeZone)
      == (changed.displayName, changed.photoURL, changed.timeZone)
    guard !isSame else { return user }
    let next = User(
      id: user.id, displayName: changed.displayName,
      asksForName: user.asksForName && changed.displayName == user.displayName,
      photoURL: changed.photoURL, isAnonymous: user.isAnonymous, timeZone: changed.timeZone,
      version: user.version + 1, createdAt: user.createdAt)
    users[user.id] = next
    for id in groups.keys {
      groups[id]?.members[user.id]?.displayName = next.displayName
      groups[id]?.members[user.id]?.photoURL = next.photoURL
    }
    return next
  }

  func deleteAccount(_ actor: String?) throws(AppError) {
    let user = try signedIn(actor)
    for (id, stored) in groups where stored.members[user.id] != nil { exit(user.id, from: id) }
    for (id, stored) in groups where stored.group.createdBy == user.id {
      groups[id]?.group = stored.group.with(createdBy: nil)
    }
    forgetPresences(of: user.id)
    forgetAuthor(user.id)
    forgetBlocks(of: user.id)
    users[user.id] = nil
    identities = identities.filter { $0.value != user.id }
    sessions = sessions.filter { $0.value != user.id }
  }
}

extension LocationGroup {
  /// Returns a copy of the group with the given creator, which is nil if the creator's account was
  /// deleted.
  func with(createdBy: String?) -> LocationGroup {
    LocationGroup(
      id: id, name: name, shape: shape, isPublic: isPublic, timeZone: timeZone,
      memberCount: memberCount, maxMembers: maxMembers, isActive: isActive, createdAt: createdAt,
      createdBy: createdBy)
  }
}
