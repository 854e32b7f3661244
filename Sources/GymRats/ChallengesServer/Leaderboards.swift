public import Challenges

/// The operations of the store of boards that a job needs.
public protocol Leaderboards: Sendable {
  /// Computes the ranks of boards from their entries and publishes the differences.
  ///
  /// The call may be repeated, and two calls may run at the same time. Closed and deleted boards
  /// are ignored.
  func recomputeRanks(of boards: [ChallengeID]) async throws

  /// Requests new ranks for the next open boards, as if their entries had changed.
  ///
  /// - Returns: The last of these boards and their number, or nil if no open board follows.
  func touchOpenBoards(
    after place: BoardPlace, limit: Int
  ) async throws -> (last: BoardPlace, boards: Int)?
}

/// The position of a board in the order of week, group and id.
public struct BoardPlace: Sendable, Equatable {
  /// The week, the group and the board, as texts.
  public let week, group, id: String

  /// Creates the position of a board.
  public init(week: String, group: String, id: String) {
    (self.week, self.group, self.id) = (week, group, id)
  }

  /// The position before the first board.
  public static let start = BoardPlace(
    week: "-infinity", group: "", id: "00000000-0000-0000-0000-000000000000")
}
