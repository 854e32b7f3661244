import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// Tests which migrations are compatible with programs that do not know the migrations.
@Suite struct MigrationCompatibilityTests {
  private func isCompatible(_ text: String) -> Bool {
    MigrationCompatibility.isCompatible(Statement("migrations/0001_test", text))
  }

  @Test(arguments: [
    "create table shop (id bigint primary key, name text not null default 'x' check (name <> ''))",
    "create unlogged table if not exists shop (id bigint)",
    "-- Why.\ncreate table \"Shop\" (id bigint); /* a /* nested */ one; */ alter table note add n int",
    "create index on note (key)",
    "create index concurrently if not exists note_key on only shop.note using gin (lower(key))",
    "alter table note add column a text, add column if not exists b numeric(10, 2), add c text[]",
    "alter table if exists only note add column at timestamp with time zone null",
    "alter table note add column key text collate \"C\"",
    "create table shop (id bigint primary key); create table part (shop bigint references shop (id))",
    "create table shop (id bigint); create unique index on shop (id); insert into shop values (1)",
    "create table day (at date) partition by range (at);\ncreate table d1 partition of day for values in (1)",
    "alter table worker add column host text",
  ])
  func `what no older program meets`(text: String) {
    #expect(isCompatible(text))
  }

  @Test(arguments: [
    // Columns.
    "alter table note add column a text not null", "alter table note add column a int default 1",
    "alter table note add column a int check (a > 0)",
    "alter table note add column a int references shop",
    "alter table note add column a int unique", "alter table note add column a bigserial",
    "alter table note add column a int generated always as identity",
    // A domain can forbid null.
    "alter table note add column a positive_number",
    "alter table note add column a text, drop column b", "alter table note drop column b",
    "alter table note rename a to b", "alter table note alter column a type bigint",
    "alter table note add constraint c check (a > 0)", "alter table note add primary key (a)",
    "alter table note add check (a > 0)", "alter table note add unique (a)",
    // Tables.
    "create table shop (id bigint references note)", "create table shop (like note)",
    "create table shop (id bigint) inherits (note)", "create table shop as select 1 as id",
    "create table shop (id) as select 1", "create table part partition of note for values in (1)",
    "create table run_history_16 (id bigint)",
    // Indexes.
    "create unique index on note (key)", "create index on run (key)",
    "create unique index concurrently note_key on note (key)",
    "create table other.shop (id bigint); create unique index on shop (id)",
    // Tables of the queue.
    "alter table run add column a text", "alter table shop.dead_run add column a text",
    "alter table \"job\" add column a text", "create index on event_0 (topic)",
    "alter table schedule add column a text",
    // All other statements.
    "drop table note", "update note set key = ''", "insert into note values (1)",
    "create table shop (id bigint); insert into shop select id from note",
    "create table shop (id bigint); insert into shop values ((delete from note returning id))",
    "do $$ begin create table shop (id bigint); end $$", "create type mood as enum ('good')",
    "create function f() returns int language sql return 1", "comment on table note is 'x'",
    "create table shop (id bigint); drop table note", "create view v as select 1", "select 1",
    "create table if not exists shop (id bigint); create unique index on shop (id)",
  ])
  func `what an older program can meet`(text: String) {
    #expect(!isCompatible(text))
  }

  @Test(.sampled()) func `each table of the queue is either fixed or known to be free`()
    async throws
  {
    let free: Set<String> = [
      "access", "access_object", "audit", "audit_chain", "batch", "batch_member",
      "cancel_request", "development",
      "job_alias", "job_grant", "migration",
      "object_definition", "program_release", "runner_setting", "schema_object", "schema_part",
      "server_clock",
      "table_trigger", "worker", "worker_death",
    ]
    try await TestSchema.with(migrated: false) { test in
      let connection = try await test.connect()
      _ = try await Migrator(test.schema).migrate(connection)
      await connection.close()
      let tables = try await test.sql(
        """
        select relname from pg_class where relnamespace = current_schema()::regnamespace
          and relkind in ('r', 'p') and not relispartition
        """)
      #expect(Set(tables) == free.union(MigrationCompatibility.fixedTables))
      #expect(free.isDisjoint(with: MigrationCompatibility.fixedTables))
    }
  }

  @Test(.sampled())
  func `a record says whether a migration can be ignored, and an older program reads it`()
    async throws
  {
    let migrations = [
      Statement("migrations/0001_create_notes", "create table note (id bigint primary key)"),
      Statement("migrations/0002_add_key", "alter table note add column key text"),
      Statement("migrations/0003_check_key", "alter table note add check (key <> '')"),
    ]
    func migrator(_ count: Int, _ schema: Schema) -> Migrator {
      let part = SchemaPart(
        "notes", version: 0, migrations: Array(migrations.prefix(count)), objects: [])
      return Migrator(
        schema, parts: [part], release: ProgramRelease(program: "notes", number: count, jobs: []))
    }
    try await TestSchema.with(migrated: false) { test in
      let connection = try await test.connect()
      _ = try await migrator(2, test.schema).migrate(connection)
      try await migrator(1, test.schema).check(connection)
      let older = try await migrator(1, test.schema).migrate(connection)
      #expect(older.otherRelease == 2 && older.migrations == [])
      _ = try await migrator(3, test.schema).migrate(connection)
      for release in [1, 2] {
        await #expect(
          throws: SchemaProblem.newer(
            test.schema, unknown: "notes/0003_check_key", needed: "release 3 of notes")
        ) { try await migrator(release, test.schema).check(connection) }
      }
      await connection.close()
    }
  }
}
