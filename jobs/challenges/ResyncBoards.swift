import BatonJobs
import Challenges
import ChallengesServer

/// Recomputes the ranks of every open board after the database was restored or moved to another cluster.
///
/// A dump that began while a segment of the event log was truncated lacks the events of that segment. This job does the
/// work that those events would have caused. Ranks are derived data, so an unnecessary run is harmless.
struct ResyncBoards: BatchJob {
  static let definition = Definition<Self>(
    "resync-boards", on: [.event(.logRestarted)], batch: 1,
    retry: .usual.capped(at: .seconds(60)), timeout: .seconds(60))

  typealias Key = LogKey

  static func run(_ batch: [Run<Self>], in context: JobContext) async throws {
    try await context.leaderboards.touchOpenBoards()
  }
}

/// The new cluster's identity, or the key of a schedule; the work is the same for both.
struct LogKey: JobKey {
  static let expected = "the identity of a cluster, which is a number"
  let description: String

  init?(_ text: String) {
    guard Int64(text) != nil || ScheduleKey(text) != nil else { return nil }
    description = text
  }
}
