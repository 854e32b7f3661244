public import Challenges

/// The board store, with the operations that jobs need.
public protocol Leaderboards: Sendable {
  /// Computes boards' ranks from their entries and publishes the changed ranks.
  ///
  /// A call may be repeated, and two calls may run concurrently. Closed and deleted boards are
  /// ignored.
  func recomputeRanks(of boards: [ChallengeID]) async throws

  /// Requests new ranks for up to `limit` open boards after the given position.
  ///
  /// For each board, the method records the `entry.changed` event, as if an entry had changed.
  ///
  /// - Returns: The position of the last board and the number of boards, or nil if no open boards
  ///   are left.
  func touchOpenBoards(
    after place: BoardPlace, limit: Int
  ) async throws -> (last: BoardPlace, boards: Int)?
}

/// The position of a board in the order by week, group and id.
public struct BoardPlace: Sendable, Equatable {
  /// The week, the group and the board, as strings.
  public let week, group, id: String

  /// Creates the position of a board.
  public init(week: String, group: String, id: String) {
    (self.week, self.group, self.id) = (week, group, id)
  }

  /// The position before the first board.
  public static let start = BoardPlace(
    week: "-infinity", group: "", id: "00000000-0000-0000-0000-000000000000")
}
