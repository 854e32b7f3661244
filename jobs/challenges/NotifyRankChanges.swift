import BatonJobs
import Challenges
import ChallengesServer

/// Tells members whose rank moved since they were last told, over all boards that changed.
struct NotifyRankChanges: StepJob {
  static let definition = Definition<Self>(
    "notify-rank-changes", on: [.every(.seconds(30))],
    retry: .usual.capped(at: .seconds(60)), keepsHistory: false)

  typealias Key = ScheduleKey

  struct State: StepState {
    var last: ChallengeID?
    /// Boards that are told in one transaction.
    ///
    /// Ranking waits for them, a batch of it for any one of them: with 500 at a time, 200 ms, ranks were
    /// late by half a second for seconds on end.
    var boards = StepSize(50, within: 25...500, around: .milliseconds(25))
  }

  static func step(
    _ run: Run<Self>, _ state: inout State, in context: JobContext
  ) async throws -> StepResult {
    let start = ContinuousClock.now
    let asked = state.boards.current
    let told = try await context.notifications.tellNext(of: asked, after: state.last)
    state.last = told.last
    state.boards.adapt(to: start.duration(to: .now))
    let report: Report = [
      "notifications written": told.written, "changed": told.changed, "taken back": told.takenBack,
      "waiting": told.waiting,
    ]
    return told.boards < asked ? .done(report) : .more(report)
  }
}
