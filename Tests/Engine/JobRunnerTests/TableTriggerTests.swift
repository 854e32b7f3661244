import BatonJobs
import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// Tests which writes to a declared table cause events, and the payloads of these events.
@Suite(.bothWaysAtFullSize) struct TableTriggerTests {
  @Test func `each kind of write that is declared wakes the job, once a statement and key`()
    async throws
  {
    try await Orders.with { orders in
      try await orders.declare(.of("count", on: .insert, .update(of: "status"), .delete))
      #expect(
        try await orders.events(
          of: "insert into orders (customer) values ('ann'), ('ann'), ('bob'), (null)")
          == ["table/count ann", "table/count bob"])
      #expect(
        try await orders.events(of: "insert into orders select from orders where false") == [])
      #expect(
        try await orders.events(of: "update orders set status = 'sent'")
          == ["table/count ann", "table/count bob"])
      #expect(try await orders.events(of: "update orders set status = 'sent', total = 7") == [])
      #expect(
        try await orders.events(of: "delete from orders where customer = 'ann'")
          == ["table/count ann"])
      #expect(try await orders.events(of: "delete from orders where customer is null") == [])
    }
  }

  @Test func `a payload of more than 1 MiB is refused, as of every other way in`() async throws {
    try await Orders.with { orders in
      try await orders.test.sql("alter table orders add column body text")
      try await orders.declare(
        .of("carry", on: .insert, .update, payload: .columns("body")),
        .of("join", on: .insert, .update, payload: .change(of: "body")))
      let most = 1_048_576 - 200
      try await orders.test.sql(
        "insert into orders (customer, body) select 'ann', repeat('x', \(most))")
      for write in [
        "insert into orders (customer, body) select 'bob', repeat('x', 1048577)",
        // A column that is read from disk is compressed there.
        "insert into orders (customer, body) select 'bob', body || body from orders",
        "update orders set body = body || body",
      ] {
        let error = await #expect(throws: PostgresError.self) { try await orders.test.sql(write) }
        #expect(error?.sqlState == "ZB007" && error?.message.contains("a row of orders") == true)
        #expect(error?.message.contains("which triggers the job carry with body") == true)
      }
      #expect(
        try await orders.test.sql("select count(*), max(length(body)) from orders") == ["1,\(most)"]
      )
    }
  }

  @Test(.sampled()) func `larger rows that are older than the trigger can be changed and deleted`()
    async throws
  {
    try await Orders.with { orders in
      try await orders.test.sql("alter table orders add column body text")
      try await orders.test.sql(
        """
        insert into orders (customer, body)
        select customer, repeat('x', 3000000) from unnest(array['ann', 'bob', 'cat']) customer
        """)
      try await orders.declare(
        .of("carry", on: .insert, .update, .delete, payload: .columns("body")),
        .of("join", on: .insert, .update, .delete, payload: .change(of: "body")))
      let grow = "update orders set body = body || 'x' where customer = 'ann'"
      await expectSQLState("ZB007") { try await orders.test.sql(grow) }
      let writes = [
        "update orders set body = 'short' where customer = 'ann'",
        "delete from orders where customer = 'bob'",
        "update orders set body = 'short', customer = 'dan' where customer = 'cat'",
      ]
      for write in writes { try await orders.test.sql(write) }
      let sizes = try await orders.test.sql(
        """
        select topic, key, length(payload #>> '{body}'), length(payload #>> '{before,body}'),
          length(payload #>> '{after,body}')
        from event order by topic collate "C", key collate "C"
        """)
      #expect(
        sizes == [
          "table/carry,ann,5,,", "table/carry,bob,3000000,,", "table/carry,cat,3000000,,",
          "table/carry,dan,5,,", "table/join,ann,,3000000,5", "table/join,bob,,3000000,",
          "table/join,cat,,3000000,", "table/join,dan,,,5",
        ])
    }
  }

  @Test func `what is not declared is no event`() async throws {
    try await Orders.with { orders in
      try await orders.declare(.of("count", on: .delete))
      #expect(try await orders.events(of: "insert into orders (customer) values ('ann')") == [])
      #expect(try await orders.events(of: "update orders set customer = 'bob'") == [])
      #expect(try await orders.events(of: "delete from orders") == ["table/count bob"])
    }
  }

  @Test func `a key that changes wakes both, and one that comes or goes wakes the other`()
    async throws
  {
    try await Orders.with { orders in
      try await orders.test.sql("insert into orders (customer) values ('ann')")
      try await orders.declare(.of("count", on: .update(of: "status")))
      #expect(
        try await orders.events(of: "update orders set customer = 'bob'")
          == ["table/count ann", "table/count bob"])
      #expect(
        try await orders.events(of: "update orders set customer = null") == ["table/count bob"])
      #expect(try await orders.events(of: "update orders set status = 'sent'") == [])
      #expect(
        try await orders.events(of: "update orders set customer = 'ann'") == ["table/count ann"])
      // If the primary key of a row changes, it counts as another row: one row deleted and one row
      // inserted for the same key.
      #expect(
        try await orders.events(of: "update orders set id = id + 100") == ["table/count ann"])
    }
  }

  @Test func `an update without columns watches all, of any type`() async throws {
    try await Orders.with { orders in
      try await orders.test.sql(
        #"insert into orders (customer, note) values ('ann', '{"a": 1}'), ('bob', null)"#)
      try await orders.declare(.of("count", on: .update), .of("read", on: .update(of: "note")))
      #expect(try await orders.events(of: "update orders set total = total, note = note") == [])
      #expect(
        try await orders.events(of: "update orders set note = '{}' where customer = 'ann'")
          == ["table/count ann", "table/read ann"])
      #expect(
        try await orders.events(of: "update orders set total = 1 where customer = 'bob'")
          == ["table/count bob"])
    }
  }

  @Test func `an upsert, a merge and a COPY are the writes that they come to`() async throws {
    try await Orders.with { orders in
      try await orders.declare(.of("count", on: .insert, .update(of: "total"), key: "id"))
      let upsert = """
        insert into orders (id, customer, total) values (1, 'ann', 1), (2, 'bob', 2)
        on conflict (id) do update set total = excluded.total
        """
      #expect(try await orders.events(of: upsert) == ["table/count 1", "table/count 2"])
      try await orders.test.sql("update orders set total = 5 where id = 2")
      #expect(try await orders.events(of: upsert) == ["table/count 2"])
      #expect(
        try await orders.events(
          of: """
            merge into orders o using (values (2, 8), (3, 9)) n (id, total) on o.id = n.id
            when matched then update set total = n.total
            when not matched then insert (id, total) values (n.id, n.total)
            """) == ["table/count 2", "table/count 3"])
      #expect(
        try await orders.events(
          of: "copy orders (id, customer) from program 'printf ''7\\tann\\n8\\tbob\\n'''")
          == ["table/count 7", "table/count 8"])
    }
  }

  @Test func `columns that a run is to carry are those of the row, of a removed one as it was`()
    async throws
  {
    try await Orders.with { orders in
      try await orders.declare(
        .of("count", on: .insert, .update, .delete, payload: .columns("total", "id")))
      #expect(
        try await orders.events(of: "insert into orders (id, customer) values (1, 'ann')")
          == [#"table/count ann {"id": 1, "total": 0}"#])
      #expect(
        try await orders.events(of: "update orders set customer = 'bob', total = 3")
          == [
            #"table/count ann {"id": 1, "total": 0}"#,
            #"table/count bob {"id": 1, "total": 3}"#,
          ])
      #expect(
        try await orders.events(of: "delete from orders")
          == [#"table/count bob {"id": 1, "total": 3}"#])
    }
  }

  @Test func `a change carries what was before and what is after, as the key sees it`()
    async throws
  {
    try await Orders.with { orders in
      try await orders.declare(
        .of("count", on: .insert, .update, .delete, payload: .change(of: "total")))
      #expect(
        try await orders.events(of: "insert into orders (customer) values ('ann')")
          == [#"table/count ann {"after": {"total": 0}, "before": null}"#])
      #expect(
        try await orders.events(of: "update orders set total = 3")
          == [#"table/count ann {"after": {"total": 3}, "before": {"total": 0}}"#])
      #expect(
        try await orders.events(of: "update orders set customer = 'bob'")
          == [
            #"table/count ann {"after": null, "before": {"total": 3}}"#,
            #"table/count bob {"after": {"total": 3}, "before": null}"#,
          ])
      #expect(
        try await orders.events(of: "delete from orders")
          == [#"table/count bob {"after": null, "before": {"total": 3}}"#])
    }
  }

  @Test func `names are those of the catalog, in a schema of its own too`() async throws {
    try await Orders.with { orders in
      try await orders.test.sql("create schema \"Shop\"")
      try await orders.test.sql(
        """
        create table "Shop"."user" ("order" integer, "customerId" uuid, "select" integer,
          primary key ("order", "customerId"))
        """)
      try await orders.declare(
        .of(
          "greet", "Shop.user", on: .insert, .update(of: "select"), .delete, key: "customerId",
          payload: .columns("order")))
      let id = "018f0000-0000-7000-8000-000000000000"
      #expect(
        try await orders.events(of: "insert into \"Shop\".\"user\" values (4, '\(id)')")
          == [#"table/greet \#(id) {"order": 4}"#])
      #expect(try await orders.events(of: "update \"Shop\".\"user\" set \"select\" = 1").count == 1)
      #expect(try await orders.standing(on: "\"Shop\".\"user\"").count == 3)
    }
  }

  @Test func `a quote with a combining mark in the name of a column does not end the name`()
    async throws
  {
    try await Orders.with { orders in
      let name = "\"id\"\"\u{301} x\""
      try await orders.test.sql("create table odd (\(name) integer primary key, customer text)")
      try await orders.declare(.of("note", "odd", on: .insert, .update))
      try await orders.test.sql("insert into odd values (1, 'ann')")
      #expect(
        try await orders.events(of: "update odd set customer = 'bob'")
          == ["table/note ann", "table/note bob"])
    }
  }

  @Test func `a time as key has one text, whatever whoever writes has set`() async throws {
    try await Orders.with { orders in
      try await orders.test.sql("create table visit (at timestamptz primary key)")
      try await orders.declare(.of("count", "visit", on: .insert, key: "at"))
      let connection = try await orders.test.connect()
      try await connection.script(
        Statement(
          "test/visit",
          """
          begin; set local timezone = 'Asia/Tokyo'; set local datestyle = 'German';
          insert into \(orders.test.schema).visit values ('2026-03-01 12:00Z'); commit;
          """))
      await connection.close()
      #expect(try await orders.events() == [#"table/count 2026-03-01 12:00:00+00"#])
    }
  }

  @Test func `a payload has one text, whatever whoever writes has set`() async throws {
    try await Orders.with { orders in
      try await orders.test.sql("create domain length as double precision")
      try await orders.test.sql(
        """
        create table walk (id integer primary key, at timestamptz, took interval, far length,
          way real[], mark bytea, label text)
        """)
      try await orders.declare(
        .of(
          "note", "walk", on: .insert, key: "mark",
          payload: .columns("at", "took", "far", "way", "label")))
      let connection = try await orders.test.connect()
      try await connection.script(
        Statement(
          "test/walk",
          """
          begin; set local timezone = 'Asia/Tokyo'; set local intervalstyle = 'sql_standard';
          set local extra_float_digits = -15; set local bytea_output = 'escape';
          insert into \(orders.test.schema).walk values
            (1, '2026-03-01 12:00Z', '1 day 2:00', 52.52000712345678, '{0.1}', 'ab', 'x');
          commit;
          """))
      await connection.close()
      #expect(
        try await orders.events() == [
          #"table/note \x6162 {"at": "2026-03-01T12:00:00+00:00", "far": 52.52000712345678, "#
            + #""way": [0.1], "took": "1 day 02:00:00", "label": "x"}"#
        ])
    }
  }

  @Test func `who may write the table needs no right to the log`() async throws {
    try await Orders.with { orders in
      try await orders.declare(.of("count", on: .insert))
      let role = "writer_\(UInt64.random(in: .min ... .max))"
      let schema = orders.test.schema
      let writer = try await orders.test.connect()
      try await writer.script(
        Statement(
          "test/write",
          """
          begin;
          create role \(role);
          grant usage on schema \(schema) to \(role);
          grant insert on \(schema).orders to \(role);
          set local role \(role);
          set local search_path to pg_temp;
          insert into \(schema).orders (customer) values ('ann');
          reset role;
          drop owned by \(role);
          drop role \(role);
          commit;
          """))
      #expect(try await orders.events() == ["table/count ann"])
      await writer.close()
    }
  }

  /// The function has the owner's rights.
  ///
  /// On another table, it would record events that no job declares.
  @Test func `nobody but the owner may execute what stands behind it`() async throws {
    try await Orders.with { orders in
      try await orders.declare(.of("count", on: .insert, .update(of: "status")))
      #expect(
        try await orders.test.sql(
          """
          select count(distinct f.oid), count(*) filter (where a.grantee <> f.proowner)
          from pg_proc f
          cross join aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) a
          where f.pronamespace = current_schema()::regnamespace and f.proname like 'wake\\_%'
            and f.proname not like 'wake\\_observers%'
          """) == ["2,0"])
    }
  }

  @Test func `a key that no event can have is refused to whoever writes it`() async throws {
    try await Orders.with { orders in
      try await orders.declare(.of("count", on: .insert))
      let error = await #expect(throws: PostgresError.self) {
        try await orders.test.sql("insert into orders (customer) values ('')")
      }
      #expect(error?.sqlState == "ZB006")
    }
  }

  @Test func `rows that come into a partition through its table are events, others are not`()
    async throws
  {
    try await Orders.with { orders in
      try await orders.test.sql(
        "create table visit (id integer primary key, place text) partition by list (id)")
      for n in 1...2 {
        try await orders.test.sql("create table visit_\(n) partition of visit for values in (\(n))")
      }
      try await orders.declare(.of("count", "visit", on: .insert, .update, .delete, key: "place"))
      #expect(
        try await orders.events(of: "insert into visit values (1, 'a'), (2, 'b')")
          == ["table/count a", "table/count b"])
      try await orders.test.sql("delete from visit where id = 2")
      // If a row moves to another partition, it counts as one deleted and one inserted row.
      #expect(try await orders.events(of: "update visit set id = 2") == ["table/count a"])
      #expect(try await orders.events(of: "insert into visit_1 values (1, 'c')") == [])
      #expect(try await orders.events(of: "delete from visit_2") == [])
      let error = await #expect(throws: UnfitTable.self) {
        try await orders.declare(.of("count", "visit_1", on: .insert, key: "place"))
      }
      #expect(error?.description.contains("is a partition") == true)
    }
  }
}
