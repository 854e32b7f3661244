import BatonJobs
import BatonPostgres
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests triggers that jobs declare: `migrate` creates and drops them, and reports them if they are
/// incorrect.
@Suite(.timeLimit(.minutes(5))) struct TableTriggerMigrationTests {
  private static let insert = TableDeclaration.of("count", on: .insert)

  @Test func `a declaration is made once, and what is right is left alone`() async throws {
    try await Orders.with { orders in
      #expect(try await orders.declare(.of("count", on: .insert, .delete)).count == 1)
      #expect(try await orders.standing() == ["wake_count_delete", "wake_count_insert"])
      // No session could lock the table for the trigger.
      try await orders.test.holding("lock table orders in row exclusive mode") { _ in
        let made = try await orders.declare(.of("count", on: .insert, .delete))
        #expect(made == [])
      }
    }
  }

  @Test(.sampled()) func `what is no longer declared goes, of this program and of no other`()
    async throws
  {
    try await Orders.with { orders in
      try await orders.declare(.of("count", on: .insert, .delete), .of("greet", on: .insert))
      try await orders.declare(.of("bill", on: .insert), of: "bank")
      #expect(try await orders.declare(.of("count", on: .insert)).count == 2)
      #expect(
        try await orders.standing()
          == ["wake_bill_insert", "wake_count_insert"])
      #expect(try await orders.declare(of: "bank").count == 1)
      #expect(try await orders.declare().count == 1)
      #expect(try await orders.standing() == [])
      #expect(
        try await orders.texts(
          """
          select proname::text from pg_proc where pronamespace = current_schema()::regnamespace
            and proname like 'wake%' and proname not like 'wake\\_observers%'
          union all
          select relname from pg_class where relnamespace = current_schema()::regnamespace
            and relname like 'wake%'
          """) == [])
    }
  }

  @Test func `a job that another program declares by now is that program's`() async throws {
    try await Orders.with { orders in
      try await orders.declare(Self.insert)
      try await orders.declare(Self.insert, of: "bank")
      #expect(try await orders.declare() == [])
      #expect(try await orders.standing() == ["wake_count_insert"])
    }
  }

  @Test(.sampled()) func `what changes beneath a trigger does not lock its table`() async throws {
    try await Orders.with { orders in
      try await orders.declare(.of("count", on: .update(of: "status")))
      try await orders.test.holding("lock table orders in row exclusive mode") { _ in
        let changed = TableDeclaration.of(
          "count", on: .update(of: "total"), payload: .columns("total"))
        let made = try await orders.declare(changed)
        #expect(made.count == 1)
      }
      try await orders.test.sql("insert into orders (customer) values ('ann')")
      #expect(try await orders.events(of: "update orders set status = 'sent'") == [])
      #expect(
        try await orders.events(of: "update orders set total = 1")
          == [#"table/count ann {"total": 1}"#])
    }
  }

  @Test(.sampled()) func `what cannot have its lock gives way, and nobody waits behind it`()
    async throws
  {
    try await Orders.with { orders in
      try await orders.test.holding("lock table orders in row exclusive mode") { lock in
        let patient = orders.triggers(
          Self.insert, patience: LockPatience(lockTimeout: .milliseconds(300), tries: 100))
        async let made = patient.migrate(orders.connection)
        let waits =
          "select exists (select from pg_locks where relation = 'orders'::regclass and not granted)"
        try await eventually("it waits") { try await orders.test.sql(waits) == ["t"] }
        try await eventually("it gives way") { try await orders.test.sql(waits) == ["f"] }
        try await orders.test.sql("insert into orders (customer) values ('ann')")
        try await lock.release()
        #expect(try await made.count == 1)
      }
      #expect(
        try await orders.events(of: "insert into orders (customer) values ('bob')")
          == ["table/count bob"])
    }
  }

  @Test func `a plan is the SQL that is then run, and runs nothing`() async throws {
    try await Orders.with { orders in
      let triggers = orders.triggers(.of("count", on: .insert, .update(of: "status")))
      let plan = try await triggers.plan(orders.connection)
      #expect(
        plan.map(\.name) == [
          "tables/function", "tables/update_function", "tables/trigger", "tables/trigger",
          "tables/view",
        ])
      #expect(try await orders.standing() == [])
      try await orders.connection.script(
        Statement("test/path", "set search_path to \(orders.test.schema), pg_temp"))
      for statement in plan { try await orders.connection.runEach(of: statement) }
      #expect(
        try await orders.events(of: "insert into orders (customer) values ('ann')")
          == ["table/count ann"])
      _ = try await triggers.migrate(orders.connection)
      #expect(try await triggers.plan(orders.connection).isEmpty)
      let removing = try await orders.triggers().plan(orders.connection).map(\.text)
      #expect(removing.count == 5 && removing[0].hasPrefix("drop trigger if exists \"wake_count_"))
    }
  }

  // MARK: Drift

  @Test(.sampled())
  func `a trigger that is missing, disabled or another is drift, which migrate mends`()
    async throws
  {
    try await Orders.with { orders in
      let name = TableTriggerText.name(
        job: "count", trigger: Self.insert.trigger, schema: orders.test.schema)
      #expect(
        try await orders.differences(Self.insert)
          == ["nothing records the writes of orders for job count"])
      try await orders.declare(Self.insert)
      #expect(try await orders.differences(Self.insert) == [])
      for (change, what) in [
        ("drop trigger \(name)_insert on orders", "is missing"),
        ("alter table orders disable trigger \(name)_insert", "is disabled"),
        (
          """
          create or replace trigger \(name)_insert after delete on orders
          for each statement execute function \(name)_insert()
          """, "is another"
        ),
      ] {
        try await orders.test.sql(change)
        #expect(
          try await orders.differences(Self.insert, ofOthers: false)
            == ["the trigger \(name)_insert on orders of job count \(what)"])
        #expect(
          try await orders.differences(of: "bank")
            == ["the trigger \(name)_insert on orders of job count \(what)"])
        #expect(try await orders.differences(of: "bank", ofOthers: false) == [])
        #expect(try await orders.declare(Self.insert).count == 1)
        #expect(try await orders.differences(Self.insert) == [])
      }
      try await orders.test.sql(
        """
        create or replace function \(name)_insert() returns trigger
        language plpgsql security definer as $$ begin return null; end $$
        """)
      #expect(
        try await orders.differences(Self.insert)
          == ["the function \(name)_insert of job count is another"])
      try await orders.declare(Self.insert)
      try await orders.test.sql("drop view \(name)")
      #expect(
        try await orders.differences(Self.insert)
          == ["the view \(name) of job count is missing: columns that it reads can be dropped"])
      try await orders.declare(Self.insert)
      #expect(
        try await orders.events(of: "insert into orders (customer) values ('ann')")
          == ["table/count ann"])
    }
  }

  @Test func `another declaration is drift, and what nobody declares any more`() async throws {
    try await Orders.with { orders in
      try await orders.declare(.of("count", on: .update(of: "status")))
      #expect(
        try await orders.differences(.of("count", on: .update(of: "total")))
          == ["the trigger of job count on orders was made for another declaration"])
      let name = TableTriggerText.name(
        job: "count", trigger: Self.insert.trigger, schema: orders.test.schema)
      #expect(try await orders.differences() == ["no job declares the trigger \(name) any more"])
      #expect(try await orders.differences(ofOthers: false) == [])
      #expect(try await orders.differences(of: "bank") == [])
    }
  }

  // MARK: Tables that change

  @Test(.sampled()) func `a column that a trigger reads cannot be dropped`() async throws {
    try await Orders.with { orders in
      try await orders.declare(
        .of("count", on: .update(of: "status"), payload: .columns("total")))
      for column in ["status", "total", "customer", "id"] {
        let error = await #expect(throws: PostgresError.self) {
          try await orders.test.sql("alter table orders drop column \(column)")
        }
        #expect(error?.sqlState == "2BP01" && error?.detail?.contains("wake_count_") == true)
      }
      try await orders.test.sql("alter table orders drop column note")
      try await orders.declare()
      try await orders.test.sql("alter table orders drop column status")
    }
  }

  @Test(.sampled()) func `after a column was renamed writes fail until migrate`() async throws {
    try await Orders.with { orders in
      let before = TableDeclaration.of("count", on: .insert, .update(of: "status"))
      let after = TableDeclaration.of("count", on: .insert, .update(of: "state"))
      try await orders.declare(before)
      try await orders.test.sql("insert into orders (customer) values ('ann')")
      try await orders.test.sql("alter table orders rename status to state")
      let failed = await #expect(throws: PostgresError.self) {
        try await orders.test.sql("update orders set state = 'sent'")
      }
      #expect(failed?.sqlState == "42703")
      #expect(
        try await orders.differences(of: "bank")
          == [
            "the table orders has no column status, which the trigger of job count reads: its writes fail"
          ])
      let unfit = await #expect(throws: UnfitTable.self) { try await orders.declare(before) }
      #expect(unfit?.description == "the table orders has no column status")
      try await orders.declare(after)
      #expect(
        try await orders.events(of: "update orders set state = 'sent'") == ["table/count ann"])
      // The column of the key. Its name is part of the declaration's name.
      try await orders.test.sql("alter table orders rename customer to buyer")
      try await orders.declare(
        .of("count", on: .insert, .update(of: "state"), key: "buyer"))
      #expect(
        try await orders.events(of: "update orders set state = 'back'") == ["table/count ann"])
      #expect(try await orders.standing() == ["wake_count_insert", "wake_count_update"])
    }
  }

  @Test(.sampled()) func `a table that was renamed goes on recording until the job knows its name`()
    async throws
  {
    try await Orders.with { orders in
      try await orders.declare(Self.insert)
      try await orders.test.sql("alter table orders rename to sales")
      #expect(
        try await orders.events(of: "insert into sales (customer) values ('ann')")
          == ["table/count ann"])
      #expect(
        try await orders.differences(Self.insert).contains(
          "the table orders, which wakes job count, is not there"))
      #expect(
        try await orders.declare(.of("count", "sales", on: .insert)).count == 2)
      #expect(try await orders.standing(on: "sales") == ["wake_count_insert"])
      #expect(
        try await orders.events(of: "insert into sales (customer) values ('bob')")
          == ["table/count bob"])
    }
  }

  @Test func `a table that replaces another gets its triggers, and the old table loses them`()
    async throws
  {
    try await Orders.with { orders in
      try await orders.declare(.of("count", on: .insert, .delete))
      try await orders.test.sql("create table orders_new (like orders including all)")
      try await orders.test.sql("alter table orders rename to orders_old")
      try await orders.test.sql("alter table orders_new rename to orders")
      // The function of a trigger on the old table is dropped too.
      #expect(try await orders.declare(Self.insert).count == 1)
      #expect(try await orders.standing(on: "orders_old") == [])
      #expect(try await orders.standing() == ["wake_count_insert"])
      #expect(
        try await orders.events(of: "insert into orders (customer) values ('ann')")
          == ["table/count ann"])
      #expect(try await orders.triggers(Self.insert).plan(orders.connection).isEmpty)
    }
  }

  @Test func `the triggers of a removed declaration are dropped on every table`() async throws {
    try await Orders.with { orders in
      try await orders.declare(Self.insert)
      let name = TableTriggerText.name(
        job: "count", trigger: Self.insert.trigger, schema: orders.test.schema)
      // Earlier versions left the triggers on a table that was replaced.
      for table in ["orders_old", "orders_older"] {
        try await orders.test.sql("create table \(table) (like orders including all)")
        try await orders.test.sql(
          """
          create trigger \(name)_insert after insert on \(table)
          referencing new table as new_row for each statement execute function \(name)_insert()
          """)
      }
      #expect(try await orders.declare().count == 1)
      for table in ["orders", "orders_old", "orders_older"] {
        #expect(try await orders.standing(on: table) == [])
      }
      #expect(
        try await orders.texts("select proname::text from pg_proc where proname like '\(name)%'")
          == [])
    }
  }

  @Test(.sampled()) func `a table is dropped with all that hangs on it, and then is not there`()
    async throws
  {
    try await Orders.with { orders in
      try await orders.declare(Self.insert)
      let error = await #expect(throws: PostgresError.self) {
        try await orders.test.sql("drop table orders")
      }
      #expect(error?.sqlState == "2BP01")
      try await orders.test.sql("drop table orders cascade")
      #expect(
        try await orders.differences(Self.insert) == [
          "job count: the table orders is not there",
          "the table orders, which wakes job count, is not there",
        ])
      await #expect(throws: UnfitTable.self) { try await orders.declare(Self.insert) }
      #expect(try await orders.declare().count == 1)
      #expect(try await orders.differences() == [])
      try await orders.test.sql("create table orders (id integer primary key, customer text)")
      try await orders.declare(Self.insert)
      #expect(
        try await orders.events(of: "insert into orders values (1, 'ann')") == ["table/count ann"])
    }
  }

  @Test func `what cannot be a declared table is said, and nothing is changed`() async throws {
    try await Orders.with { orders in
      try await orders.test.sql("create view seen as select * from orders")
      try await orders.test.sql("create table loose (customer text)")
      for (declaration, problem) in [
        (TableDeclaration.of("count", "none", on: .insert), "the table none is not there"),
        (.of("count", "elsewhere.none", on: .insert), "the table elsewhere.none is not there"),
        (.of("count", "seen", on: .insert), "the table seen is not a table"),
        (.of("count", on: .insert, key: "buyer"), "the table orders has no column buyer"),
        (
          .of("count", "loose", on: .update),
          "the table loose has no primary key, by which a row is the same before and after an update"
        ),
      ] {
        let error = await #expect(throws: UnfitTable.self) {
          try await orders.declare(Self.insert, declaration)
        }
        #expect(error?.description == problem)
        #expect(try await orders.standing() == [])
      }
      try await orders.declare(.of("count", "loose", on: .insert, .delete))
    }
  }
}
