import BatonPostgres
import RunnerSQL

extension Migrator {
  /// Throws an error if the schema contains functions, operators or casts that PostgreSQL could use
  /// instead of its built-in objects.
  ///
  /// PostgreSQL chooses the overload whose parameters fit best, in any schema of the search path.
  /// An overload that the schema's owner created would run with the rights of the login, which may
  /// be a superuser. The check for shadowing objects therefore runs before all other statements,
  /// and its statements qualify every name with `pg_catalog`. The migrator's other statements
  /// qualify names too, so `check` also finds a shadowing object that is created later.
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
