public import Challenges

/// The operations of the store of boards that a job needs.
public protocol Leaderboards: Sendable {
  /// Computes the ranks of boards from their entries and publishes the differences.
  ///
  /// The call may be repeated, and two calls may run at the same time. Closed and deleted boards
  /// are ignored.
  func recomputeRanks(of boards: [ChallengeID]) async throws

  /// Requests new ranks for every open board, as if its entries had changed.
  func touchOpenBoards() async throws
}
