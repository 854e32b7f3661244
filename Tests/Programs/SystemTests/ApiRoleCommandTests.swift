import BatonPostgres
import Foundation
import JobRunner
import TestSupport
import Testing

/// Tests `gymrats migrate --api-role` and the findings of `check` about it, as an operator uses
/// them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ApiRoleCommandTests {
  private func with(
    _ options: String, _ body: (_ schema: Schema, BatonProgram) async throws -> Void
  ) async throws {
    let schema = try #require(Schema(RoleServer.name("gym")))
    let owner = RoleServer.name("owner")
    try await RoleServer.administer(
      "create role \(owner) login \(options)", "grant create on database postgres to \(owner)")
    try await body(
      schema,
      BatonProgram(environment: [
        "DATABASE_URL": try RoleServer.address(of: owner), "BATON_SCHEMA": schema.name,
      ]))
  }

  @Test func `a plan says what would be granted, and check who may call what`() async throws {
    try await with("createrole") { schema, gymrats in
      let role = schema.apiRole
      let whole = try await gymrats.succeed("migrate", "--plan", "--api-role")
      for line in [
        "create role \(role) nologin;", "grant usage on schema \(schema) to \(role);",
        "revoke execute on all routines in schema \(schema) from public;",
        "grant execute on function upsert_user, find_user, get_user,",
      ] { #expect(whole.contains(line), "\(line)") }
      try await gymrats.succeed("migrate")
      #expect(try await gymrats.succeed("migrate", "--plan") == "-- nothing to do\n")
      #expect(
        try await gymrats.succeed("check")
          .hasPrefix("only the owner may call the functions of the schema\n"))
      let rest = try await gymrats.succeed("migrate", "--plan", "--api-role")
      #expect(rest.contains("grant execute on routine ") && rest.contains("create role \(role)"))
      #expect(!rest.contains("revoke execute"))
      let made = try await gymrats.succeed("migrate", "--api-role").split(separator: "\n")
      #expect(made.first?.hasPrefix("the role \(role) may call ") == true)
      #expect(made.last == "schema \(schema): rights set")
      #expect(try await gymrats.succeed("migrate") == "schema \(schema): nothing to do\n")
      #expect(try await gymrats.succeed("migrate", "--plan", "--api-role") == "-- nothing to do\n")

      try await RoleServer.administer(
        "grant execute on function \(schema).add_member to public",
        "grant select (id) on \(schema).users to \(role)")
      expectComplaint(
        try await gymrats.run("check"), status: 78,
        what: "PUBLIC may execute add_member(text,text,text,text)",
        place: "the rights in schema \(schema)", next: "gymrats migrate")
      #expect(try await gymrats.succeed("migrate") == "schema \(schema): rights set\n")
      #expect(
        try await gymrats.succeed("check").contains("; it was also granted rights to users\n"))
      try await gymrats.succeed("worker", "--until-idle")
    }
  }

  @Test func `check lists each role that was granted rights`() async throws {
    try await with("createrole") { schema, gymrats in
      try await gymrats.succeed("migrate")
      let asker = RoleServer.name("asker")
      // The grants are those of docs/guides/deploying.md.
      try await RoleServer.administer(
        "create role \(asker) login", "grant usage on schema \(schema) to \(asker)",
        "grant execute on function \(schema).enqueue, \(schema).enqueue_many to \(asker)")
      let asked = "the role \(asker) may call 2 functions"
      #expect(try await gymrats.succeed("check").hasPrefix("\(asked)\nthe schema has no roles"))
      try await gymrats.succeed("migrate", "--api-role")
      try await RoleServer.administer("grant select (id) on \(schema).users to \(asker)")
      let check = try await gymrats.succeed("check")
      #expect(check.contains(/may call \d+ functions\n/) && !check.contains("no other role"))
      #expect(check.contains("\(asked); it was also granted rights to users\n"))
    }
  }

  @Test func `who may make no role is told who has to, and nothing is changed`() async throws {
    try await with("nocreaterole") { schema, gymrats in
      expectComplaint(
        try await gymrats.run("migrate", "--api-role"), status: 77,
        what: "may not create the role \(schema.apiRole)", place: "schema \(schema)",
        next: "create role \(schema.apiRole) nologin")
      expectComplaint(try await gymrats.run("check"), status: 78, what: "no Baton", next: "migrate")
    }
    var gymrats = BatonProgram(environment: ["DATABASE_URL": try RoleServer.address()])
    let long = "gym_" + String(repeating: "x", count: 37)
    gymrats.environment["BATON_SCHEMA"] = long
    for arguments in [["migrate", "--api-role"], ["migrate", "--plan", "--api-role"]] {
      expectComplaint(
        try await gymrats.start(arguments).wait(), status: 64,
        what: "too long for a role \(long)_api", place: long, next: "40 bytes")
    }
  }
}
