public import BatonJobs
public import Challenges
import ChallengesServer

/// Recomputes the ranks of the boards whose entries changed.
///
/// A board without recent changes is ranked immediately, a board that is written continuously four times a second.
/// Ranks are derived data: a run that happens twice, late or out of order is harmless.
struct RecomputeRanks: BatchJob {
  static let definition = Definition<Self>(
    "recompute-ranks", on: [.event(.entryChanged)],
    debounce: .perKey(every: .milliseconds(250)), batch: 500,
    retry: .usual.capped(at: .seconds(60)))

  typealias Key = ChallengeID

  static func run(_ batch: [Run<Self>], in context: JobContext) async throws {
    try await context.leaderboards.recomputeRanks(of: batch.map(\.key))
  }
}

extension ChallengeID: JobKey {
  /// A UUID, as the entries' trigger records it.
  public static let expected = "the id of a challenge"
}

extension Topic {
  /// An entry was written, changed or removed; the key is the board's id.
  static let entryChanged = Topic("entry.changed")
}
