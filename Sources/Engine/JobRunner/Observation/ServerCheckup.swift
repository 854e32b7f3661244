package import BatonPostgres
import RunnerSQL

/// The properties of a server and its tables that affect a queue, besides the queue's own state.
package struct ServerCheckup: Sendable, Codable {
  /// The server's settings by name, in the units of `pg_settings`; a setting that this version lacks is missing.
  package let settings: [String: ServerSetting]
  /// Tables with more dead rows than live ones, and those that are never vacuumed.
  package let bloat: [BloatedTable]
  /// Transactions and other holders that prevent the vacuum of dead rows, the oldest first.
  package let holders: [VacuumHolder]
}

/// A setting of the server, with its value at the start of a session of this login.
package struct ServerSetting: Sendable, Codable {
  /// The value as text, in its unit.
  package let value: String
  /// `ms`, `8kB`; empty if it has no unit.
  package let unit: String
}

/// A table with more dead rows than live ones.
package struct BloatedTable: Sendable, Codable {
  /// Its name.
  package let name: String
  /// The approximate numbers of live and dead rows.
  package let rows, deadRows: Int64
  /// Its size on disk with its indexes.
  package let bytes: Int64
  /// Days since it was vacuumed; nil if never since the server's statistics began.
  package let vacuumedDays: Int64?
  /// Whether autovacuum is disabled for it.
  package let isExempt: Bool
}

/// A holder that prevents the vacuum of dead rows.
package struct VacuumHolder: Sendable, Codable {
  /// `transaction`, `prepared` or `replication` (a replication slot).
  package let kind: String
  /// The server process of a transaction, or the name of the prepared transaction or slot.
  package let name: String
  /// The user of the session, and its `application_name`.
  package let user, applicationName: String
  /// The state of the server process.
  package let state: String
  /// How long it has been open; nil if that is not known.
  package let seconds: Int64?
}

extension Queue {
  /// Reads the state of the server and the schema's tables; changes nothing.
  ///
  /// - Parameters:
  ///   - settings: the names of the settings to read.
  ///   - deadRows: a table with fewer dead rows is not reported as bloated.
  ///   - seconds: a transaction that has been open for less time is not reported as a holder.
  /// - Throws: `PostgresError`.
  package func checkUp(
    settings: [String], deadRows: Int64, seconds: Int64
  ) async throws(PostgresError) -> ServerCheckup {
    let list = Call.rows(SQL.Observation.readSettings, settings) { (row) throws(PostgresError) in
      let (name, value, unit) = try row.decode(String.self, String.self, String.self)
      return (name, ServerSetting(value: value, unit: unit))
    }
    let bloat = Call.rows(SQL.Observation.listBloat, deadRows) { (row) throws(PostgresError) in
      let (name, live, dead, bytes, days, isExempt) = try row.decode(
        String.self, Int64.self, Int64.self, Int64.self, Int64?.self, Bool.self)
      return BloatedTable(
        name: name, rows: live, deadRows: dead, bytes: bytes, vacuumedDays: days,
        isExempt: isExempt)
    }
    let (_, found, tables, open) = try await session.freely.atomically(
      ObservationCalls.limit, list, bloat, DatabaseCalls.holders(olderThan: seconds))
    return ServerCheckup(
      settings: Dictionary(found) { first, _ in first }, bloat: tables, holders: open)
  }
}
