import BatonPostgres
import JobRunner
import RunnerSQL
import TestSupport
import Testing

/// Tests a schema and a binary that are not compatible: every command reports it, and none changes
/// data.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SchemaMismatchTests {
  private static let commands = [
    ["worker", "--until-idle"], ["board", "--all"], ["board", "g"], ["jobs"],
    ["replay", CheckInData.edges.path],
  ]

  /// Every command that uses a schema, in each of its forms, except for `migrate`.
  private static let allCommands =
    commands + [
      ["worker"], ["check"], ["jobs", "pause", "retention"], ["jobs", "resume", "retention"],
      ["jobs", "retire", "retention"], ["runs", "cancel", "--all"],
      ["run", "retention"], ["run", "retention", "--dry-run"],
      ["enqueue", "recompute-ranks", "--key", "g"], ["runs"], ["runs", "list", "--json"],
      ["runs", "history"], ["runs", "show", "1"], ["runs", "wait", "1"], ["runs", "retry", "1"],
      ["jobs", "grants"], ["jobs", "grant", "retention", "web"], ["limits"],
      ["limits", "set", "retention", "--concurrency", "1"], ["limits", "reset", "retention"],
      ["batches"], ["batches", "cancel", "a"], ["batches", "retry", "a"],
      ["jobs", "revoke", "retention", "web"],
      ["runs", "discard", "1"], ["runs", "cancel", "1"], ["schedule"], ["schedule", "next"],
      ["schedule", "add", "retention/a", "--every", "7d"], ["schedule", "remove", "retention/a"],
      ["schedule", "pause", "retention"], ["schedule", "resume", "retention"],
      ["schedule", "backfill", "retention", "--from", "2024-06-01", "--to", "2024-06-02"],
      ["week"], ["week", "close", "2024-06-03"], ["week", "close", "2024-06-03", "--dry-run"],
      ["week", "reopen", "g", "2024-06-03", "--reason", "a mistake"], ["notifications"],
    ]

  @Test(.sampled(), arguments: Randomness.sample(6, of: allCommands))
  func `a schema that was never migrated`(command: [String]) async throws {
    try await TestSchema.with(migrated: false) { schema in
      expectComplaint(
        try await schema.gymrats.start(command).wait(), status: 78, what: "no Baton",
        place: schema.schema.name, next: "gymrats migrate")
      let made = "select count(*) from pg_namespace where nspname = '\(schema.schema.name)'"
      #expect(try await schema.sql(made) == ["0"])
    }
  }

  @Test(.sampled(), arguments: Randomness.sample(6, of: allCommands) + [["migrate"]])
  func `a schema from before parts stays as it is`(command: [String]) async throws {
    try await TestSchema.with(migrated: false) { schema in
      try await OldLayout.make(in: schema)
      let before = try await OldLayout.digest(of: schema)
      expectComplaint(
        try await schema.gymrats.start(command).wait(), status: 78,
        what: "created before schemas had parts", place: schema.schema.name,
        next: "Nothing was changed. Use another schema name")
      #expect(try await OldLayout.digest(of: schema) == before)
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "delete from migration where name = (select max(name) from migration)",
      "delete from migration where part = 'challenges'",
      "update schema_part set set_number = set_number - 1 where part = 'runner'",
      "delete from schema_part where part = 'challenges'",
    ])
  func `a schema that is older`(change: String) async throws {
    try await TestSchema.with { schema in
      try await schema.sql(change)
      for command in Self.commands {
        expectComplaint(
          try await schema.gymrats.start(command).wait(), status: 78,
          what: "older than this binary", place: schema.schema.name, next: "gymrats migrate")
      }
    }
  }

  @Test(.sampled(), arguments: ["runner", "identity", "challenges"])
  func `a schema that is newer`(part: String) async throws {
    try await TestSchema.with { schema in
      try await schema.sql("insert into migration values ('\(part)', '9999_tomorrow', 'x')")
      for command in Self.commands + [["migrate"]] {
        expectComplaint(
          try await schema.gymrats.start(command).wait(), status: 78,
          what: "\(part)/9999_tomorrow", place: schema.schema.name, next: "newer gymrats")
      }
    }
  }

  @Test(.sampled(), arguments: Randomness.sample(4, of: commands) + [["migrate"]])
  func `a migration that was edited after it was applied`(command: [String]) async throws {
    try await TestSchema.with { schema in
      try await schema.sql(
        """
        update migration set sha256 = repeat('0', 64)
        where part = 'runner' and name = '0001_create_clock'
        """)
      expectComplaint(
        try await schema.gymrats.start(command).wait(), status: 78,
        what: "runner/0001_create_clock",
        place: schema.schema.name, next: "Restore")
    }
  }

  @Test(.sampled()) func `migrate brings an older schema up and says what it applied`()
    async throws
  {
    try await TestSchema.with(migrated: false) { schema in
      let applied = try await schema.gymrats.succeed("migrate")
      #expect(applied.hasPrefix("applied runner/0001_create_clock\n"))
      #expect(applied.contains("schema \(schema.schema.name): "))
      #expect(
        try await schema.gymrats.succeed("migrate")
          == "schema \(schema.schema.name): nothing to do\n"
      )
      try await schema.gymrats.succeed("worker", "--until-idle")
    }
  }

  @Test(.sampled()) func `the functions of a newer binary are worked with and left alone`()
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      try await schema.sql(
        "update schema_part set set_number = set_number + 1 where part = 'runner'")
      try await schema.sql(
        "update schema_object set sha256 = repeat('0', 64) where name in ('enqueue', 'fence_boards')"
      )
      let text = try await schema.gymrats.succeed("migrate")
      #expect(
        text.contains("the functions of runner belong to a newer binary and are not changed\n"))
      #expect(text.contains("0 migrations applied, 1 function, view or trigger made"))
      #expect(
        try await schema.sql("select name from schema_object where sha256 = repeat('0', 64)")
          == ["enqueue"])
      try await schema.gymrats.succeed("check")
      try await schema.gymrats.succeed("worker", "--until-idle")
    }
  }

  @Test(.sampled()) func `a part of another program is named by check and left alone`()
    async throws
  {
    let orders = SchemaPart(
      "orders", version: 1,
      migrations: [
        Statement("migrations/0001_create_orders", "create table orders (id int primary key)")
      ],
      objects: [
        SchemaObject(
          .view, "late_orders",
          Statement(
            "views/late_orders", "create or replace view late_orders as select id from orders"))
      ])
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      #expect(try await !schema.gymrats.succeed("check").contains("part "))
      let connection = try await schema.connect()
      _ = try await Migrator(schema.schema, parts: [orders]).migrate(connection)
      await connection.close()
      let lines = try await schema.gymrats.succeed("check").split(separator: "\n")
      #expect(lines.first == "part orders is not known to this binary and left alone")
      #expect(lines.last?.hasSuffix("the schema agree") == true && lines.count == 5)
      #expect(try await schema.gymrats.succeed("migrate").hasSuffix("nothing to do\n"))
      #expect(try await schema.sql("select count(*) from late_orders") == ["0"])
      #expect(
        try await schema.sql("select set_number from schema_part where part = 'orders'") == ["1"])
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

  @Test(
    .sampled(),
    arguments: [
      "public", "pg_baton", "Baton", "1st", "two words", "a;b", "information_schema", "order",
    ])
  func `a name that no schema can have`(name: String) async throws {
    var gymrats = BatonProgram(environment: ["DATABASE_URL": try TestServer.address])
    gymrats.environment["BATON_SCHEMA"] = name
    for command in Self.commands + [["migrate"]] {
      expectComplaint(
        try await gymrats.start(command).wait(), status: 64, what: "'\(name)'",
        place: "BATON_SCHEMA", next: "lower-case letters")
    }
  }
}

