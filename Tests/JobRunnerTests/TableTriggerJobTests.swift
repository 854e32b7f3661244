import JobCore
import JobTesting
import Postgres
import TestSupport
import Testing

@testable import JobRunner

/// A job that declares a table, as a product writes it.
@Suite struct TableTriggerJobTests {
  @Test func `a job is woken by the writes that it declares, and by nothing else to be done`()
    async throws
  {
    try await JobTest.run(
      [TotalJob.registered], parts: [TotalJob.part], at: TestServer.address
    ) { test in
      try await test.sql("insert into purchase (buyer, cents) values ('ann', 5), ('ann', 7)")
      try await test.sql("insert into purchase (buyer, cents) values ('bob', 1)")
      #expect(try await test.drain() == 0)
      #expect(
        try await test.sql("select buyer, cents from total order by 1") == ["ann,12", "bob,1"])
      try await test.sql("update purchase set buyer = 'bob' where cents = 7")
      #expect(try await test.drain() == 0)
      #expect(
        try await test.sql("select buyer, cents from total order by 1") == ["ann,5", "bob,8"])
      try await test.sql("delete from purchase where buyer = 'bob'")
      #expect(try await test.events() == ["table/total bob"])
      #expect(try await test.drain() == 0)
      #expect(try await test.sql("select buyer, cents from total") == ["ann,5"])
      let connection = try await test.connect()
      let drift = try await Queue(Session(connection, in: test.schema)).drift(
        [TotalJob.registered],
        tables: TableTriggers(test.schema, of: "test", jobs: [TotalJob.registered]), ofOthers: true)
      #expect(drift.differences == [])
      await connection.close()
    }
  }

  @Test func `an older program that starts beside a newer one loses none of its events`()
    async throws
  {
    try await JobTest.run(
      [TotalJob.registered], parts: [TotalJob.part], at: TestServer.address
    ) { test in
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      try await queue.define([OlderTotalJob.registered])
      try await test.sql("insert into purchase (buyer, cents) values ('ann', 5)")
      _ = try await queue.foldAtOnce()
      #expect(try await test.sql("select job, key from run") == ["total,ann"])
      await connection.close()
    }
  }
}

/// The same job from before it declared a table.
private struct OlderTotalJob: BatchJob {
  static let definition = Definition<Self>("total")

  static func run(_ batch: [Run<Self>], in context: Transaction) async throws {}

  static let registered = RegisteredJob(OlderTotalJob.self) { $0 }
}

/// Keeps what each buyer has spent.
private struct TotalJob: BatchJob {
  static let definition = Definition<Self>(
    "total", on: [.table("purchase", on: .insert, .update(of: "cents"), .delete, key: "buyer")])

  static func run(_ batch: [Run<Self>], in context: Transaction) async throws {
    let keys = batch.map(\.key)
    try await context.run(
      .run(Statement("test/forget", "delete from total where buyer = any ($1)"), keys),
      .run(
        Statement(
          "test/total",
          """
          insert into total
          select buyer, sum(cents) from purchase where buyer = any ($1) group by buyer
          """), keys))
  }

  static let registered = RegisteredJob(TotalJob.self) { $0 }

  static let part = SchemaPart(
    "purchases", set: 0,
    migrations: [
      Statement(
        "migrations/0001_create_purchases",
        """
        create table purchase (
          id bigint generated always as identity primary key, buyer text, cents bigint not null);
        create table total (buyer text primary key, cents bigint not null)
        """)
    ], objects: [])
}
