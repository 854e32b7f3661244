import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests `migrate --api-role` and `roles create` in both orders.
///
/// The resulting rights are equal.
@Suite(.timeLimit(.minutes(10))) struct RoleOrderTests {
  /// The programs of this package, and a function of each that an API may call.
  private static let programs = [("gymrats", "get_group"), ("whosthere", "public_groups")]

  private func program(_ name: String) throws -> String { try BatonProgram.path(of: name) }

  /// Returns the recorded rights, the roles, their memberships and their comments, without the
  /// names of schemas and names derived from them.
  private func rights(_ place: RolePlace) async throws -> [String] {
    let prefix = place.schema.name
    return try await place.rows(
      """
      select regexp_replace(replace(line, '\(prefix)', 'S'), '_[0-9a-f]{12}', '') from (
        select 'object ' || to_jsonb(a)::text from access_object a
        union all
        select format('role %s %s %s %s %s', r.rolname, r.rolcanlogin, r.rolinherit, r.rolcreaterole,
          shobj_description(r.oid, 'pg_authid'))
        from pg_roles r where r.rolname like '\(prefix)\\_%'
        union all
        select format('member %s of %s', m.rolname, r.rolname)
        from pg_auth_members a join pg_roles r on r.oid = a.roleid join pg_roles m on m.oid = a.member
        where r.rolname like '\(prefix)\\_%' and m.rolname like '\(prefix)\\_%'
        union all
        select format('schema %s', array(
          select format('%s %s', x.grantee::regrole, string_agg(x.privilege_type, ' ' order by x.privilege_type))
          from aclexplode(n.nspacl) x group by x.grantee order by 1))
        from pg_namespace n where n.nspname = '\(prefix)'
      ) l (line)
      order by 1
      """)
  }

  /// Expects that a member of the API's role may call a function of the API, and read no table.
  private func expectCalls(_ login: String, _ function: String, in place: RolePlace) async throws {
    let caller = try await RoleServer.connect(as: login)
    let may = Call.row(
      Statement(
        "test/may",
        """
        select bool_and(has_function_privilege(p.oid, 'execute')) and count(*) > 0
        from pg_proc p where p.proname = '\(function)' and p.pronamespace = '\(place.schema)'::regnamespace
        """)
    ) { (row) throws(PostgresError) in try row.decode(Bool.self) }
    #expect(try await caller.run(may))
    await expectSQLState("42501") {
      try await caller.script(Statement("test/read", "select * from \(place.schema).users"))
    }
    await caller.close()
  }

  /// One program is selected at random, because both use the same commands.
  @Test(.sampled(), arguments: TestSize.isFull ? programs : [programs.randomElement()!])
  func `the order is no difference, and twice is once`(name: String, function: String) async throws
  {
    let executable = try program(name)
    // The API's role is created first: an API is already running when the roles are created.
    let first = try await RolePlace.make("first", hasRoles: false, executable: executable)
    let role = "\(first.schema)_api"
    let made = try await first.gymrats().succeed("migrate", "--api-role")
    #expect(made.hasPrefix("the role \(role) may call "))
    let app = RoleServer.name("app")
    try await RoleServer.administer("create role \(app) login in role \(role)")
    try await expectCalls(app, function, in: first)
    // A manual grant is not part of the files.
    try await RoleServer.administer("grant select on \(first.schema).setting to \(role)")
    let plan = try await first.gymrats().succeed("roles", "create", "--plan")
    #expect(plan.contains("alter role \(role) login;") && !plan.contains("create role \(role) "))
    try await first.gymrats().succeed("roles", "create")
    try await expectCalls(app, function, in: first)
    let administrator = try first.gymrats(as: "postgres")
    let nothing = "schema \(first.schema): nothing to do\n"
    #expect(try await administrator.succeed("roles", "create") == nothing)
    let migrator = try first.gymrats(as: "migrator")
    let again = try await migrator.succeed("migrate", "--api-role")
    #expect(again.hasPrefix("the role \(role) may call ") && again.hasSuffix(nothing))
    #expect(try await migrator.succeed("migrate", "--plan", "--api-role") == "-- nothing to do\n")
    try await first.gymrats(as: "operator").succeed("check")

    let second = try await RolePlace.make("second", executable: executable)
    let asked = try second.gymrats(as: "migrator")
    for _ in 0..<2 {
      let said = try await asked.succeed("migrate", "--api-role")
      #expect(
        said.replacing(second.schema.name, with: "S")
          == again.replacing(first.schema.name, with: "S"))
    }
    try await second.gymrats(as: "operator").succeed("check")
    #expect(try await rights(first) == rights(second))
    #expect(try await rights(first).count > 100)

    // The roles are dropped, created and dropped, as in a schema that never had an API.
    try await RoleServer.administer("drop role \(app)")
    try await administrator.succeed("roles", "drop")
    #expect(try await first.rows("select rolname from pg_roles where rolname = '\(role)'") == [])
  }

  @Test(.sampled())
  func `with another prefix the role of the API has that name, and one that calls stays`()
    async throws
  {
    let place = try await RolePlace.make(hasRoles: false)
    let (role, prefix) = ("\(place.schema)_api", RoleServer.name("other"))
    try await place.gymrats().succeed("migrate", "--api-role")
    let refused = try await place.gymrats().run("roles", "create", "--prefix", prefix)
    expectComplaint(
      refused, status: 64, what: "\(role) may call the functions of this schema",
      place: "--prefix", next: "drop owned by \(role)")
    #expect(try await place.rows("select count(*)::text from access") == ["0"])
    try await RoleServer.administer("drop owned by \(role)", "drop role \(role)")
    try await place.gymrats().succeed("roles", "create", "--prefix", prefix)
    let administrator = try place.gymrats(as: "postgres")
    let said = try await administrator.succeed("migrate", "--api-role")
    #expect(said.hasPrefix("the role \(prefix)_api may call ") && !said.contains(" 0 functions"))
    #expect(try await place.rows("select rolname from pg_roles where rolname = '\(role)'") == [])
    try await administrator.succeed("check")
  }

  @Test(.sampled()) func `a role of that name that is somebody else's is not taken over`()
    async throws
  {
    // The role was not granted access.
    let place = try await RolePlace.make(hasRoles: false)
    let role = "\(place.schema)_api"
    try await RoleServer.administer("create role \(role) nologin")
    expectComplaint(
      try await place.gymrats().run("roles", "create"), status: 78,
      what: "The role \(role) exists and belongs to somebody", place: "the server",
      next: "--prefix")
    // The role belongs to the roles of another schema.
    try await RoleServer.administer(
      "comment on role \(role) is 'Baton: schema elsewhere of database postgres'")
    try await place.gymrats().succeed("migrate", "--api-role")
    expectComplaint(
      try await place.gymrats().run("roles", "create"), status: 78,
      what: "The role \(role) exists and belongs to somebody", place: "the server",
      next: "--prefix")
    // The role has more rights than an API.
    try await RoleServer.administer(
      "comment on role \(role) is null", "alter role \(role) createdb")
    expectComplaint(
      try await place.gymrats().run("roles", "create"), status: 78,
      what: "The role \(role) exists and belongs to",
      place: "the server", next: "--prefix")
    try await RoleServer.administer("alter role \(role) nocreatedb")
    try await place.gymrats().succeed("roles", "create")
  }

  @Test func `roles create accepts the schema's own roles after the database was renamed`()
    async throws
  {
    let (database, renamed) = (RoleServer.name("old"), RoleServer.name("new"))
    let schema = try #require(Schema(RoleServer.name("moved")))
    func program(in database: String) throws -> BatonProgram {
      BatonProgram(environment: [
        "DATABASE_URL": try RoleServer.address(in: database), "BATON_SCHEMA": schema.name,
      ])
    }
    try await RoleServer.administer("create database \(database)")
    try await program(in: database).succeed("migrate")
    try await program(in: database).succeed("roles", "create")
    try await RoleServer.administer("alter database \(database) rename to \(renamed)")
    try await program(in: renamed).succeed("roles", "create")
    #expect(
      try await program(in: renamed).succeed("roles", "create")
        == "schema \(schema): nothing to do\n")
    let comments = try await RoleServer.with(try await RoleServer.connect(in: renamed)) {
      try await $0.sql(
        """
        select count(*) > 5, bool_and(
          shobj_description(oid, 'pg_authid') = 'Baton: schema \(schema) of database \(renamed)')
        from pg_roles where rolname like '\(schema)\\_%'
        """, in: schema)
    }
    #expect(comments == ["t,t"])
    // The comment names a database that exists, so the role belongs to the other database.
    try await RoleServer.administer(
      "comment on role \(schema)_worker is 'Baton: schema \(schema) of database postgres'")
    expectComplaint(
      try await program(in: renamed).run("roles", "create"), status: 78,
      what: "The role \(schema)_worker exists and belongs to somebody", place: "the server",
      next: "--prefix")
    try await RoleServer.administer("drop database \(renamed) with (force)")
  }
}
