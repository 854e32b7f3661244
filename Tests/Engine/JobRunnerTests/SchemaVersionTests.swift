import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// Tests functions, views and triggers: the database contains their current text, and an older
/// program never restores its own text.
@Suite(.timeLimit(.minutes(5))) struct SchemaVersionTests {
  /// A part with a table, as one program contains it.
  private struct Program {
    var version = 1
    var objects: [SchemaObject] = []

    mutating func function(_ name: String, _ body: String) {
      objects.append(
        SchemaObject(
          .function, name,
          Statement("functions/\(name)", "create or replace function \(name)\(body)")))
    }

    mutating func view(_ name: String, _ query: String) {
      objects.append(
        SchemaObject(
          .view, name, Statement("views/\(name)", "create or replace view \(name) as \(query)")))
    }

    mutating func trigger(_ name: String, on table: String, calls function: String) {
      objects.append(
        SchemaObject(
          .trigger, name, table: table,
          Statement(
            "triggers/\(name)",
            """
            create or replace trigger \(name) after insert on \(table)
            for each row execute function \(function)()
            """)))
    }

    func migrator(of schema: Schema, patience: LockPatience = LockPatience(tries: 15))
      -> Migrator
    {
      Migrator(
        schema,
        allParts: [
          SchemaPart(
            "test", version: version,
            migrations: [
              Statement(
                "migrations/0001_tables",
                "create table one (id int primary key); create table two (id int primary key)")
            ], objects: objects)
        ], patience: patience)
    }
  }

  private static let noop = "() returns trigger language plpgsql as $$ begin return null; end $$"

  private func with(
    _ body: (TestSchema, Connection) async throws -> Void
  ) async throws {
    try await TestSchema.with(migrated: false) { test in
      let connection = try await test.connect()
      try await body(test, connection)
      await connection.close()
    }
  }

  /// Returns the time of the last write of each object, by its name.
  private func written(_ test: TestSchema) async throws -> [String] {
    try await test.sql(
      """
      select proname || ' ' || xmin from pg_proc where pronamespace = current_schema()::regnamespace
      union all
      select tgname || ' ' || t.xmin from pg_trigger t join pg_class c on c.oid = tgrelid
      where c.relnamespace = current_schema()::regnamespace and not tgisinternal
      order by 1
      """)
  }

  @Test func `what did not change is not touched, and what did is replaced`() async throws {
    try await with { test, connection in
      var program = Program()
      program.function("same", "() returns int language sql return 1")
      program.function("changing", "() returns int language sql return 1")
      program.function("fired", Self.noop)
      program.trigger("on_one", on: "one", calls: "fired")
      let first = try await program.migrator(of: test.schema).migrate(connection)
      #expect(
        first.objects == ["function same", "function changing", "function fired", "trigger on_one"])
      let before = try await written(test)
      #expect(try await program.migrator(of: test.schema).migrate(connection) == .init())
      program.objects[1] = SchemaObject(
        .function, "changing",
        Statement(
          "functions/changing",
          "create or replace function changing() returns int language sql return 2"))
      program.version = 2
      let second = try await program.migrator(of: test.schema).migrate(connection)
      #expect(second.objects == ["function changing"])
      #expect(try await test.sql("select changing()") == ["2"])
      let after = try await written(test)
      #expect(zip(before, after).filter { $0 != $1 }.map { $0.0.contains("changing") } == [true])
    }
  }

  @Test func `an older program leaves a newer version alone, and says so`() async throws {
    try await with { test, connection in
      var newer = Program(version: 2)
      newer.function("answer", "() returns int language sql return 2")
      newer.view("seen", "select 2 as n")
      _ = try await newer.migrator(of: test.schema).migrate(connection)
      var older = Program(version: 1)
      older.function("answer", "() returns int language sql return 1")
      older.function("gone", "() returns int language sql return 1")
      let outcome = try await older.migrator(of: test.schema).migrate(connection)
      #expect(outcome == .init(newerVersions: ["test"]))
      try await older.migrator(of: test.schema).check(connection)
      #expect(try await test.sql("select answer(), n from seen") == ["2,2"])
      #expect(try await test.sql("select set_number from schema_part") == ["2"])
    }
  }

  @Test func `what a program has no longer goes behind the triggers that used it`() async throws {
    try await with { test, connection in
      var program = Program()
      program.function("old_way", Self.noop)
      program.view("old_view", "select 1 as n")
      program.trigger("on_one", on: "one", calls: "old_way")
      program.trigger("on_two", on: "two", calls: "old_way")
      _ = try await program.migrator(of: test.schema).migrate(connection)
      var next = Program(version: 2)
      next.function("new_way", Self.noop)
      next.trigger("on_one", on: "one", calls: "new_way")
      // The migrator is stopped between two tables. One table keeps its trigger, and therefore also
      // the function.
      try await test.holding("lock table two in row exclusive mode") { lock in
        let impatient = next.migrator(
          of: test.schema, patience: LockPatience(lockTimeout: .milliseconds(50), tries: 1))
        await expectSQLState(.lockNotAvailable) { try await impatient.migrate(connection) }
        #expect(
          try await test.sql(
            "select tgrelid::regclass, tgfoid::regproc from pg_trigger where not tgisinternal and tgrelid in ('one'::regclass, 'two'::regclass) order by 1"
          )
            == ["one,new_way", "two,old_way"])
        await #expect(throws: SchemaProblem.older(test.schema)) {
          try await next.migrator(of: test.schema).check(connection)
        }
        try await lock.release()
      }
      let rest = try await next.migrator(of: test.schema).migrate(connection)
      #expect(rest.objects == ["trigger on_two", "view old_view", "function old_way"])
      #expect(
        try await test.sql("select kind, name from schema_object order by 1")
          == ["function,new_way", "trigger,on_one"])
    }
  }

  @Test func `triggers of two tables are never replaced in one transaction`() async throws {
    try await with { test, connection in
      for version in 1...2 {
        var program = Program(version: version)
        program.function("fired_\(version)", Self.noop)
        program.trigger("on_one", on: "one", calls: "fired_\(version)")
        program.trigger("again_on_one", on: "one", calls: "fired_\(version)")
        program.trigger("on_two", on: "two", calls: "fired_\(version)")
        _ = try await program.migrator(of: test.schema).migrate(connection)
      }
      let rows = try await test.sql(
        "select tgrelid::regclass, (select count(distinct o.xmin::text) from pg_trigger o where not o.tgisinternal and o.tgrelid = t.tgrelid), (select count(distinct xmin::text) from pg_trigger where not tgisinternal and tgrelid in ('one'::regclass, 'two'::regclass)) from pg_trigger t where not tgisinternal and tgrelid in ('one'::regclass, 'two'::regclass) order by 1"
      )
      #expect(rows == ["one,1,2", "one,1,2", "two,1,2"])
    }
  }

  @Test func `an object that somebody dropped is made again`() async throws {
    try await with { test, connection in
      var program = Program()
      program.function("fired", Self.noop)
      program.view("seen", "select 1 as n")
      program.trigger("on_one", on: "one", calls: "fired")
      _ = try await program.migrator(of: test.schema).migrate(connection)
      try await test.sql("drop function fired cascade")
      try await test.sql("drop view seen")
      let outcome = try await program.migrator(of: test.schema).migrate(connection)
      #expect(outcome.objects == ["function fired", "view seen", "trigger on_one"])
    }
  }

  @Test func `other parameters without a migration that drops the old ones are refused whole`()
    async throws
  {
    try await with { test, connection in
      var program = Program()
      program.function("answer", "(n int) returns int language sql return n")
      _ = try await program.migrator(of: test.schema).migrate(connection)
      var next = Program(version: 2)
      next.function("answer", "(n bigint) returns bigint language sql return n")
      let error = await #expect(throws: PostgresError.self) {
        _ = try await next.migrator(of: test.schema).migrate(connection)
      }
      #expect(error?.sqlState.code == "ZB030" && error?.message.contains("answer") == true)
      #expect(try await test.sql("select pg_typeof(answer(1))") == ["integer"])
      #expect(try await test.sql("select set_number from schema_part") == ["1"])
    }
  }

  @Test func `an older program restores a function that a newer release gave a default`()
    async throws
  {
    try await with { test, connection in
      var newer = Program(version: 2)
      newer.function("answer", "(n int default 1) returns int language sql return n")
      _ = try await newer.migrator(of: test.schema).migrate(connection)
      try await test.sql("grant execute on function answer to pg_monitor")
      // `migrate --take-over` deletes the version of the module.
      try await test.sql("delete from schema_part")
      var older = Program(version: 1)
      older.function("answer", "(n int) returns int language sql return n + 1")
      let outcome = try await older.migrator(of: test.schema).migrate(connection)
      #expect(outcome.objects == ["function answer"])
      try await older.migrator(of: test.schema).check(connection)
      #expect(try await test.sql("select answer(1)") == ["2"])
      await expectSQLState("42883") { try await test.sql("select answer()") }
      let mayCall = "select has_function_privilege('pg_monitor', 'answer(int)', 'execute')"
      #expect(try await test.sql(mayCall) == ["t"])
    }
  }

  @Test func `a function that fails takes the migrations of its call with it`() async throws {
    try await with { test, connection in
      var program = Program()
      program.function("broken", "() returns int language sql return 1 / nothing")
      await expectSQLState("42703") {
        _ = try await program.migrator(of: test.schema).migrate(connection)
      }
      program.objects = []
      let outcome = try await program.migrator(of: test.schema).migrate(connection)
      #expect(outcome.migrations == ["test/0001_tables"])
    }
  }

  @Test(.sampled()) func `two parts cannot have one function`() async throws {
    try await with { test, connection in
      let object = SchemaObject(
        .function, "now",
        Statement("functions/now", "create or replace function now() returns int return 1"))
      let other = SchemaPart("other", version: 1, migrations: [], objects: [object])
      await #expect(throws: SchemaProblem.taken(test.schema, object: "function now")) {
        _ = try await Migrator(test.schema, parts: [other]).migrate(connection)
      }
      // The object is unknown to this program, but exists.
      _ = try await Migrator(test.schema).migrate(connection)
      await #expect(throws: SchemaProblem.taken(test.schema, object: "function now")) {
        _ = try await Migrator(test.schema, allParts: [other]).migrate(connection)
      }
      #expect(
        try await test.sql(
          "select pg_typeof(\(test.schema.name).now()) = 'timestamptz'::regtype") == ["t"])
    }
  }
}