/// A schema from programs that kept one list of migrations for all parts.
private enum OldLayout {
  static func make(in test: TestSchema) async throws {
    let name = test.schema.name
    try await test.sql("create schema \(name)")
    for statement in [
      """
      create table migration (name text collate "C" primary key, sha256 text not null,
        applied_at timestamptz not null default now())
      """,
      "insert into migration values ('0001_create_clock', 'x'), ('0002_create_queue', 'y')",
      "create table job (name text primary key, topic text)",
      "insert into job values ('retention', null)",
      "create view job_list as select name from job",
      "create function enqueue(job text, key text) returns void language sql as 'select'",
      """
      create function job_inserted() returns trigger language plpgsql
      as 'begin return null; end'
      """,
      """
      create trigger job_inserted after insert on job
      for each row execute function job_inserted()
      """,
    ] {
      try await test.sql(statement)
    }
  }

  /// Returns the schema's catalog entries and the rows of its tables, each with the writing
  /// transaction.
  static func digest(of test: TestSchema) async throws -> [String] {
    try await test.sql(
      """
      with own as (select '\(test.schema.name)'::regnamespace as namespace)
      select 'schema' as kind, n.oid::text as id, n.xmin::text as xmin, n.nspname::text as name
      from pg_namespace n, own where n.oid = namespace
      union all
      select 'relation', c.oid::text, c.xmin::text, c.relname from pg_class c, own
      where relnamespace = namespace
      union all
      select 'column', attrelid || ' ' || attnum, a.xmin::text, attname
      from pg_attribute a join pg_class c on c.oid = attrelid, own where relnamespace = namespace
      union all
      select 'function', p.oid::text, p.xmin::text, proname from pg_proc p, own
      where pronamespace = namespace
      union all
      select 'type', t.oid::text, t.xmin::text, typname from pg_type t, own
      where typnamespace = namespace
      union all
      select 'trigger', t.oid::text, t.xmin::text, tgname
      from pg_trigger t join pg_class c on c.oid = tgrelid, own where relnamespace = namespace
      union all
      select 'migration', ctid::text, xmin::text, to_jsonb(m)::text from migration m
      union all
      select 'job', ctid::text, xmin::text, to_jsonb(j)::text from job j
      order by 1, 2, 4
      """)
  }
}
