import Challenges
import JobCore

/// Closes the weeks that are over, grace included, and tells the members of their groups.
///
/// The state of the boards says what is due, not the clock that woke the run: late, early, twice or
/// several at once, each week is closed once. The key is `scheduled` or the Monday of one week.
struct CloseWeek: StepJob {
  static let definition = Definition(
    "close-week",
    on: .event(.weekOverdue),
    debounce: .none,
    batch: 1,
    retry: .attempts(8, exponentialFrom: .seconds(1), to: .seconds(300)),
    timeout: .seconds(30),
    schedule: .cron("0 0 * * 1", timeZone: "UTC", missed: .once),
    keepsHistory: true)

  /// One week; nil: every one that is over.
  private let week: Week?
  /// Groups that are closed in one transaction: whoever writes to one of their boards waits for it.
  private var groups = StepSize(50, within: 10...1000, around: .milliseconds(40))
  private var last: ClosedChunk?
  private var isPassOver = false
  private var closedInPass = 0

  init(key: String, payload: String?) throws {
    guard !Schedule.isKey(key) else {
      week = nil
      return
    }
    guard let week = Week(monday: key) else {
      throw Permanent(
        "the key '\(key)' is neither '\(Schedule.sharedKey)' nor a Monday as YYYY-MM-DD")
    }
    self.week = week
  }

  mutating func step(in context: JobContext) async throws -> StepResult {
    if isPassOver {
      guard try await context.weeks.areDue(only: week) else { return .done(Report()) }
      // All that is left is held by writers: they are not waited for. Or one week was asked for.
      guard closedInPass > 0 else {
        throw Snooze(
          for: .seconds(1),
          reason: "writers hold boards of weeks that are over"
            + (week == nil ? "" : ", or an earlier week of their groups is open"))
      }
      (last, isPassOver, closedInPass) = (nil, false, 0)
    }
    let start = ContinuousClock.now
    let chunk = try await context.weeks.closeChunk(
      of: groups.current, after: last, only: week)
    let report = Self.report(of: chunk)
    last = chunk
    closedInPass += chunk.closed
    if chunk.groups < groups.current {
      isPassOver = true
      let areDue = try await context.weeks.areDue(only: week)
      return areDue ? .more(report) : .done(report)
    }
    groups.adapt(to: start.duration(to: .now))
    return .more(report)
  }

  private static func report(of chunk: ClosedChunk) -> Report {
    [
      "weeks closed": chunk.closed, "members told": chunk.told,
      "rank changes told": chunk.rankChanges, "weeks without an entry": chunk.silent,
      "weeks too late to tell": chunk.late,
    ]
  }
}

extension Topic {
  /// A board was made of a week that is over; the key is that of a scheduled run.
  static let weekOverdue = Topic("week.overdue")
}
