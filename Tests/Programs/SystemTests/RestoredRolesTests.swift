import BatonPostgres
import TestSupport
import Testing

/// A whole database with roles, which is restored from a dump into another database of the cluster.
@Suite(.timeLimit(.minutes(5))) struct RestoredRolesTests {
  /// A database on the server for tests with roles.
  private struct Place {
    let name: String
    let product: String
    let schema: Schema

    var address: String { get throws { try RoleServer.address(in: name) } }

    func succeed(_ arguments: String...) async throws -> String {
      let program = BatonProgram(
        executable: try BatonProgram.path(of: product),
        environment: ["DATABASE_URL": try address, "BATON_SCHEMA": schema.name])
      return try await program.succeed(arguments)
    }
  }

  /// Runs `body` with an empty database, and drops the database afterwards.
  private func with(
    _ product: String, _ schema: Schema, _ body: (Place) async throws -> Void
  ) async throws {
    let place = Place(name: RoleServer.name("restored"), product: product, schema: schema)
    try await RoleServer.administer("create database \(place.name)")
    let result: Result<Void, any Error>
    do { result = .success(try await body(place)) } catch { result = .failure(error) }
    try await RoleServer.administer("drop database \(place.name) with (force)")
    try result.get()
  }

  @Test(.sampled(), arguments: TestSize.isFull ? ["gymrats", "whosthere"] : ["whosthere"])
  func `after a restore, check finds no difference and migrate has nothing to do`(
    _ product: String
  ) async throws {
    let schema = try #require(Schema(RoleServer.name("whole")))
    let folder = try TemporaryFolder()
    let dump = folder.path + "/dump"
    try await with(product, schema) { original in
      _ = try await original.succeed("migrate")
      _ = try await original.succeed("roles", "create")
      try await PostgresProgram.run("pg_dump", ["-Fc", "-d", try original.address, "-f", dump])
      try await with(product, schema) { restored in
        try await PostgresProgram.run(
          "pg_restore", ["-e", "-1", "-d", try restored.address, dump])
        let lines = try await restored.succeed("check").split(separator: "\n")
        #expect(
          lines.contains(
            "functions, views, triggers, columns and constraints are as `migrate` left them"))
        #expect(
          try await restored.succeed("migrate") == "schema \(schema): nothing to do\n")
      }
    }
  }
}
