public import Foundation

/// A member's streaks, which are sequences of consecutive local dates with a workout.
///
/// A workout's date is the local date at its location, computed from its time and UTC offset. The
/// UTC offset is stored with the workout, so traveling to another time zone does not change the
/// dates of earlier workouts.
public struct Streak: Hashable, Sendable {
  /// The part of a workout's data that determines streaks.
  public struct Workout: Hashable, Sendable {
    /// The time of completion in microseconds since 1970.
    public let instant: Int64
    /// The UTC offset of the local clock, in seconds east of UTC.
    public let utcOffset: Int

    /// Creates a workout.
    public init(instant: Int64, utcOffset: Int) {
      self.instant = instant
      self.utcOffset = utcOffset
    }

    /// Creates a workout completed at the given time.
    public init(at date: Date, utcOffset: Int) {
      let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
      self.init(instant: Int64(min(max(microseconds, -1e17), 1e17)), utcOffset: utcOffset)
    }

    /// The number of days from 1970-01-01 to the local date.
    public var day: Int64 {
      let local = instant + Int64(utcOffset) * 1_000_000
      let rest = local % Streak.dayLength
      return (local - (rest < 0 ? rest + Streak.dayLength : rest)) / Streak.dayLength
    }

    /// The sort key of a workout.
    ///
    /// If two workouts have the same time, the one with the smaller UTC offset comes first.
    ///
    /// The sort key does not depend on the order in which the workouts arrive at the server.
    fileprivate var order: (Int64, Int) { (instant, utcOffset) }
  }

  /// A local date with a workout.
  public struct Day: Hashable, Sendable {
    /// The number of days from 1970-01-01 to this date.
    public let day: Int64
    /// The first and the last workout on the date.
    public let first, last: Workout
    /// The length, in days, of the streak up to this date.
    public let run: Int

    /// Creates a date from its workouts and the length of the streak up to this date.
    public init(day: Int64, first: Workout, last: Workout, run: Int) {
      self.day = day
      self.first = first
      self.last = last
      self.run = run
    }
  }

  /// The dates with a workout, oldest first.
  public let days: [Day]
  private let workouts: [Workout]
  private let carried: Day?

  fileprivate static let dayLength: Int64 = 86_400_000_000
  /// A streak continues over a skipped date only if the gap between the workouts is below this
  /// limit, in microseconds.
  ///
  /// A member who flies across the date line can skip a local date.
  ///
  /// The gap is the time between the last workout before the flight and the first workout after it.
  private static let bridge: Int64 = 30 * 3_600_000_000

  /// Computes the streaks from a member's workouts, which may be in any order.
  ///
  /// - Parameter carried: The last date with a workout before the given workouts, or nil if the
  ///   given workouts are the whole history. If no date is missing between `carried` and the first
  ///   workout, the first workout continues the streak of `carried`.
  public init(_ workouts: [Workout], after carried: Day? = nil) {
    self.carried = carried
    self.workouts = workouts.sorted { $0.order < $1.order }
    var days: [Day] = []
    for (day, ofDay) in Dictionary(grouping: self.workouts, by: \.day).sorted(by: {
      $0.key < $1.key
    }) {
      // `self.workouts` is sorted, and grouping preserves the order, so `ofDay` is sorted too.
      guard let first = ofDay.first, let last = ofDay.last else { continue }
      let before = (days.last ?? carried).flatMap { Self.follows(day, first, $0) ? $0 : nil }
      days.append(Day(day: day, first: first, last: last, run: (before?.run ?? 0) + 1))
    }
    self.days = days
  }

  /// Returns whether the date `day` continues the streak of the earlier date `before`.
  ///
  /// The streak continues if `day` is the day after `before`. The streak also continues if a flight
  /// across the date line skipped the one date between `before` and `day`.
  private static func follows(_ day: Int64, _ first: Workout, _ before: Day) -> Bool {
    switch day - before.day {
    case 1: true
    case 2:
      abs(first.instant - before.last.instant) < bridge
        && first.utcOffset != before.last.utcOffset
    default: false
    }
  }

  /// Returns the length of the current streak, or 0 if the last streak ended before yesterday.
  ///
  /// - Parameters:
  ///   - instant: The current time. Workouts after this time are not counted.
  ///   - utcOffset: The current UTC offset of the member's clock, in seconds east of UTC.
  public func currentStreak(asOf instant: Date, utcOffset: Int) -> Int {
    let now = Workout(at: instant, utcOffset: utcOffset)
    let past = Streak(workouts.filter { $0.instant <= now.instant }, after: carried)
    // If the member has flown back across the date line since the last workout, the last date can
    // be later than today.
    guard let last = past.days.last, last.day >= now.day - 1 else { return 0 }
    return last.run
  }
}

/// The rule that selects which of each member's streaks a streak board shows.
public enum StreakPolicy: String, CaseIterable, Codable, Hashable, Sendable {
  /// The longest streak that ends in the week.
  case peak
  /// The streak that ends with the week's last workout.
  case lastRun
  /// The longest streak that is entirely within the week.
  case weekOnly
}

extension Streak {
  /// The streak that a board shows for a member.
  private struct Shown {
    let value: Int
    let reachedAt: Int64
    /// The last day of the streak.
    let last: Day
    /// The dates with workouts that the policy takes into account, oldest first.
    let days: [Day]
  }

  /// Returns the value that a board shows and the time when the value was reached, or nil if the
  /// week has no workout.
  ///
  /// Workouts after the week are not counted.
  public func score(in week: Week, by policy: StreakPolicy) -> (value: Int, reachedAt: Int64)? {
    shown(in: week, by: policy).map { ($0.value, $0.reachedAt) }
  }

  /// Returns the dates of the streak that a board shows, oldest first.
  ///
  /// Dates are missing if their workouts were not passed to the initializer.
  public func shownDays(in week: Week, by policy: StreakPolicy) -> [Day] {
    guard let shown = shown(in: week, by: policy),
      let end = shown.days.firstIndex(of: shown.last)
    else { return [] }
    // Each date with a workout adds one to the length of a streak. A date that was skipped because
    // of a flight across the date line does not count toward the streak.
    return Array(shown.days[...end].suffix(shown.last.run))
  }

  private func shown(in week: Week, by policy: StreakPolicy) -> Shown? {
    let start = week.start * 1_000_000
    let end = week.end * 1_000_000
    let seen = workouts.filter { $0.instant < end && (policy != .weekOnly || $0.instant >= start) }
    let inside = Dictionary(grouping: seen.filter { $0.instant >= start }, by: \.day)
    let days = Streak(seen, after: policy == .weekOnly ? nil : carried).days
    let candidates = days.filter { inside[$0.day] != nil }
    // One UTC week's workouts can fall on eight or nine local dates. With the `weekOnly` policy, a
    // streak still counts at most seven days.
    let most = policy == .weekOnly ? 7 : Int.max
    let runs = policy == .lastRun ? candidates.suffix(1) : candidates[...]
    guard let value = runs.map({ min($0.run, most) }).max(),
      let day = candidates.first(where: { min($0.run, most) == value }),
      let reached = inside[day.day]?.first, let last = candidates.last
    else { return nil }
    return Shown(
      value: value, reachedAt: reached.instant, last: policy == .lastRun ? last : day, days: days)
  }
}
