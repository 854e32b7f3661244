import BatonJobs
import BatonPostgres
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests a job that declares a table, in the form of a product.
@Suite struct TableTriggerJobTests {
  @Test(.sampled())
  func `a job is woken by the writes that it declares, and by nothing else to be done`()
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

  @Test(.sampled())
  func `an older program that starts beside a newer one loses none of its events`()
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

extension TableTriggerJobTests {
  @Test(.sampled()) func `jobs that wake each other for ever end, and say who they are`()
    async throws
  {
    try await JobTest.run(
      PingJob.jobs, parts: [PingJob.part], at: TestServer.address
    ) { test in
      try await test.sql("insert into ping values ('a', 0)")
      #expect(try await test.drain() == 1)
      let chain = Array(repeating: "ping > pong", count: 8).joined(separator: " > ")
      let dead = try await test.sql("select job, attempt, error from dead_run")
      #expect(dead.count == 1)
      #expect(
        dead[0].hasPrefix("pong,1,") && dead[0].contains(": \(chain) [ZB013]"), "\(dead)")
      // Every write is recorded, except for the refused write.
      #expect(
        try await test.sql("select (select sum(n) from ping), (select sum(n) from pong)") == ["7,8"]
      )
    }
  }

  @Test(.sampled()) func `a write from outside begins a chain anew`() async throws {
    try await JobTest.run(
      PingJob.jobs, parts: [PingJob.part], at: TestServer.address
    ) { test in
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      try await test.sql("insert into ping values ('a', 0)")
      try await test.sql(
        "insert into event_0 (topic, key, origin) values ('table/ping', 'b', '07 x'), ('table/ping', 'c', '03 y')"
      )
      try await test.sql(
        "insert into event_0 (topic, key, origin) values ('table/ping', 'a', '05 z')")
      _ = try await queue.foldAtOnce()
      #expect(
        try await test.sql("select key, left(origin, 2) from run order by key") == [
          "a,", "b,07", "c,03",
        ])
      try await test.sql(
        "insert into event_0 (topic, key, origin) values ('table/ping', 'b', '02 w')")
      try await test.sql("select enqueue('ping', 'c')")
      _ = try await queue.foldAtOnce()
      #expect(
        try await test.sql("select key, left(origin, 2) from run order by key") == [
          "a,", "b,02", "c,",
        ])
      await connection.close()
    }
  }
}

/// Two jobs.
///
/// Each of them writes to the table that triggers the other job.
private struct PingJob: BatchJob {
  static let definition = Definition<Self>(
    "ping", on: [.table("ping", on: .insert, .update, key: "id")], batch: 1)

  static func run(_ batch: [Run<Self>], in context: Table) async throws {
    for run in batch { try await context.write("pong", run.key) }
  }

  static let jobs = [
    RegisteredJob(PingJob.self) { Table(transaction: $0) },
    RegisteredJob(PongJob.self) { Table(transaction: $0) },
  ]
  static let part = SchemaPart(
    "ping", version: 0,
    migrations: [
      Statement(
        "migrations/0001_create_tables",
        """
        create table ping (id text primary key, n integer not null);
        create table pong (id text primary key, n integer not null)
        """)
    ], objects: [])
}

private struct PongJob: BatchJob {
  static let definition = Definition<Self>(
    "pong", on: [.table("pong", on: .insert, .update, key: "id")], batch: 1)

  static func run(_ batch: [Run<Self>], in context: Table) async throws {
    for run in batch { try await context.write("ping", run.key) }
  }
}

private struct Table: Sendable {
  let transaction: Transaction

  func write(_ table: String, _ key: String) async throws {
    let texts = [
      "ping": "insert into ping values ($1, 1) on conflict (id) do update set n = ping.n + 1",
      "pong": "insert into pong values ($1, 1) on conflict (id) do update set n = pong.n + 1",
    ]
    try await transaction.run(.run(Statement("test/\(table)", texts[table] ?? ""), key))
  }
}

/// The same job before it declared a table.
private struct OlderTotalJob: BatchJob {
  static let definition = Definition<Self>("total")

  static func run(_ batch: [Run<Self>], in context: Transaction) async throws {}

  static let registered = RegisteredJob(OlderTotalJob.self) { $0 }
}

/// A job that stores the total of each buyer.
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
    "purchases", version: 0,
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
