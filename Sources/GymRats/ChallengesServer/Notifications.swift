public import Challenges

/// What telling members of changed ranks needs of the store of notifications.
public protocol Notifications: Sendable {
  /// Tells the members of boards that changed since they were last told.
  ///
  /// - Parameters:
  ///   - boards: the most boards to look at.
  ///   - last: the last board of the call before; nil: begin.
  func tellNext(of boards: Int, after last: ChallengeID?) async throws -> ToldBoards
}

/// What one call told.
public struct ToldBoards: Sendable {
  /// Boards looked at; fewer than asked for: there are no more.
  public var boards = 0
  /// Notifications written.
  public var written = 0
  /// Unread notifications that now say something newer.
  public var changed = 0
  /// Unread notifications taken back, because the rank is again what it was.
  public var takenBack = 0
  /// Members who were notified too recently or too often, and will be notified later.
  public var waiting = 0
  /// The last board.
  public var last: ChallengeID?

  /// Nothing told.
  public init() {}
}
