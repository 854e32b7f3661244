public import BatonPostgres
public import Challenges
import ChallengesSQL
public import ChallengesServer

/// The board store in PostgreSQL, within one transaction.
public struct PostgresLeaderboards: Leaderboards {
  private let transaction: Transaction

  /// Creates a store whose statements run in the given transaction.
  public init(_ transaction: Transaction) { self.transaction = transaction }

  /// Ranks and publishes all given boards in one round trip.
  ///
  /// - Throws: `PostgresError`.
  public func recomputeRanks(of challenges: [ChallengeID]) async throws {
    let ids = challenges.map(\.uuid)
    _ = try await transaction.run(
      .run(SQL.Leaderboard.lockBoardVersions, ids),
      .run(SQL.Leaderboard.forbidMergeAndNestedLoopJoins),
      .run(SQL.Leaderboard.recomputeRanks, ids))
  }

  /// Records an event for each board in the next batch of open boards.
  ///
  /// Each event causes the board's ranks to be recomputed.
  ///
  /// - Throws: `PostgresError`.
  public func touchOpenBoards(
    after place: BoardPlace, limit: Int
  ) async throws -> (last: BoardPlace, boards: Int)? {
    let touch = Call.rows(
      SQL.Leaderboard.touchOpenBoards, place.week, place.group, place.id, Int64(limit)
    ) { (row) throws(PostgresError) in
      let (week, group, id, boards) = try row.decode(
        String.self, String.self, String.self, Int64.self)
      return (last: BoardPlace(week: week, group: group, id: id), boards: Int(boards))
    }
    return try await transaction.run(touch).first
  }
}
