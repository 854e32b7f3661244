import BatonJobs
import Challenges
import ChallengesServer

/// Creates the next week's boards for recently active groups.
///
/// A call that records a workout waits if a transaction is creating the board for the workout. To
/// keep the wait short, each transaction creates the boards of only one group.
struct OpenWeek: StepJob {
  static let definition = Definition<Self>(
    "open-week", on: [.cron("0 12 * * 6")], retry: .usual.capped(at: .seconds(60)))

  typealias Key = ScheduleKey

  struct State: StepState {
    var groups: ArraySlice<WeekPosition> = []
    var last = ""
  }

  static func step(
    _ run: Run<Self>, _ state: inout State, in context: JobContext
  ) async throws -> StepResult {
    if let next = state.groups.popFirst() {
      state.last = next.group
      return .more(["boards made": try await context.weeks.makeBoards(of: next)])
    }
    state.groups = try await context.weeks.livelyGroups(after: state.last, limit: 500)[...]
    return state.groups.isEmpty ? .done(["boards made": 0]) : .more(["boards made": 0])
  }
}
