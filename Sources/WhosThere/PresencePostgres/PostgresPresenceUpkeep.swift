public import BatonPostgres
import Presence
import PresenceSQL
public import PresenceServer

/// Updates presences for jobs in PostgreSQL, within one transaction.
public struct PostgresPresenceUpkeep: PresenceUpkeep {
  private let transaction: Transaction

  /// Creates a store whose statements run in the given transaction.
  public init(_ transaction: Transaction) { self.transaction = transaction }

  /// Writes group summaries in one round trip.
  ///
  /// - Throws: `PostgresError`.
  public func summarize(_ groups: [String]) async throws {
    _ = try await transaction.run(
      .run(SQL.Presence.makeSummaries, groups), .run(SQL.Presence.lockSummaries, groups),
      .run(SQL.Presence.summarize, groups))
  }

  /// Ends presences whose deadline has passed.
  ///
  /// If a presence's deadline was postponed, the method schedules a run at the new deadline.
  ///
  /// - Throws: `PostgresError`.
  public func checkOutDue(_ presences: [Int64]) async throws {
    try await transaction.run(.run(SQL.Presence.checkOutDue, presences))
  }

  /// Ends automatic presences that no device has confirmed for 12 hours.
  ///
  /// The method also ends presences whose deadline has passed, in case the run for the deadline was
  /// lost.
  ///
  /// - Throws: `PostgresError`.
  public func checkOutSilent(limit: Int) async throws -> Int {
    let call = Call.row(SQL.Presence.checkOutSilent, Int32(limit)) {
      (row) throws(PostgresError) in try row.decode(Int32.self)
    }
    let ended: Int32 = try await transaction.run(call)
    return Int(ended)
  }
}
