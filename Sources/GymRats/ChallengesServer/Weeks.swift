public import Challenges
import ProductKit

/// The week store, with the operations that the jobs for opening and closing weeks need.
public protocol Weeks: Sendable {
  /// Closes weeks whose grace period has ended, oldest first, and notifies the members.
  ///
  /// The call never waits for a writer. If another transaction has locked a board, the call skips
  /// the board's group.
  ///
  /// - Parameters:
  ///   - groups: The maximum number of groups to check.
  ///   - last: The result of the previous call, or nil to start with the oldest week.
  ///   - week: The only week to close, or nil to close every week.
  func closeChunk(
    of groups: Int, after last: ClosedChunk?, only week: Week?
  ) async throws -> ClosedChunk

  /// Returns whether a week's grace period has ended and the week is not closed.
  func areDue(only week: Week?) async throws -> Bool

  /// Enqueues a run of `close-week` for the time when the next ended or reopened week must be
  /// closed.
  ///
  /// If no such week is open, the call does not enqueue a run.
  func enqueueNextClose() async throws

  /// Returns groups that need boards for the next week, ordered by id.
  ///
  /// The result contains groups that have an entry in the last 4 weeks, but no board for the next
  /// week.
  func livelyGroups(after group: String, limit: Int) async throws -> [WeekPosition]

  /// Creates the missing boards of a group's week.
  ///
  /// - Returns: The number of boards created.
  func makeBoards(of position: WeekPosition) async throws -> Int
}

/// A group's week.
///
/// A position consists of a Monday's date and a group's id.
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

  /// Returns whether the two positions have the same week and the same group id, compared byte by
  /// byte.
  public static func == (left: Self, right: Self) -> Bool {
    left.monday == right.monday && left.group.hasSameBytes(as: right.group)
  }

  /// Hashes the week and the bytes of the group's id.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(monday)
    hasher.combine(group.bytes)
  }
}

/// The result of one call to `closeChunk`.
public struct ClosedChunk: Sendable {
  /// The number of groups checked.
  ///
  /// If fewer groups were checked than the limit allows, no groups are left.
  public var groups = 0
  /// The number of groups that were skipped because another transaction had locked one of the
  /// group's boards.
  public var held = 0
  /// The number of groups whose week was closed.
  public var closed = 0
  /// The number of members notified.
  public var told = 0
  /// The number of weeks that were closed without notifications, because the week's boards had no
  /// entries.
  public var silent = 0
  /// The number of weeks that were closed without notifications, because the week ended more than 7
  /// days ago.
  public var late = 0
  /// The number of rank notifications that were written, updated or deleted before the weeks were
  /// closed.
  ///
  /// Before a week is closed, the rank notifications are updated to the final ranks.
  public var rankChanges = 0
  /// The last position checked, or nil if no group was checked.
  public var end: WeekPosition?
  /// Whether every due week at or before the position ``end`` is closed.
  ///
  /// If `isGapless` is true, the next call does not check whether earlier weeks of a group are
  /// open.
  public var isGapless = true

  /// Creates the result of a call that closed no weeks.
  public init() {}
}
