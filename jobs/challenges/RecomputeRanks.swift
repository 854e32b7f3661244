import Challenges
import JobCore

/// Recomputes the ranks of the boards whose entries changed.
///
/// Ranks are derived data: running this twice, late or out of order is harmless.
struct RecomputeRanks: BatchJob {
  static let definition = Definition(
    "recompute-ranks",
    on: .event(.entryChanged),
    debounce: .perKey(quiet: .milliseconds(250), atMost: .seconds(2)),
    batch: 500,
    retry: .attempts(8, exponentialFrom: .seconds(1), to: .seconds(300)),
    timeout: .seconds(20))

  let challenge: Challenge.ID

  init(key: String, payload: String?) throws {
    guard let challenge = Challenge.ID(key) else {
      throw Permanent("the key '\(key)' is not the id of a challenge")
    }
    self.challenge = challenge
  }

  static func run(_ batch: [Self], in context: JobContext) async throws {
    try await context.leaderboards.recomputeRanks(of: batch.map(\.challenge))
  }
}

extension Topic {
  /// An entry was written, changed or removed; the key is the board's id.
  static let entryChanged = Topic("entry.changed")
}
