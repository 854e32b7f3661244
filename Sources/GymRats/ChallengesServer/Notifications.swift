public import Challenges

/// The notification store, with the operations that the job for changed ranks needs.
public protocol Notifications: Sendable {
  /// Notifies members whose rank on one of the next boards has changed since the last notification.
  ///
  /// - Parameters:
  ///   - boards: The maximum number of boards to check.
  ///   - last: The last board of the previous call, or nil for the first call.
  func tellNext(of boards: Int, after last: ChallengeID?) async throws -> ToldBoards
}

/// The result of one call to `tellNext`.
public struct ToldBoards: Sendable {
  /// The number of boards checked.
  ///
  /// If fewer boards were checked than the limit allows, no boards are left.
  public var boards = 0
  /// The number of notifications written.
  public var written = 0
  /// The number of unread notifications that were updated with a newer rank.
  public var changed = 0
  /// The number of unread notifications that were deleted because the member's rank had changed
  /// back.
  public var takenBack = 0
  /// The number of members who will be notified later, because they received notifications too
  /// recently or too often.
  public var waiting = 0
  /// The last board checked, or nil if none was checked.
  public var last: ChallengeID?

  /// Creates an empty result.
  public init() {}
}
