public import BatonPostgres
import Presence
import PresenceSQL
public import PresenceServer

/// What jobs do about presences, in PostgreSQL and within one transaction.
public struct PostgresPresenceUpkeep: PresenceUpkeep {
  private let transaction: Transaction

  /// A store whose work is part of the transaction.
  public init(_ transaction: Transaction) { self.transaction = transaction }

  /// Writes the lines of groups, all of them in one round trip.
  ///
  /// - Throws: `PostgresError`.
  public func summarize(_ groups: [String]) async throws {
    _ = try await transaction.run(
      .run(SQL.Presence.makeSummaries, groups), .run(SQL.Presence.lockSummaries, groups),
      .run(SQL.Presence.summarize, groups))
  }

  /// Ends presences whose deadline has come, and arms the next run of the others.
  ///
  /// - Throws: `PostgresError`.
  public func checkOutDue(_ presences: [Int64]) async throws {
    try await transaction.run(.run(SQL.Presence.checkOutDue, presences))
  }

  /// Ends automatic presences that are silent.
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
