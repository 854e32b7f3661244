import Postgres
import TestSupport
import Testing

/// A schema and a binary that do not fit together: told by every command, changed by none.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SchemaMismatchTests {
  private static let commands = [
    ["worker", "--until-idle"], ["board", "--all"], ["board", "g"], ["jobs"],
    ["replay", CheckInData.edges.path],
  ]

  @Test(arguments: commands)
  func `a schema that was never migrated`(command: [String]) async throws {
    try await TestSchema.with(migrated: false) { schema in
      expectComplaint(
        try await schema.baton.start(command).wait(), status: 78, what: "no Baton",
        place: schema.schema.name, next: "baton migrate")
      let made = "select count(*) from pg_namespace where nspname = '\(schema.schema.name)'"
      #expect(try await schema.sql(made) == ["0"])
    }
  }

  @Test(arguments: commands)
  func `a schema that is older`(command: [String]) async throws {
    try await TestSchema.with { schema in
      try await schema.sql("delete from migration where name = (select max(name) from migration)")
      expectComplaint(
        try await schema.baton.start(command).wait(), status: 78, what: "older than this binary",
        place: schema.schema.name, next: "baton migrate")
    }
  }

  @Test(arguments: commands + [["migrate"]])
  func `a schema that is newer`(command: [String]) async throws {
    try await TestSchema.with { schema in
      try await schema.sql("insert into migration (name, sha256) values ('9999_tomorrow', 'x')")
      expectComplaint(
        try await schema.baton.start(command).wait(), status: 78, what: "9999_tomorrow",
        place: schema.schema.name, next: "newer baton")
    }
  }

  @Test(arguments: commands + [["migrate"]])
  func `a migration that was edited after it was applied`(command: [String]) async throws {
    try await TestSchema.with { schema in
      try await schema.sql(
        """
        update migration set sha256 = repeat('0', 64)
        where name = (select min(name) from migration)
        """)
      expectComplaint(
        try await schema.baton.start(command).wait(), status: 78, what: "0001_create_clock",
        place: schema.schema.name, next: "Restore")
    }
  }

  @Test func `migrate brings an older schema up and says what it applied`() async throws {
    try await TestSchema.with(migrated: false) { schema in
      let applied = try await schema.baton.succeed("migrate")
      #expect(applied.hasPrefix("applied 0001_create_clock\n"))
      #expect(applied.contains("schema \(schema.schema.name): "))
      #expect(
        try await schema.baton.succeed("migrate") == "schema \(schema.schema.name): nothing to do\n"
      )
      try await schema.baton.succeed("worker", "--until-idle")
    }
  }

  @Test func `every table has a primary key`() async throws {
    try await TestSchema.with { schema in
      let without = try await schema.sql(
        """
        select c.relname from pg_class c
        where c.relnamespace = '\(schema.schema.name)'::regnamespace and c.relkind in ('r', 'p')
          and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)
        """)
      #expect(without == [])
      let tables = try await schema.sql(
        """
        select count(*) > 10 from pg_class
        where relnamespace = '\(schema.schema.name)'::regnamespace and relkind = 'r'
        """)
      #expect(tables == ["t"])
    }
  }

  @Test(arguments: ["public", "pg_baton", "Baton", "1st", "two words", "a;b", "information_schema"])
  func `a name that no schema can have`(name: String) async throws {
    var baton = BatonProgram(environment: ["DATABASE_URL": try TestServer.address])
    baton.environment["BATON_SCHEMA"] = name
    for command in Self.commands + [["migrate"]] {
      expectComplaint(
        try await baton.start(command).wait(), status: 64, what: "'\(name)'",
        place: "BATON_SCHEMA", next: "lower-case letters")
    }
  }
}
