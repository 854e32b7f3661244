package import BatonPostgres
import Foundation
import JobRunner
import Testing

/// A schema with its roles, on the server for tests of roles.
package struct RolePlace: Sendable {
  /// Which one.
  package let schema: Schema
  /// Who made it: no superuser, but may create roles.
  package let maker: String
  /// The program whose schema it is; nil: `gymrats`.
  private let executable: String?

  /// A migrated schema; with its roles unless it is said otherwise.
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

  /// The program, as somebody who logs in as the role of a kind, or as who made the schema.
  package func gymrats(as kind: String? = nil) throws -> BatonProgram {
    BatonProgram(
      executable: executable,
      environment: [
        "DATABASE_URL": try RoleServer.address(of: kind.map(role) ?? maker),
        "BATON_SCHEMA": schema.name,
      ])
  }

  /// The name of the role of a kind; the superuser is of no schema.
  package func role(_ kind: String) -> String { kind == "postgres" ? kind : "\(schema)_\(kind)" }

  /// A connection of the role of a kind, the superuser or who made the schema.
  package func connect(as kind: String? = nil) async throws -> Connection {
    try await RoleServer.connect(as: kind.map(role) ?? maker)
  }

  /// The first columns of what a role is answered, in a transaction of its own.
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

  /// Runs statements as the superuser, with names of the schema.
  package func run(_ texts: String...) async throws {
    try await RoleServer.with(try await connect(as: "postgres")) { connection in
      try await connection.transaction(in: schema) { transaction in
        // A script alone does not begin a transaction.
        try await transaction.run(.run(Statement("test/begin", "select")))
        for text in texts { try await transaction.script(Statement("test/run", text)) }
      }
    }
  }
}
