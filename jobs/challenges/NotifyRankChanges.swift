import BatonJobs
import Challenges
import ChallengesServer

/// Notifies members whose rank on a board has changed since they were last notified.
struct NotifyRankChanges: StepJob {
  static let definition = Definition<Self>(
    "notify-rank-changes", on: [.every(.seconds(30))],
    retry: .usual.capped(at: .seconds(60)), keepsHistory: false)

  typealias Key = ScheduleKey

  struct State: StepState {
    var last: ChallengeID?
    /// The number of boards whose members one transaction notifies.
    ///
    /// The transaction locks the boards. A batch of the `recompute-ranks` job waits if it contains
    /// a locked board. In a measurement with 500 boards, a transaction took 200 ms and delayed
    /// ranks by half a second.
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
