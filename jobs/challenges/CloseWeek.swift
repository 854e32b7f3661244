import BatonJobs
import Challenges
import ChallengesServer

/// Closes the weeks that are over, including their grace period, and notifies the members of their groups.
///
/// The state of the boards decides what is due, not the clock that woke the run. A run may therefore start late, early,
/// twice or in parallel with others: each week is closed once. The key is `scheduled` or the Monday of one week.
struct CloseWeek: StepJob {
  static let definition = Definition<Self>(
    "close-week", on: [.event(.weekOverdue), .cron("0 0 * * 1")],
    retry: .usual.capped(at: .seconds(60)), timeout: .seconds(30))

  typealias Key = WeekKey

  struct State: StepState {
    /// Groups that are closed in one transaction: a writer to one of their boards waits for all of it.
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
      guard try await context.weeks.areDue(only: week) else { return .done(Report()) }
      // Nothing was closed in this pass: writers hold locks on the remaining boards, and this job does not wait for
      // locks. A run for one week also comes here while an earlier week of its groups is open.
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
      let areDue = try await context.weeks.areDue(only: week)
      return areDue ? .more(report) : .done(report)
    }
    state.groups.adapt(to: start.duration(to: .now))
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
  /// A board was created for a week that is over; the event has the key of a scheduled run.
  static let weekOverdue = Topic("week.overdue")
}

/// The weeks that a run closes: every week that is over, or the week of one Monday.
struct WeekKey: JobKey {
  static let expected = "'\(Schedule.sharedKey)' or a Monday as YYYY-MM-DD"

  /// Nil: every week that is over.
  let week: Week?
  let description: String

  init?(_ text: String) {
    week = Week(monday: text)
    guard week != nil || ScheduleKey(text) != nil else { return nil }
    description = text
  }
}
