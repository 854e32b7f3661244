import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// Tests who may execute the functions of a schema: only the owner of the functions, and the role
/// of an API if that role was granted access.
@Suite(.timeLimit(.minutes(5))) struct ApiRoleTests {
  /// Returns a part with these functions.
  ///
  /// An API may call some of them.
  private static func part(
    _ name: String = "shop", version: Int = 1, functions: [String], api: [String] = [],
    migration: String = "select 1"
  ) -> SchemaPart {
    SchemaPart(
      name, version: version, migrations: [Statement("migrations/0001", migration)],
      objects: functions.map {
        SchemaObject(
          .function, $0,
          Statement(
            "functions/\($0)",
            "create or replace function \($0)() returns integer language sql return 1"))
      }, api: api)
  }

  /// A schema of a role that may create schemas, and its migrator.
  private struct Shop {
    let schema: Schema
    let owner: String
    let connection: Connection

    static func with(
      _ name: String? = nil, options: String = "createrole", in database: String = "postgres",
      _ body: (Shop) async throws -> Void
    ) async throws {
      let schema = try #require(Schema(name ?? RoleServer.name("shop")))
      let owner = RoleServer.name("owner")
      try await RoleServer.administer(
        "create role \(owner) login \(options)",
        "grant create on database \(database) to \(owner)", in: database)
      let connection = try await RoleServer.connect(as: owner, in: database)
      let shop = Shop(schema: schema, owner: owner, connection: connection)
      let result: Result<Void, any Error>
      do { result = .success(try await body(shop)) } catch { result = .failure(error) }
      await connection.close()
      try result.get()
    }

    var role: String { schema.apiRole }

    @discardableResult
    func migrate(_ parts: SchemaPart..., makesAPIRole: Bool = false) async throws
      -> Migrator.Outcome
    {
      try await Migrator(schema, allParts: parts)
        .migrate(connection, makesAPIRole: makesAPIRole)
    }

    @discardableResult
    func sql(_ text: String) async throws -> [String] {
      try await connection.sql(text, in: schema)
    }

    /// Returns the roles that may execute functions, as `grantee/function`, without the owner.
    func executors() async throws -> [String] {
      try await sql(
        """
        select coalesce(r.rolname, 'anybody') || '/' || f.proname
        from pg_proc f
        cross join aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) a
        left join pg_roles r on r.oid = a.grantee
        where f.pronamespace = '\(schema)'::regnamespace and a.grantee <> f.proowner
        order by 1
        """)
    }
  }

  @Test func `nobody may execute anything, and the role what the list says, as it changes`()
    async throws
  {
    try await Shop.with { shop in
      let first = Self.part(
        functions: ["buy", "look", "settle"], api: ["buy", "look"],
        migration: "create function of_migration() returns integer language sql return 1")
      #expect(try await shop.migrate(first).rights.count == 1)
      #expect(try await shop.executors() == [])
      #expect(try await shop.migrate(first, makesAPIRole: true).objects == [])
      #expect(try await shop.executors() == ["\(shop.role)/buy", "\(shop.role)/look"])
      #expect(
        try await shop.sql(
          """
          select rolcanlogin, rolsuper, rolcreaterole, rolcreatedb, rolinherit, rolbypassrls
          from pg_roles where rolname = '\(shop.role)'
          """) == ["f,f,f,f,t,f"])
      // The next program runs with a login that creates no roles and requests no roles.
      try await RoleServer.administer("alter role \(shop.owner) nocreaterole")
      let second = Self.part(
        version: 2, functions: ["look", "settle", "send"], api: ["look", "send"],
        migration: "create function of_migration() returns integer language sql return 1")
      #expect(try await shop.migrate(second).rights.count == 3)
      #expect(try await shop.executors() == ["\(shop.role)/look", "\(shop.role)/send"])
      #expect(try await shop.migrate(second) == .init())
      // The earlier program has fewer functions.
      #expect(try await shop.migrate(first) == .init(newerVersions: ["shop"]))
      #expect(try await shop.executors() == ["\(shop.role)/look", "\(shop.role)/send"])
    }
  }

  @Test func `what somebody granted or lost by hand is put right, and other people's is left`()
    async throws
  {
    try await Shop.with { shop in
      let part = Self.part(functions: ["buy", "settle"], api: ["buy"])
      try await shop.migrate(part, makesAPIRole: true)
      try await shop.sql("grant execute on function buy, settle to public")
      try await shop.sql("revoke execute on function buy from \(shop.role)")
      try await shop.sql("grant execute on function settle to \(shop.role)")
      try await RoleServer.administer(
        "create function \(shop.schema).guest() returns integer language sql return 1")
      let wrong = try await Migrator(shop.schema, allParts: [part]).rights(shop.connection)
      #expect(
        wrong.differences == [
          "PUBLIC may execute buy(), settle()", "\(shop.role) may not execute buy()",
          "\(shop.role) may execute settle()",
        ])
      try await shop.migrate(part)
      #expect(try await shop.executors() == ["anybody/guest", "\(shop.role)/buy"].sorted())
      let right = try await Migrator(shop.schema, allParts: [part]).rights(shop.connection)
      #expect(right.differences == [] && right.functionsOfRole == 1 && right.granted == "")
    }
  }

  @Test func `what an extension brought into the schema is its own`() async throws {
    try await Shop.with(options: "superuser") { shop in
      let part = Self.part(functions: ["buy"])
      try await shop.migrate(part)
      try await shop.sql("create extension citext schema \(shop.schema)")
      let executors = try await shop.executors()
      #expect(executors.count > 20)
      #expect(try await shop.migrate(part) == .init())
      #expect(try await shop.executors() == executors)
      try await shop.sql("drop extension citext")
    }
  }

  @Test func `a role that is there is not let in by itself, and one like the owner is refused`()
    async throws
  {
    try await Shop.with { shop in
      let part = Self.part(functions: ["buy"], api: ["buy"])
      try await RoleServer.administer("create role \(shop.role) login")
      try await shop.migrate(part)
      #expect(try await shop.executors() == [])
      #expect(
        try await Migrator(shop.schema, allParts: [part]).rights(shop.connection).functionsOfRole
          == nil)
      try await RoleServer.administer("alter role \(shop.role) superuser")
      await #expect(throws: SchemaProblem.apiRoleIsOwner(shop.schema)) {
        try await shop.migrate(part, makesAPIRole: true)
      }
      #expect(try await shop.executors() == [])
      try await RoleServer.administer("alter role \(shop.role) nosuperuser")
      try await shop.migrate(part, makesAPIRole: true)
      #expect(try await shop.executors() == ["\(shop.role)/buy"])
      try await RoleServer.administer("alter role \(shop.role) superuser")
      let rights = try await Migrator(shop.schema, allParts: [part]).rights(shop.connection)
      #expect(rights.differences == ["\(shop.role) can do what the owner of the schema can"])
      try await RoleServer.administer("alter role \(shop.role) nosuperuser")
    }
  }

  @Test func `who may make no role changes nothing, and a name that is too long is refused`()
    async throws
  {
    let part = Self.part(functions: ["buy"], api: ["buy"])
    func isAbsent(_ shop: Shop) async throws -> Bool {
      try await shop.sql("select to_regnamespace('\(shop.schema)') is null") == ["t"]
    }
    try await Shop.with(options: "nocreaterole") { shop in
      await #expect(throws: SchemaProblem.mayNotMakeRoles(shop.schema)) {
        try await shop.migrate(part, makesAPIRole: true)
      }
      #expect(try await isAbsent(shop))
      // As the error suggests, an administrator creates the role.
      try await RoleServer.administer("create role \(shop.role) nologin")
      try await shop.migrate(part, makesAPIRole: true)
      #expect(try await shop.executors() == ["\(shop.role)/buy"])
    }
    let name = RoleServer.name("shop")
    let longest = name + String(repeating: "x", count: 40 - name.utf8.count)
    try await Shop.with(longest) { shop in
      try await shop.migrate(part, makesAPIRole: true)
      #expect(try await shop.executors() == ["\(shop.role)/buy"])
    }
    try await Shop.with(longest + "x") { shop in
      await #expect(throws: SchemaProblem.tooLongForAPIRole(shop.schema)) {
        try await shop.migrate(part, makesAPIRole: true)
      }
      #expect(try await isAbsent(shop))
      try await shop.migrate(part)
    }
  }

  @Test func `an API with a function that is nowhere is refused; one of another part is granted`()
    async throws
  {
    try await Shop.with { shop in
      let engine = Self.part("engine", functions: ["ask"])
      let part = Self.part(functions: ["buy"], api: ["buy", "ask", "sell"])
      await #expect(
        throws: SchemaProblem.noFunction(shop.schema, part: "shop", name: "sell")
      ) { try await shop.migrate(engine, part) }
      let shopPart = Self.part(functions: ["buy"], api: ["buy", "ask"])
      try await shop.migrate(engine, shopPart, makesAPIRole: true)
      let whole = ["\(shop.role)/ask", "\(shop.role)/buy"]
      #expect(try await shop.executors() == whole)
      // A program that contains only the other part revokes nothing.
      try await shop.migrate(engine)
      #expect(try await shop.executors() == whole)
    }
  }

  @Test func `databases that make one role at a time have it together`() async throws {
    let databases = try (0..<3).map { _ in try #require(Schema(RoleServer.name("shop"))).name }
    for name in databases { try await RoleServer.administer("create database \(name)") }
    let schema = RoleServer.name("shop")
    let part = Self.part(functions: ["buy"], api: ["buy"])
    try await withThrowingTaskGroup { group in
      for database in databases {
        group.addTask {
          try await Shop.with(schema, options: "superuser", in: database) { shop in
            try await shop.migrate(part, makesAPIRole: true)
            #expect(try await shop.executors() == ["\(shop.role)/buy"])
          }
        }
      }
      try await group.waitForAll()
    }
    for name in databases { try await RoleServer.administer("drop database \(name)") }
  }

  @Test func `a grant that comes in between is waited for, and then everything is as it should be`()
    async throws
  {
    try await Shop.with { shop in
      let part = Self.part(functions: ["buy"], api: ["buy"])
      try await shop.migrate(part)
      let (other, watch) = (try await RoleServer.connect(), try await RoleServer.connect())
      let hand = "begin; grant execute on function \(shop.schema).buy to pg_monitor"
      try await other.script(Statement("test/grant", hand))
      async let migrated = shop.migrate(part, makesAPIRole: true)
      let waiting = """
        select from pg_stat_activity where usename = '\(shop.owner)' and wait_event_type = 'Lock'
        """
      try await eventually("the migrator waits for the function") {
        try await watch.sql(waiting, in: shop.schema).count == 1
      }
      try await other.script(Statement("test/commit", "commit"))
      #expect(try await migrated.rights.count == 2)
      #expect(try await shop.executors() == ["pg_monitor/buy", "\(shop.role)/buy"])
      await other.close()
      await watch.close()
    }
  }
}
