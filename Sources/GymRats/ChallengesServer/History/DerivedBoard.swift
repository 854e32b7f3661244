public import Challenges
import ProductKit

/// A board at a point in time, derived from the ledger's state at that time.
///
/// The places are computed with ``Streak`` and ``Ranking``, which apps also use. Derived data in
/// the database, such as stored entries and standings, is not used.
public struct DerivedBoard: Sendable {
  /// One member's place on the board.
  public struct Place: Sendable, Hashable {
    /// The user's id and current name.
    public let user, name: String
    /// The number of workouts, or the length of the streak in days.
    public let value: Int
    /// The member's rank, starting at 1.
    ///
    /// Members with the same value share a rank, unless the policy is `unique`.
    public let rank: Int
    /// The member's unique position, starting at 1.
    public let position: Int
    /// The time when the value was reached, and the time when the member joined, both in
    /// microseconds since 1970.
    public let reachedAt, joinedAt: Int64
  }

  /// The time of the ledger state from which the board is derived.
  ///
  /// If the board was already closed at the requested time, the value is the time when it was
  /// closed.
  public let instant: Int64
  /// Whether the board was closed at the requested time.
  public let isClosed: Bool
  /// Whether the board was closed at the requested time and was not reopened afterwards.
  ///
  /// If the value is true, the board's stored standings are those that it showed at the requested
  /// time.
  public let isFinal: Bool

  let kept: KeptWeek
  let type: ChallengeType
  /// The counted workouts of each user, keyed by the bytes of the user's id.
  private let workouts: [[UInt8]: [KeptWeek.Workout]]

  /// Derives a week's board at a given time, or returns nil if the board did not exist at that
  /// time.
  ///
  /// - Parameter instant: The time in microseconds since 1970.
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
      grouping: kept.workouts.filter {
        $0.isCounted && $0.group?.hasSameBytes(as: kept.group) == true
      }, by: \.user.bytes)
  }

  /// The members' places, ordered by position.
  public var places: [Place] {
    let members = Dictionary(
      kept.members.map { ($0.user.bytes, $0) }, uniquingKeysWith: { first, _ in first })
    let contenders = kept.members.filter(isShown).compactMap { member in
      score(of: member).map {
        Ranking.Contender(
          id: member.user, value: $0.value, reachedAt: $0.reachedAt, joinedAt: member.joinedAt)
      }
    }
    return Ranking.ranked(contenders, by: kept.policy(of: type)).enumerated().map {
      index, ranked in
      Place(
        user: ranked.contender.id, name: members[ranked.contender.id.bytes]?.name ?? "",
        value: ranked.contender.value, rank: ranked.rank, position: index + 1,
        reachedAt: ranked.contender.reachedAt, joinedAt: ranked.contender.joinedAt)
    }
  }

  // MARK: Values

  /// Returns a member's value and the time when it was reached, even if the board does not show the
  /// member.
  ///
  /// The result is nil if none of the member's workouts were counted.
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

  /// Returns the workouts that the board counts as check-ins.
  ///
  /// The board counts the workouts of the week, up to the limit for each local date.
  func checkIns(of member: KeptWeek.Member) -> [KeptWeek.Workout] {
    checkIns(of: member, at: instant)
  }

  private func checkIns(of member: KeptWeek.Member, at instant: Int64) -> [KeptWeek.Workout] {
    let most = kept.checkInsADay == 0 ? Int.max : kept.checkInsADay
    // If a local date contains workouts from two weeks, the date's check-in limit counts the
    // earlier week's workouts first.
    return Dictionary(grouping: said(of: member, at: instant), by: \.streak.day).values.flatMap {
      $0.sorted { ($0.performedAt, $0.utcOffset) < ($1.performedAt, $1.utcOffset) }.prefix(most)
    }.filter { $0.week == kept.week }
  }

  /// Returns a member's runs of consecutive local dates with a workout.
  func streak(of member: KeptWeek.Member) -> Streak { streak(of: member, at: instant) }

  private func streak(of member: KeptWeek.Member, at instant: Int64) -> Streak {
    Streak(said(of: member, at: instant).map(\.streak), after: member.carried?.day)
  }

  /// Returns a member's workouts that the ledger contained at the given time.
  private func said(of member: KeptWeek.Member, at instant: Int64) -> [KeptWeek.Workout] {
    (workouts[member.user.bytes] ?? []).filter { $0.isSaid(at: instant) }
  }

  // MARK: Which members are shown

  /// Returns whether the board shows a member, provided that the member has a value.
  func isShown(_ member: KeptWeek.Member) -> Bool {
    isShown(member, at: instant, after: kept.reopenings.filter { $0.reopenedAt <= instant })
  }

  /// Returns whether a board shows a member at a given time, considering the board's reopenings.
  ///
  /// A board that was never reopened shows each current member who shares workouts. If a member's
  /// membership or sharing changed after the board was reopened, the board shows the member only if
  /// the member is in the group and shares workouts. If a member's membership and sharing did not
  /// change after the board was reopened, these rules apply:
  ///
  /// - If a member had a value when the board was closed, the reopened board shows the member only
  ///   if the closed board showed the member.
  /// - If a member had no value when the board was closed, the reopened board shows the member only
  ///   if the member shared workouts when the board was reopened.
  /// - If a member had no value when the board was closed and had left the group before the end of
  ///   the week, the reopened board hides the member.
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
  /// Whether clients report streaks.
  ///
  /// Reported streaks are not derived from workouts.
  var takesReportedStreaks: Bool { streakSource == "reported" }
}

extension KeptWeek.Member {
  func isMember(at instant: Int64) -> Bool { stays.contains { $0.contains(instant) } }

  func shares(at instant: Int64) -> Bool { !pauses.contains { $0.contains(instant) } }

  func isHere(at instant: Int64) -> Bool { isMember(at: instant) && shares(at: instant) }

  /// Returns whether an event in the time range hides a member's entries or makes hidden entries
  /// visible again.
  func hasMoved(from start: Int64, to end: Int64) -> Bool {
    let range = start...max(start, end)
    func isIn(_ instant: Int64?) -> Bool { instant.map(range.contains) ?? false }
    return stays.contains { isIn($0.until) || isIn($0.from) && shares(at: $0.from) }
      || pauses.contains {
        isIn($0.from) || isIn($0.until) && isMember(at: $0.until ?? 0)
      }
  }
}
