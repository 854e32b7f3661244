import BatonJobs
import Challenges
import ChallengesServer

/// Recomputes the ranks of every open board after the database was restored or moved to another
/// cluster.
///
/// If a dump starts while a segment of the event log is being truncated, the dump lacks the events
/// of this segment. The job recomputes the ranks that the missing events would have changed. Ranks
/// are derived data, so an unnecessary run is harmless.
struct ResyncBoards: BatchJob {
  static let definition = Definition<Self>(
    "resync-boards", on: [.event(.logRestarted)], batch: 1,
    retry: .usual.capped(at: .seconds(60)), timeout: .seconds(60))

  typealias Key = LogKey

  static func run(_ batch: [Run<Self>], in context: JobContext) async throws {
    try await context.leaderboards.touchOpenBoards()
  }
}

/// The new cluster's identity or the key of a schedule, both of which cause the same recomputation.
struct LogKey: JobKey {
  static let expected = "the identity of a cluster, which is a number"
  let description: String

  init?(_ text: String) {
    guard Int64(text) != nil || ScheduleKey(text) != nil else { return nil }
    description = text
  }
}
