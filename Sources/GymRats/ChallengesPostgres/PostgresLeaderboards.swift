public import BatonPostgres
public import Challenges
import ChallengesSQL
public import ChallengesServer

/// The store of boards in PostgreSQL, within one transaction.
public struct PostgresLeaderboards: Leaderboards {
  private let transaction: Transaction

  /// Creates a store that uses the given transaction.
  public init(_ transaction: Transaction) { self.transaction = transaction }

  /// Ranks and publishes all given boards with one statement in one round trip.
  ///
  /// - Throws: `PostgresError`.
  public func recomputeRanks(of challenges: [ChallengeID]) async throws {
    let ids = challenges.map(\.uuid)
    _ = try await transaction.run(
      .run(SQL.Leaderboard.lockBoardVersions, ids),
      .run(SQL.Leaderboard.forbidMergeAndNestedLoopJoins),
      .run(SQL.Leaderboard.recomputeRanks, ids))
  }

  /// Records a change of every open board.
  ///
  /// - Throws: `PostgresError`.
  public func touchOpenBoards() async throws {
    try await transaction.run(.run(SQL.Leaderboard.touchOpenBoards))
  }
}
