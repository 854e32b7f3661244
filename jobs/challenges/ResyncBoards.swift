import Challenges
import JobCore

/// Ranks every open board again after the database was restored or moved to another cluster.
///
/// A dump that began around the truncation of a segment of the event log lacks its events; what
/// they would have woken is made up for here. Ranks are derived data, so doing it in vain is
/// harmless.
struct ResyncBoards: BatchJob {
  static let definition = Definition(
    "resync-boards",
    on: .event(.logRestarted),
    debounce: .none,
    batch: 1,
    retry: .attempts(8, exponentialFrom: .seconds(1), to: .seconds(300)),
    timeout: .seconds(60))

  /// The key is the new cluster's identity, or that of a schedule; what is done is the same.
  init(key: String, payload: String?) throws {
    guard Int64(key) != nil || Schedule.isKey(key) else {
      throw Permanent("the key '\(key)' is not the identity of a cluster, which is a number")
    }
  }

  static func run(_ batch: [Self], in context: JobContext) async throws {
    try await context.leaderboards.touchOpenBoards()
  }
}
