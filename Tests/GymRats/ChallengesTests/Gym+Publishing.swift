import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesSQL
import TestSupport

extension Gym {
  /// Returns the boards of a week or of every week, for all groups and types.
  func boards(_ week: String? = nil) async throws -> [ChallengeID] {
    try await lines(
      "select id::text from challenge \(week.map { "where week_start = '\($0)'" } ?? "")"
    ).compactMap { ChallengeID($0) }
  }

  /// Recomputes the boards of a week like the job, in a separate transaction.
  func publish(_ week: String, on other: Connection? = nil) async throws {
    try await publish(boards: try await boards(week), on: other)
  }

  /// Recomputes every board.
  func publishAll() async throws { try await publish(boards: try await boards()) }

  /// Recomputes boards like the job, in a separate transaction.
  func publish(boards: [ChallengeID], on other: Connection? = nil) async throws {
    try await (other ?? connection).transaction(in: schema) { transaction in
      try await PostgresLeaderboards(transaction).recomputeRanks(of: boards)
    }
  }

  /// Returns the statements of a recompute, for a transaction that stays open.
  static func publishing(_ boards: [ChallengeID]) -> [Call<Void>] {
    let ids = boards.map(\.uuid)
    return [
      .run(SQL.Leaderboard.lockBoardVersions, ids), .run(SQL.Leaderboard.recomputeRanks, ids),
    ]
  }

  /// Returns the rank version of the check-ins board of group `g`.
  func version(_ week: String = "2024-06-03") async throws -> [String] {
    try await lines(
      """
      select rank_version::text from board_version
      where challenge_id = challenge_id('g', '\(week)', 'check-ins')
      """)
  }
}
