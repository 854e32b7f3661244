public import BatonPostgres
public import Challenges
import ChallengesSQL
public import ChallengesServer
import Foundation

/// The week store in PostgreSQL, within one transaction.
///
/// The page docs/gymrats/weeks.md describes the locks.
public struct PostgresWeeks: Weeks {
  private let transaction: Transaction

  /// Creates a store whose statements run in the given transaction.
  public init(_ transaction: Transaction) { self.transaction = transaction }

  /// Locks a limited number of boards, updates their standings and notifications, and closes them.
  ///
  /// The first statement locks the boards, and later statements update and close them. Each later
  /// statement sees all changes that were committed before it started.
  ///
  /// - Throws: `PostgresError`.
  public func closeChunk(
    of groups: Int, after last: ClosedChunk?, only week: Week?
  ) async throws -> ClosedChunk {
    let (boards, locked) = try await lockDue(groups, after: last, only: week)
    var chunk = locked
    guard !boards.isEmpty else { return chunk }
    let pending = Call.rows(SQL.Weeks.pendingBoards, boards.map { $0.uuidString.lowercased() }) {
      (row) throws(PostgresError) in ChallengeID(try row.decode(UUID.self))
    }
    let unranked: [ChallengeID] = try await transaction.run(pending)
    if !unranked.isEmpty {
      try await PostgresLeaderboards(transaction).recomputeRanks(of: unranked)
      // Recomputing ranks disables some kinds of joins for the transaction. Without these joins,
      // the statements below would read all notifications.
      try await transaction.run(.run(SQL.Leaderboard.allowAllJoins))
    }
    let settled = try await PostgresNotifications.settle(boards, in: transaction)
    chunk.rankChanges = settled.written + settled.changed + settled.takenBack
    let close = Call.row(SQL.Weeks.closeWeeks, boards) { (row) throws(PostgresError) in
      try row.decode(Int64.self, Int64.self, Int64.self, Int64.self)
    }
    let (closed, told, silent, late): (Int64, Int64, Int64, Int64) = try await transaction.run(
      close)
    chunk.closed = Int(closed)
    chunk.told = Int(told)
    chunk.silent = Int(silent)
    chunk.late = Int(late)
    return chunk
  }

  private func lockDue(
    _ groups: Int, after last: ClosedChunk?, only week: Week?
  ) async throws(PostgresError) -> (boards: [UUID], chunk: ClosedChunk) {
    // If only the given week is closed, earlier weeks may still be open, so `isGapless` starts as
    // false.
    let isGapless = last?.isGapless ?? (week == nil)
    let lock = Call.row(
      SQL.Weeks.lockDueWeeks, Int64(groups), last?.end?.monday ?? "-infinity",
      last?.end?.group ?? "", week?.startDay, isGapless
    ) { (row) throws(PostgresError) in
      let (boards, whole, seen, monday, group) = try row.decode(
        String.self, Int64.self, Int64.self, String?.self, String?.self)
      var chunk = ClosedChunk()
      chunk.groups = Int(seen)
      chunk.held = Int(seen - whole)
      chunk.isGapless = isGapless && seen == whole
      if let monday, let group { chunk.end = WeekPosition(monday: monday, group: group) }
      return (boards.split(separator: "\n").compactMap { UUID(uuidString: String($0)) }, chunk)
    }
    let result: ([UUID], ClosedChunk) = try await transaction.run(lock)
    return (result.0, result.1)
  }

  /// Returns whether a week still has open boards after the end of its grace period.
  ///
  /// Boards that a writer has locked also count as open.
  ///
  /// - Throws: `PostgresError`.
  public func areDue(only week: Week?) async throws -> Bool {
    let look = Call.row(SQL.Weeks.hasDueWeeks, week?.startDay) { (row) throws(PostgresError) in
      try row.decode(Bool.self)
    }
    return try await transaction.run(look)
  }

  /// Enqueues a run of `close-week` for the time when the next ended or reopened week must be
  /// closed.
  ///
  /// - Throws: `PostgresError`.
  public func enqueueNextClose() async throws {
    try await transaction.run(.count(SQL.Weeks.enqueueNextClose))
  }

  /// Returns recently active groups that do not have boards for the next week.
  ///
  /// - Throws: `PostgresError`.
  public func livelyGroups(after group: String, limit: Int) async throws -> [WeekPosition] {
    let list = Call.rows(SQL.Weeks.listLivelyGroups, group, Int64(limit)) {
      (row) throws(PostgresError) in
      let (group, monday) = try row.decode(String.self, String.self)
      return WeekPosition(monday: monday, group: group)
    }
    return try await transaction.run(list)
  }

  /// Creates the boards for one group's week.
  ///
  /// - Throws: `PostgresError`.
  public func makeBoards(of position: WeekPosition) async throws -> Int {
    try await transaction.run(.count(SQL.Weeks.makeBoards, position.group, position.monday))
  }
}
