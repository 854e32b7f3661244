import Challenges
import JobCore

/// Tells members whose rank moved since they were last told, over all boards that changed.
struct NotifyRankChanges: StepJob {
  static let definition = Definition(
    "notify-rank-changes",
    on: .manual,
    debounce: .none,
    batch: 1,
    retry: .attempts(8, exponentialFrom: .seconds(1), to: .seconds(300)),
    timeout: .seconds(20),
    schedule: .every(.seconds(30), missed: .once))

  private static let boards = 500
  private var last: Challenge.ID?

  init(key: String, payload: String?) throws { try Schedule.requireKey(key) }

  mutating func step(in context: JobContext) async throws -> StepResult {
    let told = try await context.notifications.tellNext(of: Self.boards, after: last)
    last = told.last
    let report: Report = [
      "notifications written": told.written, "changed": told.changed, "taken back": told.takenBack,
      "waiting": told.waiting,
    ]
    return told.boards < Self.boards ? .done(report) : .more(report)
  }
}
