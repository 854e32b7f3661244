import BatonJobs
import Challenges
import ChallengesServer

/// Recomputes the ranks of every open board after the database is restored or moved to another
/// cluster.
///
/// A dump lacks events if it starts while a segment of the event log is being truncated. Ranks may
/// be outdated if they depend on a missing event, so the job recomputes the ranks of all open
/// boards. Ranks are derived data, so an unnecessary run is harmless. Each step handles a limited
/// number of boards.
struct ResyncBoards: StepJob {
  static let definition = Definition<Self>(
    "resync-boards", on: [.event(.logRestarted)], retry: .usual.capped(at: .seconds(60)),
    timeout: .seconds(60))

  typealias Key = LogKey

  struct State: StepState {
    var place = BoardPlace.start
  }

  private static let boards = 5_000

  static func step(
    _ run: Run<Self>, _ state: inout State, in context: JobContext
  ) async throws -> StepResult {
    guard
      let touched = try await context.leaderboards.touchOpenBoards(
        after: state.place, limit: boards)
    else { return .done(["boards": 0]) }
    state.place = touched.last
    let report: Report = ["boards": touched.boards]
    return touched.boards == boards ? .more(report) : .done(report)
  }
}

/// The key of a `resync-boards` run.
///
/// The key is the identity of the cluster that the database was restored or moved to, or the key of
/// a schedule.
///
/// The key does not affect what a run does: each run recomputes the ranks of all open boards.
struct LogKey: JobKey {
  static let expected = "the identity of a cluster, which is a number"
  let description: String

  init?(_ text: String) {
    guard Int64(text) != nil || ScheduleKey(text) != nil else { return nil }
    description = text
  }
}
