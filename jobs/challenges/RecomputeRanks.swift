public import BatonJobs
public import Challenges
import ChallengesServer

/// Recomputes the ranks of the boards whose entries have changed.
///
/// A board without recent changes is ranked immediately. A board that is written to continuously is
/// ranked four times per second. A repeated, late or out-of-order run is harmless, because ranks
/// are derived data.
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
  /// The description of a valid key for error messages.
  ///
  /// A valid key is the UUID that the trigger on entries records.
  public static let expected = "the id of a challenge"
}

extension Topic {
  /// The topic of events about an inserted, changed or deleted entry.
  ///
  /// The event's key is the board's id.
  static let entryChanged = Topic("entry.changed")
}
