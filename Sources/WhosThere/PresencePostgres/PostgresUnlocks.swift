public import BatonPostgres
import Presence
import PresenceSQL
public import PresenceServer

/// What users have achieved, in PostgreSQL and within one transaction.
public struct PostgresUnlocks: Unlocks {
  private let transaction: Transaction

  /// A store whose work is part of the transaction.
  public init(_ transaction: Transaction) { self.transaction = transaction }

  /// Unlocks what these users have achieved and do not have.
  ///
  /// - Throws: `PostgresError`.
  @discardableResult
  public func award(to users: [String]) async throws -> Int {
    let (_, awarded) = try await transaction.run(
      .run(SQL.Achievements.holdStats, users), .count(SQL.Achievements.award, users))
    return awarded
  }
}
