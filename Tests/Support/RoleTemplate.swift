package import BatonPostgres
package import JobRunner

/// Databases with a migrated schema and its roles, copies of one, on the server for tests of roles.
///
/// Roles are a cluster's, so all copies have the same ones, with the same rights.
package final class RoleTemplate: Sendable {
  private let content: TemplateSchema
  /// The schema in all of them.
  package var schema: Schema { content.schema }

  /// A template that is made when it is first asked for.
  package init(_ beginning: String, parts: [SchemaPart], jobs: [RegisteredJob] = []) {
    guard let schema = Schema(RoleServer.name(beginning)) else {
      preconditionFailure("\(beginning) begins no schema's name")
    }
    content = TemplateSchema(schema, parts: parts, jobs: jobs)
  }

  /// Runs `body` with the name of a copy, and drops that afterwards.
  ///
  /// - Throws: the error of `body`.
  package func withCopy<R>(_ body: (_ database: String) async throws -> R) async throws -> R {
    try await content.made { try await self.make() }
    let name = RoleServer.name("copy")
    try await RoleServer.administer("create database \(name) template \(schema)")
    let result: Result<R, any Error>
    do { result = .success(try await body(name)) } catch { result = .failure(error) }
    try await RoleServer.administer("drop database \(name) with (force)")
    return try result.get()
  }

  /// How the role of a kind reaches a copy; nil: the superuser.
  ///
  /// - Throws: what starting the server met.
  package func configuration(
    as kind: String? = nil, in database: String
  ) throws -> ConnectionConfiguration {
    let role = kind.map { "\(schema)_\($0)" } ?? "postgres"
    return ConnectionConfiguration(address: try RoleServer.address(of: role, in: database))
  }

  /// The statements whose function the role of a kind may not execute.
  ///
  /// Each statement is planned and begun, so PostgreSQL checks its rights; nothing is run.
  ///
  /// - Throws: any other error of a statement.
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
  }
}
