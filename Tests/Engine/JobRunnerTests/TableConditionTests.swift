import BatonJobs
import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// Tests table triggers with a condition: the rows that record events, and the conditions that
/// `migrate` refuses.
@Suite(.timeLimit(.minutes(5))) struct TableConditionTests {
  private static let issued = bill(when: "status = 'issued'")

  private static func bill(
    when condition: String, payload: TablePayload = .none
  ) -> TableDeclaration {
    .of(
      "bill", on: .insert, .update(of: "total"), .delete, key: "id", when: condition,
      payload: payload)
  }

  // MARK: Rows

  @Test func `a new row must satisfy the condition after the write, and a deleted row before it`()
    async throws
  {
    try await Orders.with { orders in
      try await orders.declare(Self.issued)
      let writes: [(String, [String])] = [
        ("insert into orders (id, status) values (1, 'draft'), (2, 'issued')", ["table/bill 2"]),
        ("update orders set total = 1", ["table/bill 2"]),
        // The row satisfies the condition for the first time, although its total is unchanged.
        ("update orders set status = 'issued' where id = 1", ["table/bill 1"]),
        ("update orders set status = 'issued', note = '{}'", []),
        ("update orders set status = 'paid', total = 2 where id = 1", []),
        ("update orders set total = 3", ["table/bill 2"]),
        // A changed primary key is a delete of the old row and an insert of the new row.
        ("update orders set id = id + 100", ["table/bill 102", "table/bill 2"]),
        ("delete from orders", ["table/bill 102"]),
      ]
      for (write, events) in writes {
        #expect(try await orders.events(of: write) == events, "\(write)")
      }
    }
  }

  @Test func `a condition that is null records no event, and a changed key records both keys`()
    async throws
  {
    try await Orders.with { orders in
      try await orders.declare(
        .of("bill", on: .insert, .update(of: "customer"), when: "total > 5 and note is null"))
      try await orders.test.sql("alter table orders alter total drop not null")
      let writes: [(String, [String])] = [
        (
          "insert into orders (id, customer, total) values (1, 'ann', null), (2, 'bob', 6)",
          ["table/bill bob"]
        ),
        ("update orders set customer = 'cid' where id = 1", []),
        (
          "update orders set customer = 'dan' where id = 2", ["table/bill bob", "table/bill dan"]
        ),
      ]
      for (write, events) in writes {
        #expect(try await orders.events(of: write) == events, "\(write)")
      }
    }
  }

  @Test(
    .sampled(), arguments: [TablePayload.none, .columns("total"), .change(of: "total")])
  func `2,000 drafts record no event and wake no worker`(payload: TablePayload) async throws {
    try await Orders.with { orders in
      try await orders.declare(Self.bill(when: "status = 'issued'", payload: payload))
      try await orders.test.sql("update event_segment set has_listener = true")
      let listener = try await orders.test.listener()
      try await orders.test.sql(
        """
        do $$ begin
          for i in 1..1000 loop
            insert into orders (customer, status) values ('ann', 'draft');
          end loop;
        end $$
        """)
      try await orders.test.sql(
        "insert into orders (customer, status) select 'bob', 'draft' from generate_series(1, 1000)")
      try await orders.test.sql("update orders set total = total + 1")
      try await orders.test.sql("delete from orders where id <= 10")
      #expect(try await listener.hears() == [])
      #expect(try await orders.events() == [])
      let write = "insert into orders (id, status) values (5000, 'issued')"
      let events = try await orders.events(of: write)
      #expect(events.count == 1 && events.first?.hasPrefix("table/bill 5000") == true)
      #expect(try await listener.hears() == [""])
      await listener.close()
    }
  }

  @Test(.sampled(), arguments: [TablePayload.none, .columns("total")])
  func `a column of a condition may have any name, also that of a variable of the function`(
    payload: TablePayload
  ) async throws {
    try await Orders.with { orders in
      let names = ["origin", "keys", "segment", "waking", "n", "o", "r", "k", "key", "topic"]
      for name in names + ["Order \"1\""] {
        try await orders.test.sql(
          "alter table orders add column \"\(name.replacing("\"", with: "\"\""))\" integer")
      }
      let condition = "\"Order \"\"1\"\"\" = 2 and ORIGIN = 3"
      let others = names.dropFirst().map { "\($0) is null" }.joined(separator: " and ")
      try await orders.declare(
        Self.bill(when: "\(condition) and \(others)", payload: payload))
      let insert = #"insert into orders (id, origin, "Order ""1""") values "#
      #expect(try await orders.events(of: insert + "(1, 3, 2), (2, 3, 1), (3, 2, 2)").count == 1)
      #expect(try await orders.events(of: "update orders set total = 1").count == 1)
      #expect(try await orders.events(of: "update orders set keys = 1").count == 0)
      #expect(try await orders.events(of: "update orders set keys = null").count == 1)
      #expect(try await orders.events(of: "delete from orders").count == 1)
    }
  }

  @Test func `a time in a condition is in UTC, and a date begins with its year, for every writer`()
    async throws
  {
    try await Orders.with { orders in
      try await orders.test.sql("alter table orders add column at timestamptz, add column day date")
      // The word `now` in a text is not a time.
      try await orders.declare(
        .of(
          "bill", on: .insert, key: "id",
          when: "at >= '2026-03-01' and day = '03/02/01' and status <> 'now'"))
      let writer = try await orders.test.connect()
      try await writer.script(
        Statement(
          "test/write",
          """
          begin; set local timezone = 'Asia/Tokyo'; set local datestyle = 'SQL, DMY';
          insert into \(orders.test.schema).orders (id, at, day)
          values (1, '2026-02-28 20:00Z', '2003-02-01'), (2, '2026-03-01 00:00Z', '2003-02-01'),
            (3, '2026-03-01 00:00Z', '2001-02-03');
          commit;
          """))
      await writer.close()
      #expect(try await orders.events() == ["table/bill 2"])
    }
  }

  @Test func `a condition that the owner of the trigger's functions may not execute is refused`()
    async throws
  {
    try await Orders.with { orders in
      let shop = "shop_\(UInt64.random(in: .min ... .max))"
      try await orders.test.sql(
        """
        do $$ begin
          create role \(shop)_definer;
          grant usage on schema \(orders.test.schema) to \(shop)_definer;
          insert into access (prefix) values ('\(shop)');
          create schema \(shop);
          create function \(shop).is_issued(status text) returns boolean
            language sql immutable return status = 'issued';
        end $$
        """)
      let issued = Self.bill(when: "\(shop).is_issued(status)")
      let error = await #expect(throws: UnfitCondition.self) { try await orders.declare(issued) }
      #expect(
        error?.problem
          == "is refused for the role \(shop)_definer: permission denied for schema \(shop)")
      try await orders.test.sql("grant usage on schema \(shop) to \(shop)_definer")
      try await orders.declare(issued)
      #expect(
        try await orders.events(of: "insert into orders (id, status) values (1, 'issued')")
          == ["table/bill 1"])
      try await orders.test.sql(
        """
        do $$ begin
          drop schema \(shop) cascade; drop owned by \(shop)_definer; drop role \(shop)_definer;
        end $$
        """)
    }
  }

  // MARK: Migrations

  @Test(.sampled()) func `a changed condition is drift, which migrate corrects`() async throws {
    try await Orders.with { orders in
      try await orders.declare(Self.issued)
      #expect(try await orders.differences(Self.issued) == [])
      let other = "the trigger of job bill on orders was made for another declaration"
      let paid = Self.bill(when: "status = 'paid'")
      #expect(try await orders.differences(paid) == [other])
      #expect(
        try await orders.differences(
          .of("bill", on: .insert, .update(of: "total"), .delete, key: "id")) == [other])
      // Only the functions are replaced, so the table is not locked.
      try await orders.test.holding("lock table orders in row exclusive mode") { _ in
        let made = try await orders.declare(paid)
        #expect(made.count == 1)
      }
      #expect(try await orders.differences(paid) == [])
      #expect(
        try await orders.events(
          of: "insert into orders (id, status) values (1, 'issued'), (2, 'paid')")
          == ["table/bill 2"])
    }
  }

  @Test(.sampled())
  func `only the columns of a condition cannot be dropped, and a renamed one is reported`()
    async throws
  {
    try await Orders.with { orders in
      try await orders.declare(Self.issued)
      let error = await #expect(throws: PostgresError.self) {
        try await orders.test.sql("alter table orders drop column status")
      }
      #expect(error?.sqlState == "2BP01")
      try await orders.test.sql("alter table orders drop column note")
      try await orders.test.sql("alter table orders rename status to state")
      #expect(
        try await orders.differences(of: "bank")
          == [
            "the table orders has no column status, which the trigger of job bill reads: its writes fail"
          ])
      let unfit = await #expect(throws: UnfitCondition.self) {
        try await orders.declare(Self.issued)
      }
      #expect(unfit?.problem == #"is refused: column "status" does not exist"#)
      let renamed = Self.bill(when: "state = 'issued'")
      try await orders.declare(renamed)
      #expect(try await orders.differences(renamed) == [])
    }
  }

  @Test func `a new column with the name of a type or a function in a condition is not drift`()
    async throws
  {
    try await Orders.with { orders in
      try await orders.test.sql("alter table orders add column at timestamp, add column day date")
      let due = Self.bill(
        when: "day > date '2026-01-01' and lower (status) = 'new' and at::time > '10:00'")
      try await orders.declare(due)
      try await orders.test.sql(
        "alter table orders add column date text, add column lower text, add column time text")
      #expect(try await orders.differences(due) == [])
      let write = "insert into orders (id, at, day) values (1, '2026-03-01 12:00', '2026-03-01')"
      #expect(try await orders.events(of: write) == ["table/bill 1"])
      #expect(try await orders.events(of: "update orders set total = 1") == ["table/bill 1"])
    }
  }

  private static let refused = [
    ("", "is empty"),
    ("status = 'issued') or (true", "lacks an opening parenthesis"),
    ("(status = 'issued'", "lacks a closing parenthesis"),
    ("status = 'issued", "lacks a closing quote"),
    ("true; drop table orders", "contains a semicolon"),
    ("status = 'a' -- b", "contains a comment"),
    ("status /* b */ = 'a'", "contains a comment"),
    ("status = '$$'", "contains a backslash or a dollar sign"),
    ("status = E'\\''", "contains a backslash or a dollar sign"),
    ("status =\n'a'", "contains a line break or a control character"),
    ("true", "names no column of the table"),
    ("stat = 'issued'", #"is refused: column "stat" does not exist"#),
    ("total", "is refused: argument of WHERE must be type boolean, not type integer"),
    ("total, status", "is refused: argument of WHERE must be type boolean, not type record"),
    ("total = 'x'", #"is refused: invalid input syntax for type integer: "x""#),
    ("status = 'a' order by total", #"is refused: syntax error at or near "order""#),
    ("total > (select 1)", "is refused: cannot use subquery in condition"),
    ("count(*) > total", "is refused: aggregate functions are not allowed in conditions"),
    ("random() > total", "is refused: functions in condition must be marked IMMUTABLE"),
    ("now() > status::date", "is refused: functions in condition must be marked IMMUTABLE"),
    ("wake_check.status = 'a'", "contains the name wake_check, which the check uses"),
    (
      // The name of the column contains the word as well.
      "total > 0 and not_today is null and '2026-01-01' < 'Today'::date",
      "contains the time 'today', which the server reads only once"
    ),
    (
      "total > 0 and '2026-01-01' < '02/03/2026'::date",
      #"is refused: date/time field value out of range: "02/03/2026""#
    ),
    ("missing.get(total)", #"is refused: schema "missing" does not exist"#),
  ]

  @Test(.sampled())
  func `a condition that is not one expression over a row is refused, and nothing is changed`()
    async throws
  {
    try await Orders.with { orders in
      try await orders.test.sql("alter table orders add column not_today integer")
      for (condition, problem) in Self.refused {
        let bad = Self.bill(when: condition)
        let error = await #expect(throws: UnfitCondition.self) {
          try await orders.declare(.of("count", on: .insert), bad)
        }
        #expect(
          error?.description == "the condition of job bill for the table orders \(problem)")
        #expect(error?.condition == condition)
        await #expect(throws: UnfitCondition.self) {
          try await orders.triggers(bad).plan(orders.connection)
        }
      }
      let triggers = try await orders.standing()
      #expect(triggers == [])
      #expect(try await orders.test.sql("select to_regclass('wake_check') is null") == ["t"])
    }
  }
}
