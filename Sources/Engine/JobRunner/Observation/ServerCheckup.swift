package import BatonPostgres
import RunnerSQL

/// The settings and tables of a server that affect a queue.
package struct ServerCheckup: Sendable, Codable {
  /// The server's settings by name, in the units of `pg_settings`.
  ///
  /// Settings that do not exist in the server's version are omitted.
  package let settings: [String: ServerSetting]
  /// The tables with more dead rows than live rows, and the tables for which autovacuum is
  /// disabled.
  package let bloat: [BloatedTable]
  /// The transactions and replication slots that prevent VACUUM from removing dead rows, oldest
  /// first.
  package let holders: [VacuumHolder]
  /// The standbys that are connected to the server, synchronous standbys first.
  package let standbys: [Standby]
  /// The replication slots, sorted by the size of the retained write-ahead log, largest first.
  package let slots: [ReplicationSlot]
}

/// A server setting, with the value that a new session of this login has.
package struct ServerSetting: Sendable, Codable {
  /// The value as a string, in the unit given by ``unit``.
  package let value: String
  /// The unit of the value, for example `ms` or `8kB`, or an empty string.
  package let unit: String
}

/// A table that has more dead rows than live rows, or for which autovacuum is disabled.
package struct BloatedTable: Sendable, Codable {
  /// The name of the table.
  package let name: String
  /// The qualified and quoted name of the table, for statements in a session with any
  /// `search_path`.
  package let path: String
  /// The approximate numbers of live and dead rows.
  package let rows, deadRows: Int64
  /// The size of the table on disk in bytes, including indexes.
  package let bytes: Int64
  /// The days since the last vacuum, or nil if the server's statistics do not record a vacuum.
  package let vacuumedDays: Int64?
  /// Whether autovacuum is disabled for the table.
  package let isExempt: Bool
}

/// A transaction or replication slot that prevents VACUUM from removing dead rows.
package struct VacuumHolder: Sendable, Codable {
  /// The kind of holder, which is `transaction`, `prepared` for a prepared transaction, or
  /// `replication` for a slot.
  package let kind: String
  /// The process id of the transaction's session, or the name of the prepared transaction or slot.
  package let name: String
  /// The user and the `application_name` of the session.
  package let user, applicationName: String
  /// The state of the session.
  package let state: String
  /// The age of the transaction in seconds, or nil if it is unknown.
  package let seconds: Int64?
}

extension Queue {
  /// Reads the server's settings and the state of the schema's tables, without changing anything.
  ///
  /// - Parameters:
  ///   - settings: the names of the settings to read.
  ///   - deadRows: the minimum number of dead rows in a table that is reported as bloated.
  ///   - seconds: the minimum age, in seconds, of a transaction that is reported.
  /// - Throws: `PostgresError`.
  package func checkUp(
    settings: [String], deadRows: Int64, seconds: Int64
  ) async throws(PostgresError) -> ServerCheckup {
    let list = Call.rows(SQL.Observation.readSettings, settings) { (row) throws(PostgresError) in
      let (name, value, unit) = try row.decode(String.self, String.self, String.self)
      return (name, ServerSetting(value: value, unit: unit))
    }
    let bloat = Call.rows(SQL.Observation.listBloat, deadRows) { (row) throws(PostgresError) in
      let (name, live, dead, bytes, days, isExempt, path) = try row.decode(
        String.self, Int64.self, Int64.self, Int64.self, Int64?.self, Bool.self, String.self)
      return BloatedTable(
        name: name, path: path, rows: live, deadRows: dead, bytes: bytes, vacuumedDays: days,
        isExempt: isExempt)
    }
    let (_, found, tables, open, standbys, slots) = try await session.freely.atomically(
      ObservationCalls.limit, list, bloat, DatabaseCalls.holders(olderThan: seconds),
      Standby.list, ReplicationSlot.list)
    return ServerCheckup(
      settings: Dictionary(found) { first, _ in first }, bloat: tables, holders: open,
      standbys: standbys, slots: slots)
  }
}
