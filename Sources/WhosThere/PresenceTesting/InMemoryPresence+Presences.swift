import Foundation
import Presence
import ProductKit

extension InMemoryPresence {
  // MARK: Commands

  func send(_ actor: String?, _ command: PresenceCommand) throws(AppError) -> PresenceAnswer {
    let user = try signedIn(actor)
    let group = try joined(actor, command.groupId).group
    if let stay = command.stay, !StoredPresence.stays.contains(stay) {
      throw .invalidInput("a stay is from a second to 7 days")
    }
    settle()
    let key = CommandKey(userId: user.id, id: command.id)
    if let known = commands[key] {
      guard known.isSame(as: command) else { throw .conflictingRepeat }
      return answer(known.outcome, user, command, isReplayed: true)
    }
    let outcome = outcome(of: command, by: user, in: group)
    commands[key] = StoredCommand(command: command, outcome: outcome)
    let place = PlaceKey(groupId: group.id, userId: user.id)
    if outcome == .accepted {
      change(place, by: command, in: group)
    } else if outcome == .unchanged, command.source == .automatic, command.action == .checkIn {
      presences[place]?.heardAt = now
    }
    return answer(outcome, user, command)
  }

  private func answer(
    _ outcome: PresenceOutcome, _ user: User, _ command: PresenceCommand, isReplayed: Bool = false
  ) -> PresenceAnswer {
    let state = presences[PlaceKey(groupId: command.groupId, userId: user.id)]
    return PresenceAnswer(outcome: outcome, isReplayed: isReplayed, presence: state?.presence)
  }

  private func outcome(
    of command: PresenceCommand, by user: User, in group: LocationGroup
  ) -> PresenceOutcome {
    let state = presences[PlaceKey(groupId: group.id, userId: user.id)]
    let outcome = StoredPresence.outcome(of: command, from: state, at: now)
    guard outcome == .accepted, command.action == .checkIn else { return outcome }
    guard let claim = command.position else {
      return command.source == .automatic ? .implausible : .accepted
    }
    // The plausibility check compares the claimed position with the user's newest stored position
    // in any group.
    let kept = presences.values.filter { $0.userId == user.id }.compactMap(\.position)
    let last = kept.max { $0.at < $1.at }
    guard Plausibility.doubt(about: claim, at: now, after: last) == nil else { return .implausible }
    return group.shape.contains(claim.coordinate, accuracy: claim.accuracy) ? .accepted : .outside
  }

  private func change(_ place: PlaceKey, by command: PresenceCommand, in group: LocationGroup) {
    let before = presences[place]
    presences[place] = .after(command, of: place.userId, from: before, at: now)
    if command.action == .checkOut {
      endVisit(place, at: now)
    } else if before?.isPresent != true {
      let date = localDate(of: group)
      let day = DateKey(groupId: group.id, date: date)
      let isFirst = firstArrivals[day] == nil
      if isFirst { firstArrivals[day] = .some(place.userId) }
      visits[place.userId, default: []].append(
        Visit(
          groupId: group.id, arrival: now, departure: nil, localDate: date, isFirst: isFirst))
    }
    changed(place)
  }

  private func endVisit(_ place: PlaceKey, at departure: Date) {
    guard
      let index = visits[place.userId]?.lastIndex(where: {
        $0.groupId == place.groupId && $0.departure == nil
      }), let open = visits[place.userId]?[index]
    else { return }
    visits[place.userId]?[index] = Visit(
      groupId: open.groupId, arrival: open.arrival, departure: departure,
      localDate: open.localDate, isFirst: open.isFirst)
  }

  func localDate(of group: LocationGroup) -> LocalDate {
    LocalDate(now, in: TimeZone(identifier: group.timeZone) ?? .gmt)
  }

  // MARK: Ends

  /// Ends stays whose deadline has passed.
  ///
  /// A stay ends at the time of its deadline, even if this method is called later.
  func settle() {
    let over = presences.compactMapValues(\.end).filter { $0.value.at <= now }
    for (place, end) in over {
      presences[place]?.leave(at: end.departure, changedAt: end.at)
      presences[place]?.automaticAt = end.at
      endVisit(place, at: end.departure)
    }
    for place in over.keys { changed(place) }
  }

  /// Ends the presence of a user who has left the group.
  func endPresence(of userId: String, in groupId: String) {
    settle()
    let place = PlaceKey(groupId: groupId, userId: userId)
    guard presences[place]?.isPresent == true else { return tell(groupId) }
    presences[place]?.leave(at: now, changedAt: now)
    endVisit(place, at: now)
    changed(place)
  }

  /// Removes the presences of a deleted account.
  ///
  /// The user's first arrivals remain stored without the user's id, so that no later arrival on the
  /// same date counts as a first arrival.
  func forgetPresences(of userId: String) {
    presences = presences.filter { $0.key.userId != userId }
    commands = commands.filter { $0.key.userId != userId }
    firstArrivals = firstArrivals.mapValues { $0 == userId ? nil : $0 }
    (visits[userId], unlocks[userId], messagesSent[userId]) = (nil, nil, nil)
    for groupId in groups.keys { summarize(groupId) }
  }

  private func changed(_ place: PlaceKey) {
    award(place.userId)
    summarize(place.groupId)
  }

  // MARK: Present users

  /// Returns the users at a group's place, newest arrival first.
  private func present(in groupId: String) -> [StoredPresence] {
    presences.values.filter { $0.groupId == groupId && $0.isPresent }
      .sorted { $0.since == $1.since ? $0.userId < $1.userId : $0.since > $1.since }
  }

  private func firstToday(of group: LocationGroup) -> String? {
    firstArrivals[DateKey(groupId: group.id, date: localDate(of: group))] ?? nil
  }

  /// Writes a group's summary if its content has changed.
  func summarize(_ groupId: String) {
    guard let group = groups[groupId]?.group else { return }
    let users = present(in: groupId).map(\.userId)
    let latest = Array(users.prefix(GroupPresenceSummary.mostLatest))
    let first = firstToday(of: group)
    let last = summaries[groupId] ?? StoredSummary(changedAt: group.createdAt)
    if (last.presentCount, last.latest, last.first) != (users.count, latest, first) {
      summaries[groupId] = StoredSummary(
        presentCount: users.count, latest: latest, first: first, version: last.version + 1,
        changedAt: now)
    }
    tell(groupId)
  }

  func snapshot(_ actor: String?, _ groupId: String) throws(AppError) -> PresenceSnapshot {
    let group = try joined(actor, groupId).group
    settle()
    let line = summaries[groupId] ?? StoredSummary(changedAt: group.createdAt)
    let summary = GroupPresenceSummary(
      groupId: groupId, presentCount: line.presentCount, firstToday: firstToday(of: group),
      latest: line.latest, changedAt: line.changedAt, version: line.version)
    let own = actor.flatMap { presences[PlaceKey(groupId: groupId, userId: $0)]?.presence }
    return PresenceSnapshot(
      summary: summary,
      presences: present(in: groupId).prefix(PresenceSnapshot.mostPresences).map(\.presence),
      own: own, takenAt: now
    ).hiding(hiddenUsers(from: actor))
  }
}
