public import BatonPostgres
public import Foundation
import PresenceSQL
public import PresenceServer

/// Plans push notifications in a run's transaction.
public struct PostgresPushPlans: PushPlans {
  private let transaction: Transaction

  /// Creates a store that uses the given transaction.
  public init(_ transaction: Transaction) { self.transaction = transaction }

  /// Plans the pushes for messages.
  ///
  /// - Throws: `PostgresError`.
  public func plan(messages: [UUID]) async throws {
    try await transaction.run(.run(SQL.Push.planMessages, messages))
  }

  /// Plans the pushes for first arrivals.
  ///
  /// - Throws: `PostgresError`.
  public func plan(arrivals: [Int64]) async throws {
    try await transaction.run(.run(SQL.Push.planArrivals, arrivals))
  }
}
