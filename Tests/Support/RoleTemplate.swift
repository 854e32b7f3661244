package import BatonPostgres
package import JobRunner

/// A template database with a migrated schema and its roles, and copies of the template, on the
/// server for tests with roles.
///
/// Roles belong to the cluster, so all copies have the same roles with the same rights.
package final class RoleTemplate: Sendable {
  private let content: TemplateSchema
  /// The schema, which is the same in all copies.
  package var schema: Schema { content.schema }

  /// Creates a template.
  ///
  /// The template database is created when it is first used.
  package init(_ beginning: String, parts: [SchemaPart], jobs: [RegisteredJob] = []) {
    guard let schema = Schema(RoleServer.name(beginning)) else {
      preconditionFailure("\(beginning) begins no schema's name")
    }
    content = TemplateSchema(schema, parts: parts, jobs: jobs)
  }

  /// Runs `body` with the name of a copy, and drops the copy afterwards.
  ///
  /// - Throws: the error of `body`.
  package func withCopy<R>(_ body: (_ database: String) async throws -> R) async throws -> R {
    try await content.made { try await self.make() }
    let name = RoleServer.name("copy")
    try await RoleServer.administer(
      "create database \(name) template \(schema) \(TestDatabase.strategy)")
    let result: Result<R, any Error>
    do { result = .success(try await body(name)) } catch { result = .failure(error) }
    try await RoleServer.administer("drop database \(name) with (force)")
    return try result.get()
  }

  /// Returns the connection settings of a copy for the given kind of role, or for the superuser if
  /// `kind` is nil.
  ///
  /// - Throws: the error that occurred when the server was started.
  package func configuration(
    as kind: String? = nil, in database: String
  ) throws -> ConnectionConfiguration {
    let role = kind.map { "\(schema)_\($0)" } ?? "postgres"
    return ConnectionConfiguration(address: try RoleServer.address(of: role, in: database))
  }

  /// Returns the statements that the given kind of role may not execute.
  ///
  /// Each statement is planned and started, so that PostgreSQL checks the rights, but no statement
  /// is executed.
  ///
  /// - Throws: any error of a statement other than a missing right.
  package func refused(
    _ statements: [Statement], as kind: String, database: String
  ) async throws -> [String] {
    let connection = try await Connection.open(try configuration(as: kind, in: database))
    return try await RoleServer.with(connection) { connection in
      var refused: [String] = []
      guard !statements.isEmpty else { throw TestFailure("there is no statement") }
      for statement in statements {
        let numbers = statement.text.matches(of: /\$(\d+)/).compactMap { Int($0.1) }
        let nulls = Array(repeating: "null", count: numbers.max() ?? 0).joined(separator: ", ")
        do {
          try await connection.script(
            Statement(
              "test/rights",
              """
              begin; set local search_path = \(schema), pg_temp; prepare planned as \(statement.text);
              explain execute planned\(nulls.isEmpty ? "" : "(\(nulls))")
              """))
        } catch let error as PostgresError where error.sqlState.code == "42501" {
          refused.append(statement.name)
        }
        try await connection.script(Statement("test/end", "rollback; deallocate all"))
      }
      return refused
    }
  }

  private func make() async throws {
    try await RoleServer.administer("create database \(schema)")
    let address = try RoleServer.address(in: schema.name)
    try await RoleServer.with(try await RoleServer.connect(in: schema.name)) { superuser in
      try await content.fill(superuser, at: address)
      _ = try await content.migrator.createRoles(superuser)
    }
    // This connection writes a cache file of the catalog, which each copy contains.
    await (try RoleServer.connect(in: schema.name)).close()
  }
}
