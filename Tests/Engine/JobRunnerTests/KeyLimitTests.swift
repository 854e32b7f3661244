import BatonJobs
import BatonPostgres
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests that every way to enqueue a run in the database has the same limits for a key.
///
/// `InlineRunnerTests` and `APITests` test the limits of the command line and of HTTP with the same
/// cases.
@Suite struct KeyLimitTests {
  /// One way to enqueue a run: a statement with `%` in place of the key, and the text of its error.
  struct Way: Sendable {
    let sql: String
    let words: [String]

    init(_ sql: String, _ words: String...) {
      self.sql = sql
      self.words = words
    }
  }

  private static let ways = [
    Way("select enqueue('notice', %)", "1 to 256 bytes"),
    Way(
      "select enqueue_many('notice', jsonb_build_array('{}'::jsonb, jsonb_build_object('key', %)))",
      "1 to 256 bytes", "in run 2 of the array"),
    Way("select append_events('notice.given', array['k', %])", "the topic notice.given"),
    Way("insert into shelf (place) values ('k'), (%)", "the column place of shelf"),
    Way("update shelf set place = %", "the column place of shelf"),
    Way(
      "insert into orders (customer) values ('k'), (%)", "the column customer of orders", "notice"),
    Way("update orders set customer = %", "the column customer of orders", "the job notice"),
    Way(
      "insert into parcel (customer) values (%)", "the column customer of parcel", "the job notice"
    ),
  ]

  private func with(_ body: (JobTest, Connection) async throws -> Void) async throws {
    try await NoticeBoard.with { test in
      let connection = try await test.connect()
      for table in ["orders", "parcel"] {
        try await test.sql(
          "create table \(table) (id bigint generated always as identity primary key, customer text, total real)"
        )
        try await test.sql("insert into \(table) (customer) values ('first')")
      }
      try await test.sql("create table shelf as select 'first' as place")
      for (operation, rows) in [("insert", "new"), ("update", "new"), ("delete", "old")] {
        try await test.sql(
          """
          create trigger shelf_\(operation) after \(operation) on shelf
          referencing \(rows) table as \(rows)_row
          for each statement execute function record_events('shelf.\(operation)', 'place')
          """)
      }
      _ = try await TableTriggers(
        test.schema, of: "test",
        [
          .of("notice", on: .insert, .update, .delete),
          .of(
            "notice", "parcel", on: .insert, .update, .delete,
            payload: .change(of: "customer", "total")),
        ]
      ).migrate(connection)
      try await body(test, connection)
      await connection.close()
    }
  }

  private func refusal(_ sql: String, _ test: JobTest) async -> PostgresError? {
    do throws(PostgresError) {
      try await test.sql(sql)
      return nil
    } catch {
      return error
    }
  }

  @Test(.sampled())
  func `each way in SQL accepts and refuses the same keys, and a refusal names the place`()
    async throws
  {
    try await with { test, _ in
      for way in Self.ways {
        for given in KeyCase.all {
          let before = try await test.count("event")
          let sql = way.sql.replacing("%", with: given.literal)
          let about: Comment = "\(way.sql): \(given.name)"
          let error = await refusal(sql, test)
          let recorded = try await test.count("event") - before
          if given.isValid {
            #expect(error == nil && recorded > 0, about)
          } else {
            #expect(error?.sqlState == "ZB006" && recorded == 0, about)
            #expect(error?.hint?.hasPrefix("Nothing was ") == true, about)
            let message = error?.message ?? ""
            #expect(way.words.allSatisfy(message.contains), "\(about): \(message)")
          }
        }
      }
    }
  }

  @Test(.sampled()) func `each way in Swift accepts and refuses the same keys`() async throws {
    try await with { test, connection in
      let queue = Queue(Session(connection, in: test.schema))
      for given in KeyCase.all {
        let request = RunRequest(job: "notice", key: given.key)
        let before = try await test.count("event")
        for call in [
          { try await queue.enqueue(request) as Any }, { try await queue.enqueueByHand(request) },
          { try await queue.enqueue([RunRequest(job: "notice"), request]) },
        ] as [@Sendable () async throws -> Any] {
          do {
            _ = try await call()
            #expect(given.isValid, "\(given.name)")
          } catch let error as PostgresError {
            #expect(!given.isValid && error.sqlState == "ZB006", "\(given.name): \(error)")
          }
        }
        #expect(try await test.count("event") == before + (given.isValid ? 4 : 0), "\(given.name)")
      }
    }
  }

  @Test(.sampled()) func `a missing key is a run of its own, an error or no event`() async throws {
    try await with { test, _ in
      for (sql, events) in [
        ("select enqueue('notice', null)", 1), ("select enqueue_many('notice', '[{}]')", 1),
        ("insert into shelf values (null)", 0), ("update shelf set place = null", 0),
        ("insert into orders (customer) values (null)", 0), ("delete from orders", 1),
      ] {
        let before = try await test.count("event")
        try await test.sql(sql)
        #expect(try await test.count("event") == before + events, "\(sql)")
      }
      let error = await #expect(throws: PostgresError.self) {
        try await test.sql("select append_events('notice.given', array['a', null])")
      }
      #expect(error?.sqlState == "ZB006" && error?.message.contains("is NULL") == true)
    }
  }

  @Test(.sampled()) func `a trigger with a misspelled column makes the write fail`() async throws {
    try await with { test, _ in
      try await test.sql(
        """
        create trigger shelf_wrong after insert on shelf referencing new table as new_row
        for each statement execute function record_events('shelf.wrong', 'plaec')
        """)
      let error = await #expect(throws: PostgresError.self) {
        try await test.sql("insert into shelf values ('a')")
      }
      #expect(error?.sqlState == "42703" && error?.message.contains("no column 'plaec'") == true)
      #expect(error?.hint?.contains("shelf_wrong") == true)
    }
  }

  /// Otherwise, a row from before the declaration could be neither corrected nor deleted.
  @Test(.sampled()) func `a row with a key that no run can have can be corrected and deleted`()
    async throws
  {
    try await with { test, _ in
      for (table, column) in [("orders", "customer"), ("parcel", "customer"), ("shelf", "place")] {
        try await test.sql("alter table \(table) disable trigger user")
        try await test.sql(
          "insert into \(table) (\(column)) values (''), (repeat('x', 300)), (repeat('y', 300))")
        try await test.sql("alter table \(table) enable trigger user")
        try await test.sql("truncate event_0")
        try await test.sql("update \(table) set \(column) = 'good' where \(column) = ''")
        #expect(try await test.sql("select key from event") == ["good"], "\(table)")
        try await test.sql("delete from \(table) where \(column) like 'x%'")
        #expect(try await test.count("event") == 1, "\(table)")
        if table != "shelf" {
          await #expect(throws: PostgresError.self) {
            try await test.sql("update \(table) set total = 1 where \(column) like 'y%'")
          }
        }
      }
    }
  }
}
