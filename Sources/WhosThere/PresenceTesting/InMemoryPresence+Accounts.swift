import Foundation
import Presence

extension InMemoryPresence {
  /// Returns the credential, excluding the nonce, because the nonce does not identify the user.
  private static func subject(_ credential: Credential) -> Credential {
    Credential(provider: credential.provider, token: credential.secret)
  }

  private func beginSession(of user: User) -> (UUID, User) {
    let session = UUID()
    sessions[session] = user.id
    return (session, user)
  }

  func user(ofSession session: UUID) throws(AppError) -> User {
    try reach()
    guard let user = sessions[session].flatMap({ users[$0] }) else { throw .sessionExpired }
    return user
  }

  func endSession(_ session: UUID) throws(AppError) {
    try reach()
    sessions[session] = nil
  }

  func endSessions(of userId: String) throws(AppError) {
    try reach()
    sessions = sessions.filter { $0.value != userId }
  }

  func signIn(_ credential: Credential) throws(AppError) -> (UUID, User) {
    try reach()
    let subject = Self.subject(credential)
    if let user = identities[subject].flatMap({ users[$0] }) { return beginSession(of: user) }
    let user = User(
      id: UUID().uuidString.lowercased(), displayName: "Visitor \(identities.count + 1)",
      asksForName: true, isAnonymous: credential.provider == .anonymous, createdAt: now)
    users[user.id] = user
    identities[subject] = user.id
    return beginSession(of: user)
  }

  func link(_ session: UUID, _ credential: Credential) throws(AppError) -> (UUID, User) {
    var user = try user(ofSession: session)
    guard credential.provider != .anonymous else {
      throw .invalidInput("a device is not an account")
    }
    let subject = Self.subject(credential)
    guard let account = identities[subject].flatMap({ users[$0] }) else {
      identities[subject] = user.id
      if user.isAnonymous {
        user = User(
          id: user.id, displayName: user.displayName, asksForName: user.asksForName,
          photoURL: user.photoURL, isAnonymous: false, timeZone: user.timeZone,
          version: user.version + 1, createdAt: user.createdAt)
        users[user.id] = user
      }
      return (session, user)
    }
    if account.id == user.id { return (session, user) }
    guard user.isAnonymous else { throw .conflictingRepeat }
    merge(user.id, into: account)
    return beginSession(of: account)
  }

  // MARK: A merge

  /// Moves all data of an anonymous user to an existing account.
  ///
  /// The section "Merged accounts" in docs/whosthere/rules.md describes the rules for merging.
  private func merge(_ gone: String, into account: User) {
    settle()
    func owner(_ user: String?) -> String? { user == gone ? account.id : user }
    func owners(_ users: Set<String>) -> Set<String> { Set(users.compactMap { owner($0) }) }
    for id in groups.keys { mergeMembers(gone, into: account, of: id) }
    for index in invites.indices {
      invites[index].redeemed = owners(invites[index].redeemed)
      invites[index].createdBy = owner(invites[index].createdBy)
    }
    identities = identities.mapValues { $0 == gone ? account.id : $0 }
    sessions = sessions.filter { $0.value != gone }
    attempts[gone] = nil
    firstArrivals = firstArrivals.mapValues { owner($0) }
    for (key, command) in commands where key.userId == gone {
      commands[key] = nil
      let own = CommandKey(userId: account.id, id: key.id)
      commands[own] = commands[own] ?? command
    }
    mergeMessages(gone, into: account.id)
    mergeBlocks(gone, into: account.id)
    mergeVisits(gone, into: account.id)
    for place in presences.keys where place.userId == gone { mergePresence(place, account.id) }
    messagesSent[account.id, default: 0] += messagesSent.removeValue(forKey: gone) ?? 0
    mergeUnlocks(gone, into: account.id)
    users[gone] = nil
    award(account.id)
    for groupId in groups.keys { summarize(groupId) }
  }

  /// Merges the memberships of an anonymous user and an existing account in a group.
  ///
  /// If at least one of the users is a member, the account becomes a member.
  ///
  /// The account keeps the earlier joining time and the higher role of the two memberships.
  private func mergeMembers(_ gone: String, into account: User, of id: String) {
    guard var stored = groups[id] else { return }
    if let old = stored.members.removeValue(forKey: gone) {
      let own = stored.members[account.id]
      stored.members[account.id] = GroupMember(
        userId: account.id, displayName: account.displayName, photoURL: account.photoURL,
        role: [old.role, own?.role].contains(.admin) ? .admin : .member,
        joinedAt: min(old.joinedAt, own?.joinedAt ?? old.joinedAt))
    }
    if stored.removed.remove(gone) != nil { stored.removed.insert(account.id) }
    if stored.left.remove(gone) != nil { stored.left.insert(account.id) }
    if stored.members[account.id] != nil {
      stored.removed.remove(account.id)
      stored.left.remove(account.id)
    }
    stored.group.memberCount = stored.members.count
    if stored.group.createdBy == gone { stored.group = stored.group.with(createdBy: account.id) }
    if stored.deletedBy == gone { stored.deletedBy = account.id }
    groups[id] = stored
  }

  /// Merges the stays of an anonymous user and an existing account.
  ///
  /// If both users are currently at the same group's place, the stay that began earlier is kept.
  private func mergeVisits(_ gone: String, into account: String) {
    let all = (visits.removeValue(forKey: gone) ?? []) + (visits[account] ?? [])
    let open = Dictionary(grouping: all.filter { $0.departure == nil }, by: \.groupId)
    let first = open.values.compactMap { $0.min { $0.arrival < $1.arrival } }
    visits[account] = all.filter { $0.departure != nil } + first
  }

  /// Merges the presences of an anonymous user and an existing account in a group.
  ///
  /// The state of a user who is present takes precedence over that of a user who is absent. If both
  /// users are present, a manual state takes precedence over an automatic one. If presence and
  /// source do not decide, the state that changed most recently takes precedence.
  private func mergePresence(_ place: PlaceKey, _ account: String) {
    guard let old = presences.removeValue(forKey: place) else { return }
    let key = PlaceKey(groupId: place.groupId, userId: account)
    func rank(_ state: StoredPresence) -> (Int, Int, Date) {
      let isManual = state.isPresent && state.source == .manual
      return (state.isPresent ? 1 : 0, isManual ? 1 : 0, state.changedAt)
    }
    let states = [old, presences[key]].compactMap(\.self).sorted { rank($0) > rank($1) }
    var merged = StoredPresence(
      states[0], of: account, version: (states.map(\.version).max() ?? 0) + 1)
    if let other = states.last, other.isPresent { merged.since = min(merged.since, other.since) }
    merged.automaticAt = states.compactMap(\.automaticAt).max()
    presences[key] = merged
  }

  /// Merges the achievements of an anonymous user and an existing account.
  ///
  /// For each achievement, the earlier unlock time is kept.
  private func mergeUnlocks(_ gone: String, into account: String) {
    let all = (unlocks.removeValue(forKey: gone) ?? []) + (unlocks[account] ?? [])
    let merged = Dictionary(grouping: all, by: \.type).values.compactMap { both in
      var first = both.min { $0.unlockedAt < $1.unlockedAt }
      first?.isNew = both.allSatisfy(\.isNew)
      return first
    }
    let order = AchievementType.allCases
    unlocks[account] = merged.sorted {
      ($0.unlockedAt, order.firstIndex(of: $0.type) ?? 0)
        < ($1.unlockedAt, order.firstIndex(of: $1.type) ?? 0)
    }
  }
}
