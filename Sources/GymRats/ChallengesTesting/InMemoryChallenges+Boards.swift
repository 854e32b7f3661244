import Challenges
import Foundation

extension InMemoryChallenges {
  /// Returns a group that the actor is in.
  func visibleGroup(_ actor: String?, _ groupId: String) throws -> StoredGroup {
    let user = try signedIn(actor)
    guard let stored = groups[groupId], stored.group.isActive else {
      throw DomainError.groupNotFound
    }
    guard stored.members[user.id]?.member.isActive == true else { throw DomainError.notAMember }
    return stored
  }

  func challenge(_ place: BoardPlace) -> Challenge {
    let board = boards[place, default: StoredBoard(createdAt: now)]
    boards[place] = board
    return Challenge(
      id: place.id, groupId: place.groupId, type: place.type, week: place.week,
      isActive: groups[place.groupId]?.group.isActive == true && now < place.week.endDate,
      createdAt: board.createdAt)
  }

  func currentWeekChallenges(_ actor: String?, _ groupId: String) throws -> [Challenge] {
    _ = try visibleGroup(actor, groupId)
    return ChallengeType.allCases.map {
      challenge(BoardPlace(groupId: groupId, week: Week(containing: now), type: $0))
    }
  }

  func snapshot(
    _ actor: String?, _ groupId: String, _ type: ChallengeType
  ) throws -> LeaderboardSnapshot {
    _ = try visibleGroup(actor, groupId)
    let place = BoardPlace(groupId: groupId, week: Week(containing: now), type: type)
    let challenge = challenge(place)
    return LeaderboardSnapshot(
      challenge: challenge, entries: boards[place]?.entries ?? [], viewer: actor,
      rankVersion: boards[place]?.version ?? 0, takenAt: now)
  }

  func entries(_ actor: String?, _ challengeId: String) throws -> [LeaderboardEntry] {
    _ = try signedIn(actor)
    guard let place = boards.keys.first(where: { $0.id == challengeId }) else {
      throw DomainError.challengeNotFound
    }
    _ = try visibleGroup(actor, place.groupId)
    return boards[place]?.entries ?? []
  }

  // MARK: Ranks

  func isClosed(_ week: Week) -> Bool { now >= week.endDate.addingTimeInterval(settings.grace) }

  /// Computes the ranks of a group's open boards.
  ///
  /// The standings of closed boards do not change.
  func publish(_ groupId: String) {
    guard groups[groupId]?.group.isActive == true else { return }
    let weeks = Set(
      [Week(containing: now)] + boards.keys.filter { $0.groupId == groupId }.map(\.week))
    for week in weeks where !isClosed(week) {
      for type in ChallengeType.allCases {
        publish(BoardPlace(groupId: groupId, week: week, type: type))
      }
    }
  }

  private func publish(_ place: BoardPlace) {
    let members = groups[place.groupId]?.members ?? [:]
    let contenders = members.values.compactMap { contender($0.member, in: place) }
    let old = Dictionary(
      (boards[place]?.entries ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let entries = Ranking.ranked(contenders, by: settings.ranks[place.type] ?? .competition)
      .map { contender, rank in
        let user = users[contender.id]?.user
        let before = old[contender.id]
        return LeaderboardEntry(
          id: contender.id, displayName: user?.displayName ?? "", photoURL: user?.photoURL,
          value: contender.value, rank: rank,
          lastUpdated: before?.value == contender.value ? before?.lastUpdated ?? now : now)
      }
    var board = boards[place, default: StoredBoard(createdAt: now)]
    if board.entries != entries {
      board.entries = entries
      board.version += 1
    }
    boards[place] = board
  }

  private func contender(_ member: GroupMember, in place: BoardPlace) -> Ranking.Contender? {
    // The board shows only current members who share their workouts.
    guard member.isActive, users[member.id]?.user.privacySettings.shareWorkoutData == true else {
      return nil
    }
    let counted = (ledger[member.id] ?? [:]).values
      .filter { $0.isCounted && $0.groupId == place.groupId }
    let score: (value: Int, reachedAt: Int64)?
    switch place.type {
    case .checkIns:
      let inside = counted.filter { $0.week == place.week && !$0.hasMissedBoard }
      score = inside.map { Streak.Workout(at: $0.instant, utcOffset: 0).instant }.max()
        .map { (inside.count, $0) }
    case .streak where settings.takesReportedStreaks:
      score = reportedStreaks[member.id]?[place].map {
        ($0.days, Streak.Workout(at: $0.reportedAt, utcOffset: 0).instant)
      }
    case .streak:
      score = Streak(counted.map { Streak.Workout(at: $0.instant, utcOffset: $0.utcOffset) })
        .score(in: place.week, by: settings.streaks)
    }
    return score.map {
      Ranking.Contender(
        id: member.id, value: $0.value, reachedAt: $0.reachedAt,
        joinedAt: Streak.Workout(at: member.joinedAt, utcOffset: 0).instant)
    }
  }

  // MARK: Direct changes to values

  /// Returns the board of a challenge if the actor may change it now.
  private func writableBoard(
    _ actor: String?, _ challengeId: String, _ userId: String, _ type: ChallengeType
  ) throws -> BoardPlace {
    let user = try signedIn(actor, as: userId)
    let week = Week(containing: now)
    let known = boards.keys.first { $0.id == challengeId }
    guard let place = known else { throw DomainError.challengeNotFound }
    guard user.currentGroupId == place.groupId else { throw DomainError.notAMember }
    guard place.type == type else { throw DomainError.invalidChallengeType }
    guard place.week >= week else { throw DomainError.challengeExpired }
    guard place.week == week else { throw DomainError.invalidInput }
    return place
  }

  func incrementCheckIn(
    _ actor: String?, _ challengeId: String, _ userId: String, _ key: String?
  ) throws -> WorkoutAnswer {
    if let key, let known = ledger[try signedIn(actor, as: userId).id]?[key] {
      return known.answerAgain
    }
    _ = try writableBoard(actor, challengeId, userId, .checkIns)
    let id = key ?? "check-in/\(UUID().uuidString.lowercased())"
    return try recordWorkout(actor, WorkoutHistoryEntry(id: id, performedAt: nil))
  }

  func updateStreak(
    _ actor: String?, _ challengeId: String, _ userId: String, _ days: Int
  ) throws -> WorkoutAnswer {
    let user = try signedIn(actor, as: userId)
    guard settings.takesReportedStreaks else { throw DomainError.streakIsDerived }
    guard 0...3_650 ~= days else { throw DomainError.invalidInput }
    let place = try writableBoard(actor, challengeId, userId, .streak)
    guard user.privacySettings.shareWorkoutData else {
      return WorkoutAnswer(outcome: .ignoredPrivacy, week: nil, isReplayed: false)
    }
    let isSame = reportedStreaks[userId]?[place]?.days == days
    if !isSame {
      reportedStreaks[userId, default: [:]][place] = StoredStreak(days: days, reportedAt: now)
      refresh()
    }
    return WorkoutAnswer(outcome: .accepted, week: place.week, isReplayed: isSame)
  }
}
