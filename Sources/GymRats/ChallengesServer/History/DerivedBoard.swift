public import Challenges

/// A board as it was at an instant, derived from what the ledger said then.
///
/// The formulas are those that apps have, ``Streak`` and ``Ranking``: nothing that the database derived is
/// looked at.
public struct DerivedBoard: Sendable {
  /// One member's place.
  public struct Place: Sendable, Hashable {
    /// The user's id and the name of now.
    public let user, name: String
    /// Workouts, or the length of the streak.
    public let value: Int
    /// From 1; equal values share a rank, unless each has its own.
    public let rank: Int
    /// From 1, unique.
    public let position: Int
    /// When the value was reached, and when the member joined: microseconds since 1970.
    public let reachedAt, joinedAt: Int64
  }

  /// The instant whose ledger it shows: the one that was asked for, or that of the close before it.
  public let instant: Int64
  /// Whether it had been closed by then.
  public let isClosed: Bool
  /// Whether the week was not reopened after that close, so that the board shows what is stored of it.
  public let isFinal: Bool

  let kept: KeptWeek
  let type: ChallengeType
  private let workouts: [String: [KeptWeek.Workout]]

  /// A board of a week; nil where it was not there yet.
  ///
  /// - Parameter instant: microseconds since 1970.
  public init?(_ type: ChallengeType, of kept: KeptWeek, at instant: Int64) {
    guard let board = kept.board(type), board.createdAt <= instant else { return nil }
    let closings =
      kept.reopenings.map { (at: $0.closedAt, end: $0.reopenedAt) }
      + (board.closedAt.map { [(at: $0, end: Int64.max)] } ?? [])
    let closing = closings.last { $0.at <= instant && instant < $0.end }
    self.kept = kept
    self.type = type
    self.instant = closing?.at ?? instant
    isClosed = closing != nil
    isFinal = closing?.end == .max
    workouts = Dictionary(
      grouping: kept.workouts.filter { $0.isCounted && $0.group == kept.group }, by: \.user)
  }

  /// Who was on it, by position.
  public var places: [Place] {
    let members = Dictionary(
      kept.members.map { ($0.user, $0) }, uniquingKeysWith: { first, _ in first })
    let contenders = kept.members.filter(isShown).compactMap { member in
      score(of: member).map {
        Ranking.Contender(
          id: member.user, value: $0.value, reachedAt: $0.reachedAt, joinedAt: member.joinedAt)
      }
    }
    return Ranking.ranked(contenders, by: kept.policy(of: type)).enumerated().map {
      index, ranked in
      Place(
        user: ranked.contender.id, name: members[ranked.contender.id]?.name ?? "",
        value: ranked.contender.value, rank: ranked.rank, position: index + 1,
        reachedAt: ranked.contender.reachedAt, joinedAt: ranked.contender.joinedAt)
    }
  }

  // MARK: Values

  /// What the board said of a member, shown or not; nil where nothing counted.
  func score(of member: KeptWeek.Member) -> (value: Int, reachedAt: Int64)? {
    score(of: member, at: instant)
  }

  private func score(
    of member: KeptWeek.Member, at instant: Int64
  ) -> (value: Int, reachedAt: Int64)? {
    if type == .checkIns {
      let counted = checkIns(of: member, at: instant)
      return counted.map(\.performedAt).max().map { (counted.count, $0) }
    }
    if kept.takesReportedStreaks {
      return member.reported.last { $0.at <= instant }.map { ($0.days, $0.at) }
    }
    return streak(of: member, at: instant).score(in: kept.week, by: kept.streakPolicy)
  }

  /// The workouts that are its check-ins: those of the week, within the limit of each local date.
  func checkIns(of member: KeptWeek.Member) -> [KeptWeek.Workout] {
    checkIns(of: member, at: instant)
  }

  private func checkIns(of member: KeptWeek.Member, at instant: Int64) -> [KeptWeek.Workout] {
    let most = kept.checkInsADay == 0 ? Int.max : kept.checkInsADay
    // A local date may begin in the week before: its workouts there come first.
    return Dictionary(grouping: said(of: member, at: instant), by: \.streak.day).values.flatMap {
      $0.sorted { ($0.performedAt, $0.utcOffset) < ($1.performedAt, $1.utcOffset) }.prefix(most)
    }.filter { $0.week == kept.week }
  }

  /// The runs of a member's local dates.
  func streak(of member: KeptWeek.Member) -> Streak { streak(of: member, at: instant) }

  private func streak(of member: KeptWeek.Member, at instant: Int64) -> Streak {
    Streak(said(of: member, at: instant).map(\.streak), after: member.carried?.day)
  }

  /// What the ledger said of a member's workouts.
  private func said(of member: KeptWeek.Member, at instant: Int64) -> [KeptWeek.Workout] {
    (workouts[member.user] ?? []).filter { $0.isSaid(at: instant) }
  }

  // MARK: Which members are shown

  /// Whether the board showed a member, had they a value.
  func isShown(_ member: KeptWeek.Member) -> Bool {
    isShown(member, at: instant, after: kept.reopenings.filter { $0.reopenedAt <= instant })
  }

  /// An open board shows who is a member and shares.
  ///
  /// One that was reopened shows whom it showed when it closed, until they come or go; and who had no entry then, or
  /// one of 0, as the reopening found them.
  private func isShown(
    _ member: KeptWeek.Member, at instant: Int64, after reopenings: [KeptWeek.Reopening]
  ) -> Bool {
    guard let last = reopenings.last, !member.hasMoved(from: last.reopenedAt, to: instant) else {
      return member.isHere(at: instant)
    }
    if score(of: member, at: last.closedAt).map({ $0.value > 0 }) == true {
      return isShown(member, at: last.closedAt, after: reopenings.dropLast())
    }
    let left = member.stays.last { $0.from <= last.reopenedAt }?.until
    return member.shares(at: last.reopenedAt)
      && (left.map { $0 > last.reopenedAt || $0 >= kept.week.end * 1_000_000 } ?? true)
  }
}

extension KeptWeek {
  /// Whether streaks are those that clients reported.
  var takesReportedStreaks: Bool { streakSource == "reported" }
}

extension KeptWeek.Member {
  func isMember(at instant: Int64) -> Bool { stays.contains { $0.contains(instant) } }

  func shares(at instant: Int64) -> Bool { !pauses.contains { $0.contains(instant) } }

  func isHere(at instant: Int64) -> Bool { isMember(at: instant) && shares(at: instant) }

  /// Whether something happened that hides a member's entries, or shows them again.
  func hasMoved(from start: Int64, to end: Int64) -> Bool {
    let range = start...max(start, end)
    func isIn(_ instant: Int64?) -> Bool { instant.map(range.contains) ?? false }
    return stays.contains { isIn($0.until) || isIn($0.from) && shares(at: $0.from) }
      || pauses.contains {
        isIn($0.from) || isIn($0.until) && isMember(at: $0.until ?? 0)
      }
  }
}
