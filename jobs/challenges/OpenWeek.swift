import Challenges
import JobCore

/// Makes the boards of the coming week for groups that were active lately.
///
/// One group a transaction: whoever records the first workout of a week waits for a board that is
/// being made, and must not wait for a thousand others.
struct OpenWeek: StepJob {
  static let definition = Definition(
    "open-week",
    on: .manual,
    debounce: .none,
    batch: 1,
    retry: .attempts(8, exponentialFrom: .seconds(1), to: .seconds(300)),
    timeout: .seconds(20),
    schedule: .cron("0 12 * * 6", timeZone: "UTC", missed: .once),
    keepsHistory: true)

  private var groups: ArraySlice<WeekPosition> = []
  private var last = ""

  init(key: String, payload: String?) throws { try Schedule.requireKey(key) }

  mutating func step(in context: JobContext) async throws -> StepResult {
    if let next = groups.popFirst() {
      last = next.group
      return .more(["boards made": try await context.weeks.makeBoards(of: next)])
    }
    groups = try await context.weeks.livelyGroups(after: last, limit: 500)[...]
    return groups.isEmpty ? .done(["boards made": 0]) : .more(["boards made": 0])
  }
}
