public import Challenges
import ProductKit

extension RankExplanation {
  /// The maximum number of higher-ranked members that an explanation lists.
  private static let mostAhead = 10

  /// Explains a member's current place on a board.
  ///
  /// If the board is closed, the explanation is about the member's place when the board was closed.
  ///
  /// The result is nil if the board does not exist or the user was never a member.
  public init?(of user: String, on type: ChallengeType, in kept: KeptWeek) {
    guard let member = kept.members.first(where: { $0.user.hasSameBytes(as: user) }),
      let board = kept.board(type), let derived = DerivedBoard(type, of: kept, at: kept.now)
    else { return nil }
    let places = derived.places
    let own = places.first { $0.user.hasSameBytes(as: user) }
    let score = derived.score(of: member)
    let standing = kept.standings.first {
      $0.type == type && $0.user.hasSameBytes(as: user)
    }
    group = kept.group
    groupName = kept.groupName
    weekStart = kept.weekStart
    self.type = type
    state =
      board.state == "open" && kept.now >= kept.week.end * 1_000_000 ? "settling" : board.state
    self.user = user
    name = member.name
    value = score?.value ?? 0
    reachedAt = score?.reachedAt.isoText
    rank = own?.rank
    position = own?.position
    hidden =
      derived.isShown(member)
      ? nil : member.isMember(at: derived.instant) ? "does not share" : "left"
    streak = type == .streak ? ShownStreak(of: member, on: derived) : nil
    workouts = Self.judged(of: member, on: derived)
    pauses = member.pauses.filter { $0.meets(kept.week) }.map {
      Pause(from: $0.from.isoText, until: $0.until?.isoText)
    }
    let index = own.map { $0.position - 1 } ?? places.count
    ahead = places[..<index].suffix(Self.mostAhead).reversed().map { other in
      Rival(other, by: own.map { Decision(between: other, and: $0) } ?? .value)
    }
    behind = own.flatMap { own in
      places.dropFirst(index + 1).first.map { Rival($0, by: Decision(between: own, and: $0)) }
    }
    publishedValue = standing?.value
    publishedRank = standing?.rank
    isWaiting = board.isWaiting
    let entry = kept.entries.first { $0.type == type && $0.user.hasSameBytes(as: user) }
    differences = Self.differences(
      of: own, score, standing, entry,
      on: derived, isWaiting: board.isWaiting, isShown: derived.isShown(member))
  }

  private static func differences(
    of own: DerivedBoard.Place?, _ score: (value: Int, reachedAt: Int64)?,
    _ standing: KeptPlace?, _ entry: KeptWeek.Entry?, on board: DerivedBoard,
    isWaiting: Bool, isShown: Bool
  ) -> [String] {
    var list: [String] = []
    let value = score?.value ?? 0
    if entry?.value ?? 0 != value {
      list.append("the entry says \(entry?.value ?? 0), the ledger \(value)")
    } else if let entry, let score, !board.isClosed, entry.reachedAt != score.reachedAt {
      list.append(
        "the entry was reached at \(entry.reachedAt.isoText), by the ledger at "
          + score.reachedAt.isoText)
    }
    if let entry, !board.isClosed, entry.value > 0, entry.isHidden == isShown {
      list.append("the entry is \(entry.isHidden ? "hidden" : "shown"), and ought not to be")
    }
    if !isWaiting, standing?.value ?? 0 != own?.value ?? 0 {
      list.append("published is \(standing?.value ?? 0), by the ledger \(own?.value ?? 0)")
    } else if !isWaiting, standing?.rank != own?.rank {
      list.append(
        "published is rank \(standing.map { "\($0.rank)" } ?? "none"), by the ledger "
          + "\(own.map { "\($0.rank)" } ?? "none")")
    }
    return list
  }

  /// Returns all workouts of the week that the current ledger contains.
  ///
  /// For a workout that does not count, the result contains the reason.
  private static func judged(
    of member: KeptWeek.Member, on board: DerivedBoard
  ) -> [JudgedWorkout] {
    let counted = Set(board.checkIns(of: member).map(\.workout.bytes))
    return board.kept.workouts
      .filter {
        $0.user.hasSameBytes(as: member.user) && $0.until == nil && $0.week == board.kept.week
      }
      .sorted { ($0.performedAt, $0.workout) < ($1.performedAt, $1.workout) }
      .map { workout in
        JudgedWorkout(
          workout: workout.workout, performedAt: workout.performedAt.isoText,
          receivedAt: workout.from.isoText,
          date: CivilDate.text(ofDay: workout.streak.day), outcome: workout.outcome,
          reason: workout.reason,
          because: board.whyNot(workout, isWithinLimit: counted.contains(workout.workout.bytes)))
      }
  }
}

extension RankExplanation.Rival {
  fileprivate init(_ place: DerivedBoard.Place, by decision: RankExplanation.Decision) {
    self.init(
      user: place.user, name: place.name, value: place.value, rank: place.rank,
      position: place.position, reachedAt: place.reachedAt.isoText,
      joinedAt: place.joinedAt.isoText, by: decision)
  }
}

extension RankExplanation.ShownStreak {
  fileprivate init(of member: KeptWeek.Member, on board: DerivedBoard) {
    guard !board.kept.takesReportedStreaks else {
      self.init(policy: "reported", dates: [], earlier: 0)
      return
    }
    let policy = board.kept.streakPolicy
    let days = board.streak(of: member).shownDays(in: board.kept.week, by: policy)
    self.init(
      policy: policy.rawValue, dates: days.map { CivilDate.text(ofDay: $0.day) },
      earlier: (days.last?.run ?? 0) - days.count)
  }
}

extension DerivedBoard {
  /// Returns the reason why a workout in the week does not count on the board, or nil if it counts.
  fileprivate func whyNot(_ workout: KeptWeek.Workout, isWithinLimit: Bool) -> String? {
    if workout.isDeleted { return "it was deleted" }
    guard workout.isCounted else {
      return switch workout.reason {
      case "beforeJoining": "it was performed before the member joined"
      case "notAMember": "it was performed while the user was not a member"
      case "tooOld": "it arrived more than 7 days after it was performed"
      case "futureTimestamp": "its time was in the future when it arrived"
      default: workout.outcome == "noActiveGroup" ? "the user was in no group" : workout.outcome
      }
    }
    guard workout.group?.hasSameBytes(as: kept.group) == true else {
      return "it counts in group \(workout.group ?? "none")"
    }
    if isClosed, workout.from > instant { return "it arrived or changed after the board closed" }
    guard type == .checkIns else {
      return kept.takesReportedStreaks ? "streaks are those that are reported" : nil
    }
    return isWithinLimit ? nil : "it exceeds the limit of \(kept.checkInsADay) per day"
  }
}

extension KeptWeek.Span {
  fileprivate func meets(_ week: Week) -> Bool {
    from < week.end * 1_000_000 && (until.map { $0 > week.start * 1_000_000 } ?? true)
  }
}
