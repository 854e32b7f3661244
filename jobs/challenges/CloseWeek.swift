import BatonJobs
import Challenges
import ChallengesServer

/// Closes all weeks whose grace period has passed, and notifies the groups' members.
///
/// The state of the boards determines which weeks are due, so the start time of a run does not
/// matter. A run may start late or early, be repeated, or run concurrently with other runs. Each
/// week is closed only once. The key is `scheduled`, or the date of a Monday to close only the
/// weeks that start on that date.
struct CloseWeek: StepJob {
  static let definition = Definition<Self>(
    "close-week", on: [.event(.weekOverdue), .cron("0 0 * * 1")],
    retry: .usual.capped(at: .seconds(60)), timeout: .seconds(30))

  typealias Key = WeekKey

  struct State: StepState {
    /// The number of groups whose weeks one transaction closes.
    ///
    /// While a transaction closes a group's week, writes to that group's boards wait.
    var groups = StepSize(50, within: 10...1000, around: .milliseconds(40))
    var last: ClosedChunk?
    var isPassOver = false
    var closedInPass = 0
  }

  static func step(
    _ run: Run<Self>, _ state: inout State, in context: JobContext
  ) async throws -> StepResult {
    let week = run.key.week
    if state.isPassOver {
      guard try await context.weeks.areDue(only: week) else {
        return try await end(Report(), in: context)
      }
      // A pass over the groups skips each group with a board that a writer has locked. If the run
      // closes only one week, the pass also skips each group with an open earlier week. If a pass
      // does not close any weeks, the run is snoozed.
      guard state.closedInPass > 0 else {
        throw Snooze(
          for: .seconds(1),
          reason: "writers hold boards of weeks that are over"
            + (week == nil ? "" : ", or an earlier week of their groups is open"))
      }
      (state.last, state.isPassOver, state.closedInPass) = (nil, false, 0)
    }
    let start = ContinuousClock.now
    let chunk = try await context.weeks.closeChunk(
      of: state.groups.current, after: state.last, only: week)
    let report = Self.report(of: chunk)
    state.last = chunk
    state.closedInPass += chunk.closed
    if chunk.groups < state.groups.current {
      state.isPassOver = true
      guard try await context.weeks.areDue(only: week) else {
        return try await end(report, in: context)
      }
      return .more(report)
    }
    state.groups.adapt(to: start.duration(to: .now))
    return .more(report)
  }

  /// Ends the run, and enqueues a run to close the next ended or reopened week.
  private static func end(_ report: Report, in context: JobContext) async throws -> StepResult {
    try await context.weeks.enqueueNextClose()
    return .done(report)
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
  /// The topic of events about a week that was reopened, or whose board was created after its end.
  ///
  /// Events of this topic have the key `scheduled`, like scheduled runs.
  static let weekOverdue = Topic("week.overdue")
}

/// The weeks that a run closes: all past weeks, or only the week that starts on a given Monday.
struct WeekKey: JobKey {
  static let expected = "'\(Schedule.sharedKey)' or a Monday as YYYY-MM-DD"

  /// The week to close, or nil for all past weeks.
  let week: Week?
  let description: String

  init?(_ text: String) {
    week = Week(monday: text)
    guard week != nil || ScheduleKey(text) != nil else { return nil }
    description = text
  }
}
