import BatonPostgres
import JobRunner
import TestSupport
import Testing

/// Tests the package in `Examples/orders` with roles.
///
/// A separate file describes its grants.
@Suite(.timeLimit(.minutes(5))) struct OrdersExampleRolesTests {
  @Test(.sampled())
  func `the shop orders, a worker works it off, and check has nothing against it`()
    async throws
  {
    let schema = try #require(Schema(RoleServer.name("orders")))
    func program(_ login: String) throws -> BatonProgram {
      BatonProgram(
        executable: try ExampleProgram.path("orders"),
        environment: [
          "DATABASE_URL": try RoleServer.address(of: login), "BATON_SCHEMA": schema.name,
        ])
    }
    let administrator = try program("postgres")
    try await administrator.succeed("migrate")
    try await administrator.succeed("roles", "create")
    let shop = try await RoleServer.connect(as: "\(schema)_shop")
    let order = "insert into parcel (product, address) values ('tea', 'Street 1')"
    try await shop.transaction(in: schema) {
      try await $0.run(.run(Statement("test/order", order)))
    }
    await expectSQLState("42501") {
      try await shop.transaction(in: schema) {
        try await $0.run(.run(Statement("test/forge", "delete from parcel")))
      }
    }
    await shop.close()
    try await program("\(schema)_worker").succeed("worker", "--until-idle")
    #expect(
      try await program("\(schema)_operator").succeed("check")
        .hasPrefix("the roles \(schema)_... have their declared rights, options and memberships\n")
    )
    #expect(
      try await program("\(schema)_migrator").succeed("migrate")
        == "schema \(schema): nothing to do\n")
  }
}
