public import Challenges

/// What a job needs of the boards' store.
public protocol Leaderboards: Sendable {
  /// Ranks boards from their entries and publishes what differs.
  ///
  /// Safe to repeat and to run twice at once; boards that are closed or gone are left alone.
  func recomputeRanks(of boards: [ChallengeID]) async throws

  /// Lets every open board be ranked again, as if its entries had changed.
  func touchOpenBoards() async throws
}
