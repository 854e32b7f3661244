import BatonPostgres
import Foundation
import JobRunner
import TestSupport
import Testing

/// Tests the package in `Examples/orders`, built like an external package, together with the
/// product in one database.
@Suite(.timeLimit(.minutes(5))) struct OrdersExampleTests {
  /// The program `orders` in the database of one test.
  private struct Example {
    let program: BatonProgram
    let schema: Schema
    let connection: Connection

    init(at configuration: ConnectionConfiguration) async throws {
      program = BatonProgram(
        executable: try ExampleProgram.path("orders"),
        environment: ["DATABASE_URL": configuration.address])
      schema = try #require(Schema("orders"))
      connection = try await Connection.open(configuration)
    }

    func sql(_ text: String) async throws -> [String] {
      try await connection.sql(text, in: schema)
    }
  }

  /// Calls the body with both programs migrated, in a database that no other test uses.
  private func withBoth(_ body: (TestSchema, Example) async throws -> Void) async throws {
    try await TestSchema.with { product in
      try await product.gymrats.succeed("migrate")
      let orders = try await Example(at: product.configuration)
      #expect(
        try await orders.program.succeed("migrate").contains("applied orders/0001_create_parcels"))
      try await body(product, orders)
      await orders.connection.close()
    }
  }

  @Test(.sampled()) func `both work beside each other, and the one is not missed when it goes`()
    async throws
  {
    try await withBoth { product, orders in
      let people = People(product)
      try await people.join("u1", group: "g")
      #expect(try await people.record("u1", "w1") == "accepted")
      _ = try await orders.sql(
        """
        insert into parcel (product, address)
        values ('tea', 'Street 1'), ('jam', 'Street 1'), ('tea', 'Street 2')
        """)
      #expect(
        try await product.sql("select count(*) from event where topic like 'table/%'") == ["0"])
      #expect(try await orders.sql("select distinct topic from event") == ["table/tell-warehouse"])

      async let own: String = product.gymrats.succeed("worker", "--until-idle")
      try await orders.program.succeed("worker", "--until-idle")
      _ = try await own
      #expect(try await people.published("u1") == 1)
      #expect(
        try await orders.sql("select product from to_pack order by 1") == ["jam", "tea", "tea"])

      try await product.sql("drop schema \(product.schema.name) cascade")
      _ = try await orders.sql("insert into recall values ('tea')")
      try await orders.program.succeed("worker", "--until-idle")
      #expect(try await orders.sql("select product from to_pack") == ["jam"])
      let history = try await orders.program.succeed("runs", "history", "recall-product")
      #expect(history.contains("2 parcels recalled"))
      _ = try await orders.sql("insert into recall values ('jam')")
      try await orders.program.succeed("worker", "--until-idle")
      #expect(
        try await orders.program.succeed("runs", "history").contains("  1 parcel recalled\n"))
    }
  }

  @Test(.sampled()) func `neither schema holds or names anything of the other`() async throws {
    try await withBoth { product, orders in
      // The objects that the runner creates by itself.
      let onlyRunner = try #require(Schema("only_runner"))
      _ = try await Migrator(onlyRunner).migrate(orders.connection)
      let runner = Set(try await orders.connection.sql(Self.everything, in: onlyRunner))
      let here = Set(try await orders.sql(Self.everything))
      let there = Set(try await product.sql(Self.everything))
      #expect(runner.count > 50 && there.count > runner.count && runner.isSubset(of: there))

      #expect(runner.subtracting(here).isEmpty)
      // The objects that jobs declare have names with a hash.
      let named = here.subtracting(runner).map {
        $0.replacing(/_[0-9a-f]{12}(?=_|$)/, with: "")
      }
      #expect(
        named.sorted() == [
          "function,wake_recall_product_insert", "function,wake_tell_warehouse_insert",
          "index,day_count_pkey", "index,parcel_of_product",
          "index,parcel_ordered_at", "index,parcel_pkey", "index,picking_pkey", "index,recall_pkey",
          "sequence,parcel_id_seq", "table,day_count", "table,parcel", "table,picking",
          "table,recall", "trigger,wake_recall_product_insert",
          "trigger,wake_tell_warehouse_insert", "view,to_pack",
          "view,wake_recall_product", "view,wake_tell_warehouse",
        ])
      #expect(here.intersection(there) == runner)
      for (schema, other, parts) in [
        (orders.schema, product.schema, ["orders", "runner"]),
        (product.schema, orders.schema, ["challenges", "identity", "runner"]),
      ] {
        #expect(
          try await orders.connection.sql(
            "select part from migration union select part from schema_object order by 1", in: schema
          )
            == parts)
        #expect(
          try await orders.connection.sql(
            """
            select proname from pg_proc where pronamespace = '\(schema)'::regnamespace
              and pg_get_functiondef(oid) ~ '\\m\(other)\\M'
            """, in: schema) == [])
      }
      #expect(
        try await orders.sql("select name from job order by 1")
          == [
            "count-days", "purge-runs", "recall-product", "tell-on-call",
            "tell-warehouse",
          ])
      #expect(
        try await orders.sql(
          "select count(*) from pg_class where relnamespace = 'public'::regnamespace")
          == ["0"])
    }
  }

  /// Everything in a schema that has a name, as `kind,name`, without the dependent objects of a
  /// table.
  private static let everything = """
    select kind, name from (
      select case relkind when 'r' then 'table' when 'v' then 'view' when 'S' then 'sequence'
          when 'i' then 'index' when 'p' then 'partitioned' else 'kind ' || relkind::text end,
        relname::text, relnamespace
      from pg_class
      union all select 'function', proname, pronamespace from pg_proc
      union all select 'type', typname, typnamespace from pg_type where typtype in ('e', 'd', 'r')
      union all select 'trigger', tgname, relnamespace
        from pg_trigger t join pg_class c on c.oid = tgrelid where not tgisinternal
    ) named (kind, name, schema)
    where schema = current_schema()::regnamespace
    """

  @Test(.sampled()) func `it is a program of its own, with its own name, help and jobs`()
    async throws
  {
    let alone = BatonProgram(executable: try ExampleProgram.path("orders"))
    let help = try await alone.succeed("--help")
    #expect(help.contains("USAGE: orders [--config <file>] <subcommand>"))
    #expect(help.contains("`orders db up`"))
    #expect(help.hasPrefix("OVERVIEW: Process ordered parcels"))
    for of in [
      "worker", "runs", "run", "schedule", "jobs", "enqueue", "check", "migrate", "db", "to-pack",
    ] {
      let help = try await alone.succeed(of, "--help")
      #expect(help.contains("USAGE: orders \(of)") && !help.contains("gymrats "), "\(of): \(help)")
    }
    expectComplaint(
      try await alone.run("jobs"), status: 69, what: "No database", place: "DATABASE_URL",
      next: "orders db up")
    try await withBoth { product, orders in
      #expect(
        try await orders.program.succeed("check") == """
          only the owner may call the functions of the schema
          the schema has no roles: its owner may do everything; `orders roles create` creates them
          functions, views, triggers, columns and constraints are as `migrate` left them
          5 jobs, their triggers and the schema agree

          """)
      #expect(try await product.gymrats.succeed("check").contains("agree"))
      let jobs = try await orders.program.succeed("jobs")
      #expect(jobs.contains("tell-warehouse") && jobs.contains("0 6 * * * Europe/Berlin"))
      expectComplaint(
        try await orders.program.run("run", "recompute-ranks"), status: 64,
        what: "There is no job 'recompute-ranks'", place: "JOB",
        next: "Name a job of this program: tell-warehouse, recall-product, ")
      expectComplaint(
        try await orders.program.run("enqueue", "recompute-ranks", "--key", "k"), status: 64,
        what: "There is no job 'recompute-ranks'", place: "JOB", next: "`orders jobs`")
    }
  }

  @Test(.sampled())
  func `a plan is printed and not run, and a worker needs the triggers that it declares`()
    async throws
  {
    try await TestSchema.with { product in
      let orders = try await Example(at: product.configuration)
      let whole = try await orders.program.succeed("migrate", "--plan")
      #expect(
        whole.contains("create table parcel (") && whole.contains("-- then the triggers"))
      #expect(
        try await orders.connection.sql(
          "select to_regnamespace('orders')::text", in: product.schema) == [""])
      try await orders.program.succeed("migrate")
      #expect(try await orders.program.succeed("migrate", "--plan") == "-- nothing to do\n")
      let trigger = try #require(
        try await orders.sql(
          "select tgname from pg_trigger where tgrelid = 'parcel'::regclass and tgname like 'wake%'"
        ).first)
      _ = try await orders.sql("alter table parcel disable trigger \(trigger)")
      for command in [["check"], ["worker"], ["worker", "--jobs", "tell-warehouse"]] {
        expectComplaint(
          try await orders.program.start(command).wait(within: .seconds(120)), status: 78,
          what: "the trigger \(trigger) on parcel of job tell-warehouse is disabled",
          place: "triggers", next: "orders migrate")
      }
      // None of its own jobs declares it.
      try await orders.program.succeed("worker", "--until-idle", "--jobs", "recall-product")
      let plan = try await orders.program.succeed("migrate", "--plan")
      #expect(
        plan.contains(
          "create or replace trigger \"\(trigger)\" after insert on \"orders\".\"parcel\""))
      #expect(
        try await orders.program.succeed("migrate")
          == "schema orders: 0 migrations applied, 0 functions, views and triggers made, 1 declared table dealt with\n"
      )
      #expect(try await orders.program.succeed("check").contains("agree"))
      _ = try await orders.sql("alter table recall rename product to goods")
      expectComplaint(
        try await orders.program.run("check"), status: 78, what: "its writes fail",
        place: "triggers", next: "orders migrate")
      expectComplaint(
        try await orders.program.run("migrate"), status: 78,
        what: "The table recall has no column product", place: "job recall-product",
        next: "No trigger was changed")
      await orders.connection.close()
    }
  }

  @Test(.sampled()) func `its own tests pass`() async throws {
    let ended = try await ExampleProgram.test()
    let said = ended.output + ended.errors
    #expect(ended.status == 0 && said.contains("Test run with 8 tests"), "\(said)")
  }
}
