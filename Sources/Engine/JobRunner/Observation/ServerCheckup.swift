package import BatonPostgres
import RunnerSQL

/// What of a server and its tables matters to a queue beside what goes on in it.
package struct ServerCheckup: Sendable, Codable {
  /// The server's settings by their names, in the units of `pg_settings`: what is not there this version lacks.
  package let settings: [String: ServerSetting]
  /// Tables with more dead rows than live ones, and those that are never vacuumed.
  package let bloat: [BloatedTable]
  /// Who keeps dead rows from being vacuumed, the oldest first.
  package let holders: [VacuumHolder]
}

/// A setting of the server, as a session of this login begins.
package struct ServerSetting: Sendable, Codable {
  /// As text, in its unit.
  package let value: String
  /// `ms`, `8kB`; empty where there is none.
  package let unit: String
}

/// A table with more dead rows than live ones.
package struct BloatedTable: Sendable, Codable {
  /// Its name.
  package let name: String
  /// About how many rows are alive and dead.
  package let rows, deadRows: Int64
  /// Its size on disk with its indexes.
  package let bytes: Int64
  /// Days since it was vacuumed; nil: never, as far as the server's statistics go.
  package let vacuumedDays: Int64?
  /// Whether somebody has put autovacuum off for it.
  package let isExempt: Bool
}

/// What keeps dead rows from being vacuumed.
package struct VacuumHolder: Sendable, Codable {
  /// `transaction`, `prepared` or `replication`, for the slots of that.
  package let kind: String
  /// The server process, or the name that the others have.
  package let name: String
  /// Who is logged in there, and what the program says that it is.
  package let user, applicationName: String
  /// What the server process does.
  package let state: String
  /// How long it has been open; nil: nobody knows.
  package let seconds: Int64?
}

extension Queue {
  /// Looks at the server and the schema's tables; changes nothing.
  ///
  /// - Parameters:
  ///   - settings: the names of those that are read.
  ///   - deadRows: fewer of a table are no bloat.
  ///   - seconds: a transaction that is open for less keeps nothing.
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
