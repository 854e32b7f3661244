import BatonJobs
import Challenges
import ChallengesServer

/// Ranks every open board again after the database was restored or moved to another cluster.
///
/// A dump that began around the truncation of a segment of the event log lacks its events; what
/// they would have woken is made up for here. Ranks are derived data, so doing it in vain is
/// harmless.
struct ResyncBoards: BatchJob {
  static let definition = Definition<Self>(
    "resync-boards", on: [.event(.logRestarted)], batch: 1,
    retry: .usual.capped(at: .seconds(60)), timeout: .seconds(60))

  typealias Key = LogKey

  static func run(_ batch: [Run<Self>], in context: JobContext) async throws {
    try await context.leaderboards.touchOpenBoards()
  }
}

/// The new cluster's identity, or the key of a schedule; what is done is the same.
struct LogKey: JobKey {
  static let expected = "the identity of a cluster, which is a number"
  let description: String

  init?(_ text: String) {
    guard Int64(text) != nil || ScheduleKey(text) != nil else { return nil }
    description = text
  }
}
