package import BatonPostgres
import RunnerSQL

extension Queue {
  /// Returns the time zones of stored schedules that the server does not know, sorted by name.
  ///
  /// An update of the server can remove a time zone. The schedules in this time zone do not fire.
  ///
  /// - Throws: `PostgresError`.
  package func unknownZones() async throws(PostgresError) -> [String] {
    let list = Call.rows(SQL.Observation.listUnknownZones) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
    return try await look(list)
  }
}
