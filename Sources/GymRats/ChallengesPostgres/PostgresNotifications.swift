public import BatonPostgres
public import Challenges
import ChallengesSQL
public import ChallengesServer
import Foundation

/// The notification store in PostgreSQL, within one transaction.
public struct PostgresNotifications: Notifications {
  private let transaction: Transaction

  /// Creates a store whose statements run in the given transaction.
  public init(_ transaction: Transaction) { self.transaction = transaction }

  /// Locks boards so that no other transaction can publish ranks, and then reads the last published
  /// ranks.
  ///
  /// The method acquires the locks on the boards and reads the ranks in two statements. A single
  /// statement that waits for a lock would read ranks from a snapshot taken before the wait.
  ///
  /// - Throws: `PostgresError`.
  public func tellNext(
    of boards: Int, after last: ChallengeID?
  ) async throws -> ToldBoards {
    let start = last?.uuid ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    let lock = Call.rows(SQL.Notifications.lockUntold, start, Int64(boards), decode: Self.board)
    let locked: [UUID] = try await transaction.run(lock)
    var told = try await Self.tell(locked, in: transaction)
    told.last = locked.last.map { ChallengeID($0) }
    return told
  }

  /// Writes the pending rank notifications of boards that are about to be closed or repaired.
  static func settle(
    _ boards: [UUID], in transaction: Transaction
  ) async throws(PostgresError) -> ToldBoards {
    let lock = Call.rows(SQL.Notifications.lockUntoldOf, boards, decode: board)
    let locked: [UUID] = try await transaction.run(lock)
    return try await tell(locked, in: transaction)
  }

  private static func tell(
    _ boards: [UUID], in transaction: Transaction
  ) async throws(PostgresError) -> ToldBoards {
    guard !boards.isEmpty else { return ToldBoards() }
    let call = Call.row(SQL.Notifications.tellRanks, boards) { (row) throws(PostgresError) in
      let (written, changed, back, waiting) = try row.decode(
        Int64.self, Int64.self, Int64.self, Int64.self)
      var told = ToldBoards()
      told.boards = boards.count
      told.written = Int(written)
      told.changed = Int(changed)
      told.takenBack = Int(back)
      told.waiting = Int(waiting)
      return told
    }
    let (_, told, _) = try await transaction.run(
      .run(SQL.Notifications.setPlanCacheMode, true), call,
      .run(SQL.Notifications.setPlanCacheMode, false))
    return told
  }

  private static func board(_ row: Row) throws(PostgresError) -> UUID {
    try row.decode(UUID.self)
  }
}
