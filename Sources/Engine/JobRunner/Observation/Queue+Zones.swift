package import BatonPostgres
import RunnerSQL

extension Queue {
  /// Returns the time zones of stored schedules that the server does not know, sorted by name.
  ///
  /// If an update of the server removes a time zone, the schedules in this time zone do not fire.
  ///
  /// - Throws: `PostgresError`.
  package func unknownZones() async throws(PostgresError) -> [String] {
    let list = Call.rows(SQL.Observation.listUnknownZones) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
    return try await look(list)
  }
}
