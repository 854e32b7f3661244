import BatonPostgres
import TestSupport
import Testing

/// Tests the trigger function that records events for any table.
@Suite(.bothWaysAtFullSize) struct RecordEventsTests {
  /// Calls the body with a table that has a trigger for each kind of write.
  ///
  /// Its topics are `shelf.INSERT` and so on.
  private func withShelves(_ body: (TestSchema) async throws -> Void) async throws {
    try await TestSchema.with { test in
      try await test.sql("create table shelf (id integer, place text)")
      for (event, rows) in [
        ("insert", "new table as new_row"), ("update", "new table as new_row"),
        ("delete", "old table as old_row"),
      ] {
        try await test.sql(
          """
          create trigger shelf_\(event) after \(event) on shelf referencing \(rows)
          for each statement execute function record_events('shelf.\(event)', 'place')
          """)
      }
      try await body(test)
    }
  }

  private func events(of test: TestSchema) async throws -> [String] {
    try await test.sql("select topic || ':' || key from event order by id")
  }

  @Test func `each key of a statement is recorded once, of an update the new one`() async throws {
    try await withShelves { test in
      try await test.sql("insert into shelf values (1, 'a'), (2, 'a'), (3, 'b')")
      #expect(try await events(of: test).sorted() == ["shelf.insert:a", "shelf.insert:b"])
      try await test.sql("truncate event_0")
      try await test.sql("update shelf set place = 'c' where id = 1")
      #expect(try await events(of: test) == ["shelf.update:c"])
      try await test.sql("insert into shelf select 4, 'd' where false")
      #expect(try await events(of: test) == ["shelf.update:c"])
    }
  }

  @Test func `a deletion records the keys of what was there`() async throws {
    try await withShelves { test in
      try await test.sql("insert into shelf values (1, 'a'), (2, 'b')")
      try await test.sql("delete from shelf where id = 2")
      #expect(try await events(of: test).last == "shelf.delete:b")
    }
  }

  @Test func `a key has one text, whatever whoever writes has set`() async throws {
    try await TestSchema.with { test in
      try await test.sql("create table visit (at timestamptz, stay interval, place float8)")
      for column in ["at", "stay", "place"] {
        try await test.sql(
          """
          create trigger visit_\(column) after insert on visit referencing new table as new_row
          for each statement execute function record_events('visit', '\(column)')
          """)
      }
      let writer = try await test.connect()
      for (zone, style, digits) in [("UTC", "postgres", 1), ("Asia/Tokyo", "iso_8601", -15)] {
        try await writer.script(
          Statement(
            "test/visit",
            """
            begin;
            set local timezone = '\(zone)'; set local intervalstyle = '\(style)';
            set local extra_float_digits = \(digits);
            insert into \(test.schema).visit
            values ('2026-03-01 12:00Z', '90 minutes', 0.1234567890123456);
            commit;
            """))
      }
      await writer.close()
      #expect(
        try await test.sql("select key, count(*) from event group by 1 order by 1")
          == ["0.1234567890123456,2", "01:30:00,2", "2026-03-01T12:00:00+00:00,2"])
    }
  }

  @Test func `who may write the table needs no right to the log`() async throws {
    try await withShelves { test in
      let role = "writer_\(UInt64.random(in: .min ... .max))"
      let writer = try await test.connect()
      try await writer.script(
        Statement(
          "test/write",
          """
          begin;
          create role \(role);
          grant usage on schema \(test.schema) to \(role);
          grant insert on \(test.schema).shelf to \(role);
          set local role \(role);
          insert into \(test.schema).shelf values (1, 'a');
          reset role;
          drop owned by \(role);
          drop role \(role);
          commit;
          """))
      #expect(try await events(of: test) == ["shelf.insert:a"])
      await writer.close()
    }
  }
}
