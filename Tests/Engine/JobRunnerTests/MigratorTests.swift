import BatonPostgres
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

@Suite(.timeLimit(.minutes(5))) struct MigratorTests {
  /// Returns a migrator for a part with only these migrations.
  private static func migrator(
    of schema: Schema, _ migrations: (String, String)...,
    patience: LockPatience = LockPatience(tries: 15)
  ) -> Migrator {
    let part = SchemaPart(
      "test", version: 0, migrations: migrations.map { Statement("migrations/\($0.0)", $0.1) },
      objects: [])
    return Migrator(schema, allParts: [part], patience: patience)
  }

  @Test(.sampled())
  func `eight migrators at once apply each migration once and make each object once`()
    async throws
  {
    let parts = TestSchema.parts
    try await TestSchema.with(migrated: false) { test in
      let outcomes = try await withThrowingTaskGroup(of: Migrator.Outcome.self) { group in
        for _ in 0..<8 {
          group.addTask {
            let connection = try await test.connect()
            let outcome = try await Migrator(test.schema, parts: parts).migrate(connection)
            await connection.close()
            return outcome
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let all = [SQL.runner] + parts
      #expect(
        outcomes.flatMap(\.migrations)
          == all.flatMap { part in part.migrations.map { "\(part.name)/\($0.fileName)" } })
      #expect(
        outcomes.flatMap(\.objects).sorted()
          == all.flatMap { $0.objects.map { "\($0.kind) \($0.name)" } }.sorted())
    }
  }

  @Test func `a migration that fails leaves nothing of its call, and those of before`() async throws
  {
    try await TestSchema.with(migrated: false) { test in
      let connection = try await test.connect()
      let good = ("0001_good", "create table good (id int primary key)")
      _ = try await Self.migrator(of: test.schema, good).migrate(connection)
      let failing = Self.migrator(
        of: test.schema, good, ("0002_fine", "create table fine (id int primary key)"),
        ("0003_bad", "create table half (id int primary key); select 1 / 0"))
      await expectSQLState("22012") { _ = try await failing.migrate(connection) }
      #expect(try await test.sql("select name from migration") == ["0001_good"])
      #expect(
        try await test.sql("select to_regclass('half') is null, to_regclass('fine') is null")
          == ["t,t"])
      let continued = try await Self.migrator(
        of: test.schema, good, ("0002_fine", "create table fine (id int primary key)")
      ).migrate(connection)
      #expect(continued.migrations == ["test/0002_fine"])
      await connection.close()
    }
  }

  @Test func `a migration that cannot have its lock gives way and is tried again`() async throws {
    try await TestSchema.with(migrated: false) { test in
      let connection = try await test.connect()
      let first = ("0001_a", "create table busy (id int primary key)")
      let second = ("0002_b", "alter table busy add column n int")
      _ = try await Self.migrator(of: test.schema, first).migrate(connection)
      // A migrator that does not give up its locks would wait for a reader that waits for the
      // migrator.
      try await connection.script(Statement("test/limit", "set statement_timeout = '20s'"))
      let reader = try await test.connect()
      async let migrated = reader.transaction(in: test.schema) { transaction in
        try await transaction.run(.run(Statement("test/read", "select from busy")))
        let giving = Self.migrator(
          of: test.schema, first, second,
          patience: LockPatience(lockTimeout: .milliseconds(50), tries: 2))
        let error = await #expect(throws: PostgresError.self) {
          _ = try await giving.migrate(connection)
        }
        #expect(error?.sqlState == .lockNotAvailable)
        // No session waits in a queue after the migration: a writer continues immediately.
        try await test.sql("insert into busy values (1)")
      }
      try await migrated
      let applied = try await Self.migrator(of: test.schema, first, second).migrate(connection)
      #expect(applied.migrations == ["test/0002_b"])
      await reader.close()
      await connection.close()
    }
  }

  @Test func `a migration that gave way succeeds in the same call once the lock is free`()
    async throws
  {
    try await TestSchema.with(migrated: false) { test in
      let connection = try await test.connect()
      let first = ("0001_a", "create table busy (id int primary key)")
      let second = ("0002_b", "alter table busy add column n int")
      _ = try await Self.migrator(of: test.schema, first).migrate(connection)
      try await test.holding("lock table busy in access share mode") { lock in
        let patient = Self.migrator(
          of: test.schema, first, second,
          patience: LockPatience(lockTimeout: .milliseconds(500), tries: 15))
        async let applied = patient.migrate(connection)
        // The wait concerns only this table, because an index that another test creates waits for
        // all older transactions.
        let waits =
          "select exists (select from pg_locks where relation = 'busy'::regclass and not granted)"
        try await eventually("the migrator waits") { try await test.sql(waits) == ["t"] }
        // The migrator no longer waits although the lock is still held. This shows that
        // lock_timeout ended the wait.
        try await eventually("the migrator gives way") { try await test.sql(waits) == ["f"] }
        #expect(try await test.sql("select name from migration") == ["0001_a"])
        try await lock.release()
        #expect(try await applied.migrations == ["test/0002_b"])
      }
      await connection.close()
    }
  }

  @Test(.sampled()) func `a schema that does not fit is named for what it is`() async throws {
    try await TestSchema.with(migrated: false) { test in
      let connection = try await test.connect()
      let migrator = Migrator(test.schema, parts: TestSchema.parts)
      await #expect(throws: SchemaProblem.missing(test.schema)) {
        try await migrator.check(connection)
      }
      _ = try await migrator.migrate(connection)
      #expect(try await migrator.check(connection) == [])
      #expect(try await Migrator(test.schema).check(connection) == ["challenges", "identity"])
      for part in ["runner", "identity", "challenges"] {
        try await test.sql("insert into migration values ('\(part)', '9999_later', 'x')")
        await #expect(throws: SchemaProblem.newer(test.schema, unknown: "\(part)/9999_later")) {
          try await migrator.check(connection)
        }
        try await test.sql("delete from migration where name = '9999_later'")
        try await test.sql("update schema_part set set_number = set_number - 1")
        await #expect(throws: SchemaProblem.older(test.schema)) {
          try await migrator.check(connection)
        }
        try await test.sql("update schema_part set set_number = set_number + 1")
      }
      try await test.sql("delete from migration where name = '0003_create_boards'")
      await #expect(throws: SchemaProblem.older(test.schema)) {
        try await migrator.check(connection)
      }
      try await test.sql("update migration set sha256 = 'x' where name = '0001_create_clock'")
      await #expect(throws: SchemaProblem.edited(test.schema, name: "runner/0001_create_clock")) {
        _ = try await migrator.migrate(connection)
      }
      await connection.close()
    }
  }

  @Test(.sampled())
  func `the part claims of an older schema becomes identity, and nothing is made again`()
    async throws
  {
    try await TestSchema.with(migrated: false) { test in
      let connection = try await test.connect()
      let migrator = Migrator(test.schema, parts: TestSchema.parts)
      _ = try await migrator.migrate(connection)
      for table in ["migration", "schema_object", "schema_part"] {
        try await test.sql("update \(table) set part = 'claims' where part = 'identity'")
      }
      try await test.sql("alter table claim_key add kept text default 'kept'")
      await #expect(throws: SchemaProblem.older(test.schema)) {
        try await migrator.check(connection)
      }
      #expect(try await migrator.migrate(connection) == Migrator.Outcome())
      #expect(try await migrator.check(connection) == [])
      #expect(try await test.sql("select kept from claim_key") == ["kept"])
      await connection.close()
    }
  }

  @Test func `a schema from before parts is refused and stays as it is`() async throws {
    try await TestSchema.with(migrated: false) { test in
      let connection = try await test.connect()
      let name = test.schema.name
      try await connection.script(
        Statement(
          "test/before",
          """
          create schema \(name);
          create table \(name).migration (name text primary key, sha256 text not null,
            applied_at timestamptz not null default now());
          insert into \(name).migration values ('0001_create_clock', 'x')
          """))
      let migrator = Migrator(test.schema)
      await #expect(throws: SchemaProblem.beforeParts(test.schema)) {
        try await migrator.check(connection)
      }
      await #expect(throws: SchemaProblem.beforeParts(test.schema)) {
        _ = try await migrator.migrate(connection)
      }
      #expect(
        try await test.sql(
          "select relname from pg_class where relnamespace = '\(name)'::regnamespace and relkind = 'r'"
        ) == ["migration"])
      await connection.close()
    }
  }

  @Test func `what no transaction may hold is run by itself, in its order, and again if killed`()
    async throws
  {
    try await TestSchema.with(migrated: false) { test in
      let connection = try await test.connect()
      let table = ("0001_table", "create table big (id int primary key, n int)")
      let index = (
        "0002_index",
        """
        -- An index without a lock that stops writers.
        -- Outside of a transaction.
        drop index if exists big_n;
        create index concurrently big_n on big (n)
        """
      )
      let last = ("0003_last", "alter table big add column m int")
      let outcome = try await Self.migrator(of: test.schema, table, index, last)
        .migrate(connection)
      #expect(outcome.migrations == ["test/0001_table", "test/0002_index", "test/0003_last"])
      #expect(
        try await test.sql("select indisvalid from pg_index where indexrelid = 'big_n'::regclass")
          == ["t"])
      // This is the state after a kill between the statements and the record.
      try await test.sql("delete from migration where name = '0002_index'")
      #expect(
        try await Self.migrator(of: test.schema, table, index, last).migrate(connection).migrations
          == ["test/0002_index"])
      #expect(
        try await connection.sql(
          "select count(*) from pg_locks where relation = 'migration'::regclass", in: test.schema)
          == ["0"])
      await connection.close()
    }
  }

  @Test func `outside of a transaction too, a statement that cannot have its lock gives way`()
    async throws
  {
    try await TestSchema.with(migrated: false) { test in
      let connection = try await test.connect()
      let table = (
        "0001_table",
        "create table big (id int primary key, n int); create index big_n on big (n)"
      )
      let dropped = ("0002_drop", "-- Outside of a transaction.\ndrop index if exists big_n")
      let built = (
        "0003_build", "-- Outside of a transaction.\ncreate index concurrently big_n on big (n)"
      )
      let patience = LockPatience(lockTimeout: .milliseconds(50), tries: 2)
      _ = try await Self.migrator(of: test.schema, table).migrate(connection)
      let dropping = Self.migrator(of: test.schema, table, dropped, patience: patience)
      // A statement that does not give way would wait for the reader.
      try await connection.script(Statement("test/limit", "set statement_timeout = '20s'"))
      try await test.holding("lock table big in access share mode") { _ in
        let error = await #expect(throws: PostgresError.self) {
          _ = try await dropping.migrate(connection)
        }
        #expect(error?.sqlState == .lockNotAvailable)
        // No session waits in a queue after the migration: a writer continues immediately.
        try await test.sql("insert into big values (1)")
      }
      try await connection.script(Statement("test/no_limit", "set statement_timeout = 0"))
      #expect(try await dropping.migrate(connection).migrations == ["test/0002_drop"])
      // The build waits longer than the limit, and blocks no writer meanwhile.
      let building = Self.migrator(of: test.schema, table, dropped, built, patience: patience)
      try await test.holding("lock table big in share update exclusive mode") { lock in
        async let applied = building.migrate(connection)
        try await lock.waitUntilItBlocks()
        try await Task.sleep(for: .milliseconds(500))
        try await test.sql("insert into big values (2)")
        try await lock.release()
        #expect(try await applied.migrations == ["test/0003_build"])
      }
      #expect(
        try await test.sql("select indisvalid from pg_index where indexrelid = 'big_n'::regclass")
          == ["t"])
      // Later statements of the session wait as before the migration.
      let limit = "select setting = reset_val from pg_settings where name = 'lock_timeout'"
      #expect(try await connection.sql(limit, in: test.schema) == ["t"])
      await connection.close()
    }
  }

  @Test func `a build that outlasts the timeout of idle transactions is recorded`() async throws {
    try await TestSchema.with(migrated: false) { test in
      let connection = try await Connection.open(
        ConnectionConfiguration(
          address: test.configuration.address
            + "&options=-c%20idle_in_transaction_session_timeout%3D500"))
      // The sleep stands for the build of an index on a large table.
      let build = ("0001_build", "-- Outside of a transaction.\nselect pg_sleep(1.5)")
      let outcome = try await Self.migrator(of: test.schema, build).migrate(connection)
      #expect(outcome.migrations == ["test/0001_build"])
      #expect(try await test.sql("select name from migration") == ["0001_build"])
      await connection.close()
    }
  }

  @Test func `a migration that PostgreSQL ended because of a deadlock is tried again`()
    async throws
  {
    try await TestSchema.with(migrated: false) { test in
      let connection = try await test.connect()
      let other = try await test.connect()
      let tables = ("0001_tables", "create table one (id int); create table two (id int)")
      // The migration locks the second table after the other session waits for the first table.
      let locks = (
        "0002_locks",
        """
        lock table one;
        do $$ begin
          while exists (select from pg_locks where relation = 'two'::regclass)
            and not exists (select from pg_locks where relation = 'one'::regclass and not granted)
          loop
            perform pg_sleep(0.01);
          end loop;
        end $$;
        lock table two
        """
      )
      @Sendable func isLocked(_ table: String) async throws -> Bool {
        try await test.sql(
          "select exists (select from pg_locks where relation = '\(table)'::regclass)") == ["t"]
      }
      _ = try await Self.migrator(of: test.schema, tables).migrate(connection)
      async let held: Void = other.transaction(in: test.schema) { transaction in
        // PostgreSQL ends the transaction whose deadlock_timeout is over first.
        let patient = "select set_config('deadlock_timeout', '60s', true)"
        try await transaction.run(.run(Statement("test/patient", patient)))
        try await transaction.script(Statement("test/two", "lock table two"))
        try await eventually("the migration's lock") { try await isLocked("one") }
        try await transaction.script(Statement("test/one", "lock table one"))
      }
      try await eventually("the other session's lock") { try await isLocked("two") }
      let outcome = try await Self.migrator(of: test.schema, tables, locks).migrate(connection)
      try await held
      #expect(outcome.migrations == ["test/0002_locks"])
      await other.close()
      await connection.close()
    }
  }

  @Test func `after a schema was renamed one migrate is enough`() async throws {
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let renamed = try #require(Schema("renamed"))
      func faults(in schema: Schema) async throws -> [String] {
        try await Migrator(schema, parts: TestSchema.parts).accessFaults(connection)
          .filter(\.isFault).map(\.what)
      }
      let before = try await faults(in: test.schema)
      try await test.sql("alter schema \(test.schema) rename to \(renamed)")
      let recorded =
        "the definitions of the objects were recorded when the schema's name was \(test.schema)"
      #expect(try await faults(in: renamed).contains(recorded))
      let migrator = Migrator(renamed, parts: TestSchema.parts)
      #expect(try await !migrator.migrate(connection).objects.isEmpty)
      #expect(try await faults(in: renamed) == before)
      #expect(try await migrator.migrate(connection) == Migrator.Outcome())
      await connection.close()
    }
  }

  @Test func `every table has a primary key`() async throws {
    try await TestSchema.with { test in
      let without = try await test.sql(
        "select relname::text from pg_class c where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)"
      )
      #expect(without.isEmpty)
    }
  }
}
