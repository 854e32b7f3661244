import BatonPostgres
import RunnerSQL

extension Migrator {
  /// Refuses a login whose writes fire no triggers, and to create a schema in a database whose
  /// encoding lacks characters.
  ///
  /// Keys, payloads and errors may contain any character. A schema that exists already is left
  /// alone, because its data cannot be moved by a migration.
  func requireDatabase(_ connection: Connection) async throws {
    let encoding = Call.rows(SQL.Migrator.readEncoding, as: String.self)
    let (layout, found, mode) = try await connection.pipeline(
      readLayout, encoding, Self.readTriggerMode)
    guard mode != "replica" else { throw SchemaProblem.firesNoTriggers(schema) }
    guard layout == "none", let name = found.first, name != "UTF8" else { return }
    throw SchemaProblem.encoding(schema, name)
  }

  static let readTriggerMode = Call.row(SQL.Migrator.readTriggerMode) {
    (row) throws(PostgresError) in try row.decode(String.self)
  }
}
