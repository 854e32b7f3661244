public import Foundation

/// Runs of local dates with a workout.
///
/// A workout's date is that of the place where it was done: its instant moved by the offset that clocks had
/// there. It is fixed with the workout, so a later flight changes no day that is over.
public struct Streak: Hashable, Sendable {
  /// One workout, as far as streaks go.
  public struct Workout: Hashable, Sendable {
    /// When it was completed, in microseconds since 1970.
    public let instant: Int64
    /// Where clocks stood, in seconds before UTC.
    public let utcOffset: Int

    /// A workout.
    public init(instant: Int64, utcOffset: Int) {
      self.instant = instant
      self.utcOffset = utcOffset
    }

    /// A workout at a date.
    public init(at date: Date, utcOffset: Int) {
      let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
      self.init(instant: Int64(min(max(microseconds, -1e17), 1e17)), utcOffset: utcOffset)
    }

    /// Days from 1970-01-01 to the local date.
    public var day: Int64 {
      let local = instant + Int64(utcOffset) * 1_000_000
      let rest = local % Streak.dayLength
      return (local - (rest < 0 ? rest + Streak.dayLength : rest)) / Streak.dayLength
    }

    /// Of two workouts at one instant, the one with the smaller offset is the earlier, in whichever order they arrived.
    fileprivate var order: (Int64, Int) { (instant, utcOffset) }
  }

  /// A local date with a workout.
  public struct Day: Hashable, Sendable {
    /// Days from 1970-01-01.
    public let day: Int64
    /// Its first and its last workout.
    public let first, last: Workout
    /// How many days in a row end with it.
    public let run: Int

    /// A date, its first and its last workout, and the run that ends with it.
    public init(day: Int64, first: Workout, last: Workout, run: Int) {
      self.day = day
      self.first = first
      self.last = last
      self.run = run
    }
  }

  /// The dates, oldest first.
  public let days: [Day]
  private let workouts: [Workout]
  private let carried: Day?

  fileprivate static let dayLength: Int64 = 86_400_000_000
  /// How far apart two dates may be across the date line, with one date missing between them.
  private static let bridge: Int64 = 30 * 3_600_000_000

  /// The runs of a member's workouts, in any order.
  ///
  /// - Parameter carried: the last date before all of them, where they are not the whole history: a run that
  ///   ends with it goes on in them.
  public init(_ workouts: [Workout], after carried: Day? = nil) {
    self.carried = carried
    self.workouts = workouts.sorted { $0.order < $1.order }
    var days: [Day] = []
    for (day, ofDay) in Dictionary(grouping: self.workouts, by: \.day).sorted(by: {
      $0.key < $1.key
    }) {
      // Grouping keeps the order, so these are there and sorted.
      guard let first = ofDay.first, let last = ofDay.last else { continue }
      let before = (days.last ?? carried).flatMap { Self.follows(day, first, $0) ? $0 : nil }
      days.append(Day(day: day, first: first, last: last, run: (before?.run ?? 0) + 1))
    }
    self.days = days
  }

  /// Whether a date continues a run: the next date, or the one after it if a flight over the date line skipped a date.
  private static func follows(_ day: Int64, _ first: Workout, _ before: Day) -> Bool {
    switch day - before.day {
    case 1: true
    case 2:
      abs(first.instant - before.last.instant) < bridge
        && first.utcOffset != before.last.utcOffset
    default: false
    }
  }

  /// The length of the current run, whose last date is today or yesterday; else 0.
  ///
  /// - Parameters:
  ///   - instant: now; later workouts are not counted.
  ///   - utcOffset: the offset of the member's clock now, in seconds before UTC.
  public func currentStreak(asOf instant: Date, utcOffset: Int) -> Int {
    let now = Workout(at: instant, utcOffset: utcOffset)
    let past = Streak(workouts.filter { $0.instant <= now.instant }, after: carried)
    // A date later than today is possible: the member has flown back over the date line since.
    guard let last = past.days.last, last.day >= now.day - 1 else { return 0 }
    return last.run
  }
}

/// What a board of streaks shows.
public enum StreakPolicy: String, CaseIterable, Codable, Hashable, Sendable {
  /// The longest run that ends inside of the week.
  case peak
  /// The run that ends with the last date of the week that has a workout.
  case lastRun
  /// The longest run of dates that all lie in the week.
  case weekOnly
}

extension Streak {
  /// What a board shows of a member.
  private struct Shown {
    let value: Int
    let reachedAt: Int64
    /// The day that ends the run.
    let last: Day
    /// All days that the week sees.
    let days: [Day]
  }

  /// What a board shows of these workouts: the value and when it was reached; nil if no workout is in the week.
  ///
  /// Workouts after the week's end are not counted: a board depends on nothing that comes after it.
  public func score(in week: Week, by policy: StreakPolicy) -> (value: Int, reachedAt: Int64)? {
    shown(in: week, by: policy).map { ($0.value, $0.reachedAt) }
  }

  /// The days of the run that a board shows, oldest first, as far as its workouts are known here.
  public func shownDays(in week: Week, by policy: StreakPolicy) -> [Day] {
    guard let shown = shown(in: week, by: policy),
      let end = shown.days.firstIndex(of: shown.last)
    else { return [] }
    // Each day of a run counts one more, also over a bridge.
    return Array(shown.days[...end].suffix(shown.last.run))
  }

  private func shown(in week: Week, by policy: StreakPolicy) -> Shown? {
    let start = week.start * 1_000_000
    let end = week.end * 1_000_000
    let seen = workouts.filter { $0.instant < end && (policy != .weekOnly || $0.instant >= start) }
    let inside = Dictionary(grouping: seen.filter { $0.instant >= start }, by: \.day)
    let days = Streak(seen, after: policy == .weekOnly ? nil : carried).days
    let candidates = days.filter { inside[$0.day] != nil }
    // A week of UTC touches eight or nine local dates; as a week it has seven.
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
