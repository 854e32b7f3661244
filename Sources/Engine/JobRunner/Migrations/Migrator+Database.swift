import BatonPostgres
import RunnerSQL

extension Migrator {
  /// Throws an error if the login's writes fire no triggers, or if a new schema would be created in
  /// a database whose encoding lacks characters.
  ///
  /// Keys, payloads and errors may contain any character. The encoding is not checked for an
  /// existing schema, because a migration cannot move the schema's data to another database.
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
