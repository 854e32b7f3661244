public import Challenges
import ProductKit

/// The operations of the store of boards that the job for closing weeks needs.
public protocol Weeks: Sendable {
  /// Closes weeks whose grace period has ended, oldest first, and notifies the members.
  ///
  /// The call never waits for a writer. If a transaction has locked a board, the call skips the
  /// board's group.
  ///
  /// - Parameters:
  ///   - groups: The maximum number of groups to check.
  ///   - last: The previous chunk, or nil to start with the oldest week.
  ///   - week: The only week to close, or nil to close every week.
  func closeChunk(
    of groups: Int, after last: ClosedChunk?, only week: Week?
  ) async throws -> ClosedChunk

  /// Returns whether the grace period of a week has ended and the week is not closed.
  func areDue(only week: Week?) async throws -> Bool

  /// Returns groups with an entry in the last 4 weeks and without a board of the coming week,
  /// ordered by id.
  func livelyGroups(after group: String, limit: Int) async throws -> [WeekPosition]

  /// Creates the missing boards of a group's week.
  ///
  /// - Returns: The number of boards that were created.
  func makeBoards(of position: WeekPosition) async throws -> Int
}

/// A week of a group.
///
/// Positions are ordered by week, then by group.
public struct WeekPosition: Sendable, Hashable {
  /// The date of the week's Monday, as `YYYY-MM-DD`.
  public let monday: String
  /// The group's id.
  public let group: String

  /// Creates the position of a group's week.
  public init(monday: String, group: String) {
    self.monday = monday
    self.group = group
  }

  /// Returns whether both positions have the same week and a group's id with the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.monday == right.monday && left.group.hasSameBytes(as: right.group)
  }

  /// Hashes the week and the bytes of the group's id.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(monday)
    hasher.combine(group.bytes)
  }
}

/// The result of closing one chunk.
public struct ClosedChunk: Sendable {
  /// The number of groups that were checked.
  ///
  /// If the number is less than the limit, no groups are left.
  public var groups = 0
  /// The number of groups that were skipped because a transaction was writing to them.
  public var held = 0
  /// The number of groups whose week was closed.
  public var closed = 0
  /// The number of members who were notified.
  public var told = 0
  /// The number of weeks that were closed without notifications because they had no entry.
  public var silent = 0
  /// The number of weeks that were closed without notifications because they ended more than 7 days
  /// ago.
  public var late = 0
  /// The number of rank notifications that were written, updated or deleted so that the last
  /// notification has the final rank.
  public var rankChanges = 0
  /// The last position of the chunk, or nil if no group was checked.
  public var end: WeekPosition?
  /// Whether all weeks that were due before the end of the chunk are closed.
  ///
  /// If the value is true, the next chunk does not check earlier weeks of any group.
  public var isGapless = true

  /// Creates the result of a chunk in which nothing was closed.
  public init() {}
}
