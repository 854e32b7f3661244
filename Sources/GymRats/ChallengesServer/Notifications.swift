public import Challenges

/// The operations of the store of notifications that the job for changed ranks needs.
public protocol Notifications: Sendable {
  /// Notifies members of boards whose ranks changed since the last notification.
  ///
  /// - Parameters:
  ///   - boards: The maximum number of boards to check.
  ///   - last: The last board of the previous call, or nil for the first call.
  func tellNext(of boards: Int, after last: ChallengeID?) async throws -> ToldBoards
}

/// The result of one call of `tellNext`.
public struct ToldBoards: Sendable {
  /// The number of boards that were checked.
  ///
  /// If the number is less than the limit, no boards are left.
  public var boards = 0
  /// The number of notifications that were written.
  public var written = 0
  /// The number of unread notifications that were updated with a newer rank.
  public var changed = 0
  /// The number of unread notifications that were deleted because the rank returned to its earlier
  /// value.
  public var takenBack = 0
  /// The number of members to notify later, because they received notifications too recently or too
  /// often.
  public var waiting = 0
  /// The last board that was checked.
  public var last: ChallengeID?

  /// Creates an empty result.
  public init() {}
}
