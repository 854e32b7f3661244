package import BatonPostgres
import RunnerSQL

extension Queue {
  /// Returns the time zones of stored schedules that the server does not recognize, sorted by name.
  ///
  /// If a server update removes a time zone, the schedules in that time zone do not fire.
  ///
  /// - Throws: `PostgresError`.
  package func unknownZones() async throws(PostgresError) -> [String] {
    let list = Call.rows(SQL.Observation.listUnknownZones) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
    return try await look(list)
  }
}
