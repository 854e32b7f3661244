import Challenges
import JobCore

/// Tells members whose rank moved since they were last told, over all boards that changed.
struct NotifyRankChanges: StepJob {
  static let definition = Definition<Self>(
    "notify-rank-changes", on: [.every(.seconds(30))], keepsHistory: false)

  typealias Key = ScheduleKey

  struct State: StepState {
    var last: ChallengeID?
  }

  private static let boards = 500

  static func step(
    _ run: Run<Self>, _ state: inout State, in context: JobContext
  ) async throws -> StepResult {
    let told = try await context.notifications.tellNext(of: boards, after: state.last)
    state.last = told.last
    let report: Report = [
      "notifications written": told.written, "changed": told.changed, "taken back": told.takenBack,
      "waiting": told.waiting,
    ]
    return told.boards < boards ? .done(report) : .more(report)
  }
}
