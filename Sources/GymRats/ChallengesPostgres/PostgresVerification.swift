public import BatonPostgres
import Challenges
import ChallengesSQL
public import ChallengesServer
import Foundation

/// Compares boards with the ledger of workouts and repairs differences, within one transaction.
///
/// The page docs/internals/write-path.md describes the locks, and what happens if other
/// transactions run concurrently.
public struct PostgresVerification: Verification {
  private let transaction: Transaction

  /// Creates a store whose statements run in the given transaction.
  public init(_ transaction: Transaction) { self.transaction = transaction }

  /// Returns up to `limit` group-week pairs that have boards, starting after `last`.
  ///
  /// - Throws: `PostgresError`.
  public func nextWeeks(
    after last: WeekPosition?, limit: Int, of share: GroupShare
  ) async throws -> [WeekPosition] {
    let list = Call.rows(
      SQL.Verify.listWeeks, last?.monday ?? "-infinity", last?.group ?? "", Int64(limit),
      share.seed, share.lower, share.upper
    ) { (row) throws(PostgresError) in
      let (monday, group) = try row.decode(String.self, String.self)
      return WeekPosition(monday: monday, group: group)
    }
    return try await transaction.run(list)
  }

  /// Counts the members of up to `limit` groups after the group `last`, ordered by group id.
  ///
  /// - Throws: `PostgresError`.
  public func nextGroups(
    after last: String, limit: Int, of share: GroupShare
  ) async throws -> CountedGroups {
    let count = Call.row(
      SQL.Verify.listGroups, last, Int64(limit), share.seed, share.lower, share.upper
    ) { (row) throws(PostgresError) in
      let (end, groups, lines) = try row.decode(String?.self, Int64.self, String.self)
      let drift = lines.split(separator: "\n").map { line in
        let parts = line.split(separator: "\t").map(String.init)
        return BoardDrift(
          kind: "member_count", group: parts[0], weekStart: nil, type: nil, state: nil, user: nil,
          found: parts[1], expected: parts[2])
      }
      return CountedGroups(last: end, groups: Int(groups), drift: drift)
    }
    return try await transaction.run(count)
  }

  /// Compares the entries on boards with the ledger, and the standings on boards with the entries.
  ///
  /// - Throws: `PostgresError`.
  public func drift(of weeks: [WeekPosition]) async throws -> [BoardDrift] {
    let list = Call.rows(
      SQL.Verify.listDrift, weeks.map(\.monday), weeks.map(\.group)
    ) { (row) throws(PostgresError) in
      let (kind, group, monday, type, state, user, found, expected) = try row.decode(
        String.self, String.self, String.self, String.self, String.self, String.self, String.self,
        String.self)
      return BoardDrift(
        kind: kind, group: group, weekStart: monday, type: type, state: state, user: user,
        found: found, expected: expected)
    }
    return try await transaction.run(list)
  }

  /// Recomputes a member's boards for the given week and all later weeks, and publishes them
  /// without notifications about the repair.
  ///
  /// - Throws: `PostgresError`.
  public func heal(member: String, in week: WeekPosition) async throws {
    let lock = Call.row(SQL.Verify.lockMember, week.group, member) { (row) throws(PostgresError) in
      try row.decode(Bool.self)
    }
    guard try await transaction.run(lock) else { return }
    let boards = try await openBoards(from: week)
    // These calls publish rank changes that earlier writes caused, and notify members of these
    // changes. The repair below publishes its rank changes without notifications, and deletes the
    // notifications whose ranks it changes.
    try await PostgresLeaderboards(transaction).recomputeRanks(of: boards)
    try await transaction.run(.run(SQL.Leaderboard.allowAllJoins))
    _ = try await PostgresNotifications.settle(boards.map(\.uuid), in: transaction)
    try await transaction.run(
      .run(SQL.Verify.deriveDays, week.group, member, week.monday),
      .run(SQL.Verify.deriveWeeks, week.group, member, week.monday),
      .run(SQL.Verify.followUser, week.group, member, boards.map(\.uuid)))
    try await publishSilently(boards)
  }

  /// Publishes a group's open boards for the given week and all later weeks, without notifications.
  ///
  /// - Throws: `PostgresError`.
  public func healRanks(of week: WeekPosition) async throws {
    try await publishSilently(try await openBoards(from: week))
  }

  /// Recounts a group's members and stores the count.
  ///
  /// - Throws: `PostgresError`.
  public func healCount(of group: String) async throws {
    try await transaction.run(.run(SQL.Verify.countMembers, group))
  }

  private func openBoards(from week: WeekPosition) async throws(PostgresError) -> [ChallengeID] {
    let lock = Call.rows(SQL.Verify.lockOpenBoards, week.group, week.monday) {
      (row) throws(PostgresError) in ChallengeID(try row.decode(UUID.self))
    }
    return try await transaction.run(lock)
  }

  private func publishSilently(_ boards: [ChallengeID]) async throws {
    try await PostgresLeaderboards(transaction).recomputeRanks(of: boards)
    try await transaction.run(
      .run(SQL.Leaderboard.allowAllJoins), .run(SQL.Verify.settleSilently, boards.map(\.uuid)))
  }
}
