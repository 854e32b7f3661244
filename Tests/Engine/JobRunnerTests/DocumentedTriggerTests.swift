import BatonJobs
import BatonPostgres
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Compiles and runs the jobs of docs/guides/triggers.md that have a condition or several tables.
@Suite(.timeLimit(.minutes(5))) struct DocumentedTriggerTests {
  private static let jobs = [
    RegisteredJob(SendInvoice.self) { $0 }, RegisteredJob(SumAccount.self) { $0 },
  ]

  private static let part = SchemaPart(
    "shop", version: 0,
    migrations: [
      Statement(
        "migrations/0001_create_tables",
        """
        create table invoice (id bigint primary key, status text not null);
        create table sent (invoice text not null);
        create table purchase (
          id bigint generated always as identity primary key, account text, cents bigint);
        create table refund (
          id bigint generated always as identity primary key, account text, cents bigint);
        create table balance (account text primary key, cents bigint not null)
        """)
    ], objects: [])

  private func with(_ body: (JobTest) async throws -> Void) async throws {
    try await JobTest.run(Self.jobs, parts: [Self.part], at: TestServer.address, body)
  }

  @Test(.sampled())
  func `2,000 drafts create no run, and an invoice is sent when it is issued`() async throws {
    try await with { test in
      try await test.sql("insert into invoice select i, 'draft' from generate_series(1, 2000) i")
      try await test.foldAtOnce()
      #expect(try await test.runs().isEmpty)
      try await test.sql("update invoice set status = 'issued' where id = 7")
      #expect(try await test.drain() == 0)
      try await test.sql("update invoice set status = 'paid' where id = 7")
      #expect(try await test.drain() == 0)
      #expect(try await test.sql("select invoice from sent") == ["7"])
    }
  }

  @Test(.sampled()) func `writes to several tables of a job with one key become one run`()
    async throws
  {
    try await with { test in
      try await test.sql("insert into purchase (account, cents) values ('ann', 500), ('bob', 90)")
      try await test.sql("insert into refund (account, cents) values ('ann', 200)")
      #expect(
        try await test.events().sorted() == [
          "table/sum-account ann", "table/sum-account ann", "table/sum-account bob",
        ])
      try await test.foldAtOnce()
      #expect(
        try await test.sql("select job, key from run order by key")
          == ["sum-account,ann", "sum-account,bob"])
      #expect(try await test.drain() == 0)
      try await test.sql("insert into refund (account, cents) values ('bob', 40)")
      #expect(try await test.drain() == 0)
      #expect(
        try await test.sql("select account, cents from balance order by 1")
          == ["ann,300", "bob,50"])
    }
  }
}

private struct SendInvoice: BatchJob {
  static let definition = Definition<Self>(
    "send-invoice",
    on: [.table("invoice", on: .insert, .update, key: "id", when: "status = 'issued'")])

  static func run(_ batch: [Run<Self>], in context: Transaction) async throws {
    try await context.run(
      .run(Statement("test/send", "insert into sent select unnest($1::text[])"), batch.map(\.key)))
  }
}

private struct SumAccount: BatchJob {
  static let definition = Definition<Self>(
    "sum-account",
    on: [
      .table("purchase", on: .insert, .update(of: "cents"), .delete, key: "account"),
      .table("refund", on: .insert, key: "account"),
    ])

  static func run(_ batch: [Run<Self>], in context: Transaction) async throws {
    try await context.run(
      .run(
        Statement(
          "test/sum",
          """
          insert into balance
          select account, sum(cents)
          from (
            select account, cents from purchase union all select account, -cents from refund
          ) moved
          where account = any ($1)
          group by account
          on conflict (account) do update set cents = excluded.cents
          """), batch.map(\.key)))
  }
}
