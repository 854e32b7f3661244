import BatonPostgres
import RunnerSQL

extension Migrator {
  /// Rejects logins with unsuitable settings, and new schemas in a database whose encoding cannot
  /// represent all characters.
  ///
  /// Keys, payloads and errors may contain any character, so the database's encoding must support
  /// all of them. The encoding of an existing schema's database is not checked, because a migration
  /// cannot change it.
  func requireDatabase(_ connection: Connection) async throws {
    let encoding = Call.rows(SQL.Migrator.readEncoding, as: String.self)
    let (layout, found, settings) = try await connection.pipeline(
      readLayout, encoding, Self.readSessionSettings)
    try require(settings)
    guard layout == "none", let name = found.first, name != "UTF8" else { return }
    throw SchemaProblem.encoding(schema, name)
  }

  /// The session settings that can be incompatible with Baton.
  struct SessionSettings: Sendable {
    let replicationRole: String
    /// The kinds of relations that the session cannot read, or nil if the server does not support
    /// this restriction.
    let restrictedKinds: String?
  }

  static let readSessionSettings = Call<SessionSettings>.row(SQL.Migrator.readSessionSettings) {
    (row) throws(PostgresError) in
    let (role, kinds) = try row.decode(String.self, String?.self)
    return SessionSettings(replicationRole: role, restrictedKinds: kinds)
  }

  /// Rejects a login whose session settings are incompatible with Baton.
  func require(_ settings: SessionSettings) throws(SchemaProblem) {
    guard settings.replicationRole != "replica" else { throw .firesNoTriggers(schema) }
    guard settings.restrictedKinds?.contains("view") != true else { throw .readsNoViews(schema) }
  }
}
