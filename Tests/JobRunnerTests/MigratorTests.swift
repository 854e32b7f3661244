import Postgres
import SQLFiles
import TestSupport
import Testing

@testable import JobRunner

@Suite(.timeLimit(.minutes(5))) struct MigratorTests {
  @Test func `twenty migrators at once apply each migration once`() async throws {
    try await TestSchema.with(migrated: false) { test in
      let applied = try await withThrowingTaskGroup(of: [String].self) { group in
        for _ in 0..<20 {
          group.addTask {
            let connection = try await test.connect()
            let applied = try await Migrator(test.schema).migrate(connection)
            await connection.close()
            return applied
          }
        }
        return try await group.reduce([], +)
      }
      #expect(applied.sorted() == SQL.migrations.map { String($0.name.dropFirst(11)) })
    }
  }

  @Test func `a migration that fails leaves those before it and nothing of itself`() async throws {
    try await TestSchema.with(migrated: false) { test in
      let connection = try await test.connect()
      let good = Statement("migrations/0001_good", "create table good (id int primary key)")
      let bad = Statement(
        "migrations/0002_bad", "create table half (id int primary key); select 1 / 0")
      let failing = Migrator(test.schema, migrations: [good, bad])
      await #expect(throws: PostgresError.self) { _ = try await failing.migrate(connection) }
      #expect(try await test.sql("select name from migration") == ["0001_good"])
      #expect(try await test.sql("select to_regclass('half') is null") == ["t"])
      let mended = Statement("migrations/0002_bad", "create table half (id int primary key)")
      let continued = try await Migrator(test.schema, migrations: [good, mended])
        .migrate(connection)
      #expect(continued == ["0002_bad"])
      await connection.close()
    }
  }

  @Test func `a migration that cannot have its lock gives way and is tried again`() async throws {
    try await TestSchema.with(migrated: false) { test in
      let connection = try await test.connect()
      let first = Statement("migrations/0001_a", "create table busy (id int primary key)")
      let second = Statement("migrations/0002_b", "alter table busy add column n int")
      _ = try await Migrator(test.schema, migrations: [first]).migrate(connection)
      // A migrator that does not give way would wait for a reader that waits for it.
      try await connection.script(Statement("test/limit", "set statement_timeout = '20s'"))
      let reader = try await test.connect()
      async let migrated = reader.transaction(in: test.schema) { transaction in
        try await transaction.run(.run(Statement("test/read", "select from busy")))
        let giving = Migrator(
          test.schema, migrations: [first, second], patience: (.milliseconds(50), 2))
        let error = await #expect(throws: PostgresError.self) {
          _ = try await giving.migrate(connection)
        }
        #expect(error?.sqlState == .lockNotAvailable)
        // Nobody is queued behind the migration: a writer goes through at once.
        try await test.sql("insert into busy values (1)")
      }
      try await migrated
      let applied = try await Migrator(test.schema, migrations: [first, second])
        .migrate(connection)
      #expect(applied == ["0002_b"])
      await reader.close()
      await connection.close()
    }
  }

  @Test func `a migration that gave way succeeds in the same call once the lock is free`()
    async throws
  {
    try await TestSchema.with(migrated: false) { test in
      let connection = try await test.connect()
      let first = Statement("migrations/0001_a", "create table busy (id int primary key)")
      let second = Statement("migrations/0002_b", "alter table busy add column n int")
      _ = try await Migrator(test.schema, migrations: [first]).migrate(connection)
      try await test.holding("lock table busy in access share mode") { lock in
        let patient = Migrator(
          test.schema, migrations: [first, second], patience: (.milliseconds(500), 15))
        async let applied = patient.migrate(connection)
        try await lock.waitUntilItBlocks()
        // It waits no more although the lock is still held: that was lock_timeout.
        try await eventually("the migrator gives way") { try await lock.blockedCount() == 0 }
        #expect(try await test.sql("select name from migration") == ["0001_a"])
        try await lock.release()
        #expect(try await applied == ["0002_b"])
      }
      await connection.close()
    }
  }

  @Test func `a schema that does not fit is named for what it is`() async throws {
    try await TestSchema.with(migrated: false) { test in
      let connection = try await test.connect()
      let migrator = Migrator(test.schema)
      await #expect(throws: SchemaProblem.missing(test.schema)) {
        try await migrator.check(connection)
      }
      _ = try await migrator.migrate(connection)
      try await migrator.check(connection)
      try await test.sql("insert into migration (name, sha256) values ('9999_later', 'x')")
      await #expect(throws: SchemaProblem.newer(test.schema, unknown: "9999_later")) {
        try await migrator.check(connection)
      }
      try await test.sql(
        "delete from migration where name in ('9999_later', '0006_create_record_workout')")
      await #expect(throws: SchemaProblem.older(test.schema)) {
        try await migrator.check(connection)
      }
      try await test.sql("update migration set sha256 = 'x' where name = '0001_create_clock'")
      await #expect(throws: SchemaProblem.edited(test.schema, name: "0001_create_clock")) {
        _ = try await migrator.migrate(connection)
      }
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
