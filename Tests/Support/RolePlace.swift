package import BatonPostgres
import Foundation
import JobRunner
import Testing

/// A schema with its roles, on the server for tests with roles.
package struct RolePlace: Sendable {
  /// The schema.
  package let schema: Schema
  /// The role that created the schema.
  ///
  /// The role is not a superuser, but may create roles.
  package let maker: String
  /// The name of the program that owns the schema, or nil for `gymrats`.
  private let executable: String?

  /// Creates a migrated schema, by default with its roles.
  package static func make(
    _ beginning: String = "gym", hasRoles: Bool = true, executable: String? = nil
  ) async throws -> RolePlace {
    let schema = try #require(Schema(RoleServer.name(beginning)))
    let place = RolePlace(
      schema: schema, maker: RoleServer.name("maker"), executable: executable)
    try await RoleServer.administer(
      "create role \(place.maker) login createrole",
      "grant create on database postgres to \(place.maker)")
    try await place.gymrats().succeed("migrate")
    if hasRoles { try await place.gymrats().succeed("roles", "create") }
    return place
  }

  /// Returns the program with the login of the given kind of role, or with the login of ``maker``
  /// if `kind` is nil.
  package func gymrats(as kind: String? = nil) throws -> BatonProgram {
    BatonProgram(
      executable: executable,
      environment: [
        "DATABASE_URL": try RoleServer.address(of: kind.map(role) ?? maker),
        "BATON_SCHEMA": schema.name,
      ])
  }

  /// Returns the name of the given kind of role.
  ///
  /// The superuser does not belong to a schema.
  package func role(_ kind: String) -> String { kind == "postgres" ? kind : "\(schema)_\(kind)" }

  /// Opens a connection with the given kind of role, with the superuser, or with ``maker``.
  package func connect(as kind: String? = nil) async throws -> Connection {
    try await RoleServer.connect(as: kind.map(role) ?? maker)
  }

  /// Executes a query as a role in a separate transaction, and returns the first column of the
  /// rows.
  @discardableResult
  package func rows(
    _ text: String, as kind: String = "postgres", sets: [(String, String)] = []
  ) async throws -> [String] {
    try await RoleServer.with(try await connect(as: kind)) { connection in
      try await connection.transaction(in: schema) { transaction in
        for (name, value) in sets {
          try await transaction.run(
            .run(Statement("test/set", "select set_config($1, $2, true)"), name, value))
        }
        let list = Call<[String?]>.rows(Statement("test/rows", text)) {
          (row) throws(PostgresError) in try row.decode(String?.self)
        }
        return try await transaction.run(list).map { $0 ?? "" }
      }
    }
  }

  /// Runs statements as the superuser, with the schema as the search path.
  package func run(_ texts: String...) async throws {
    try await RoleServer.with(try await connect(as: "postgres")) { connection in
      try await connection.transaction(in: schema) { transaction in
        // A statement begins the transaction, because a script alone does not begin a transaction.
        try await transaction.run(.run(Statement("test/begin", "select")))
        for text in texts { try await transaction.script(Statement("test/run", text)) }
      }
    }
  }
}
