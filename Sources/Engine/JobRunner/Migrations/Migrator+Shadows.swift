import BatonPostgres
import RunnerSQL

extension Migrator {
  /// Throws an error if the schema contains functions, operators or casts that PostgreSQL could use
  /// instead of its built-in objects.
  ///
  /// PostgreSQL calls the overload whose parameters fit best, in any schema of the search path. An
  /// overload created by the schema's owner would run with the rights of the login, which may be a
  /// superuser. The method must therefore run before all of the migrator's other statements. All of
  /// the migrator's statements qualify names with `pg_catalog`, in case an overload is created
  /// later.
  func requireNoShadows(_ connection: Connection) async throws {
    let list = Call<[(object: String, fix: String)]>.rows(SQL.Migrator.listShadows, schema.name) {
      (row) throws(PostgresError) in
      let (object, fix) = try row.decode(String.self, String.self)
      return (object: object, fix: fix)
    }
    let found = try await connection.transaction(in: schema) { transaction in
      try await transaction.run(.run(SQL.Migrator.enterCatalog))
      return try await transaction.run(list)
    }
    guard !found.isEmpty else { return }
    throw SchemaProblem.shadowed(schema, objects: found.map(\.object), fixes: found.map(\.fix))
  }
}
