public import Challenges

/// What closing weeks needs of the boards' store.
public protocol Weeks: Sendable {
  /// Closes weeks of groups that are over, grace included, oldest first, and notifies their members.
  ///
  /// Never waits for a writer: a group is left out if a transaction holds one of its boards.
  ///
  /// - Parameters:
  ///   - groups: the most groups to check.
  ///   - last: the chunk before; nil: begin with the oldest week.
  ///   - week: one week; nil: every one.
  func closeChunk(
    of groups: Int, after last: ClosedChunk?, only week: Week?
  ) async throws -> ClosedChunk

  /// Whether there is a week that is over, grace included, and not closed.
  func areDue(only week: Week?) async throws -> Bool

  /// Groups with an entry in the last 4 weeks that lack a board of the coming week, by id.
  func livelyGroups(after group: String, limit: Int) async throws -> [WeekPosition]

  /// Makes both boards of a group's week where they are missing.
  ///
  /// - Returns: how many were made.
  func makeBoards(of position: WeekPosition) async throws -> Int
}

/// A week of a group; weeks come before groups in their order.
public struct WeekPosition: Sendable, Hashable {
  /// The week's Monday, `YYYY-MM-DD`.
  public let monday: String
  /// The group's id.
  public let group: String

  /// A week of a group.
  public init(monday: String, group: String) {
    self.monday = monday
    self.group = group
  }
}

/// What one chunk of a close did.
public struct ClosedChunk: Sendable {
  /// Groups looked at; fewer than asked for: there are no more.
  public var groups = 0
  /// How many of these groups were left out because a transaction was writing to them.
  public var held = 0
  /// Weeks of groups that were closed.
  public var closed = 0
  /// Members who were notified.
  public var told = 0
  /// Weeks closed silently, because there was no entry.
  public var silent = 0
  /// Weeks closed silently, because they ended more than 7 days ago.
  public var late = 0
  /// Notifications of changed ranks, written or changed, so that they end with the final one.
  public var rankChanges = 0
  /// Where the chunk ended; nil: there was nothing to look at.
  public var end: WeekPosition?
  /// Whether all that was due before its end is closed: no group's past has to be looked at then.
  public var isGapless = true

  /// A chunk that did nothing.
  public init() {}
}
