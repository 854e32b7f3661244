public import BatonPostgres
import Presence
import PresenceSQL
public import PresenceServer

/// Unlocks achievements in PostgreSQL, within one transaction.
public struct PostgresUnlocks: Unlocks {
  private let transaction: Transaction

  /// Creates a store whose statements run in the given transaction.
  public init(_ transaction: Transaction) { self.transaction = transaction }

  /// Unlocks all locked achievements whose goals the given users have reached.
  ///
  /// - Throws: `PostgresError`.
  @discardableResult
  public func award(to users: [String]) async throws -> Int {
    let (_, awarded) = try await transaction.run(
      .run(SQL.Achievements.holdStats, users), .count(SQL.Achievements.award, users))
    return awarded
  }
}
