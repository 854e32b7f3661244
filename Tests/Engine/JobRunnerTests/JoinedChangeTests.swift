import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// A job whose payload is a change of a row.
///
/// If several changes become one run, they become one change.
@Suite struct JoinedChangeTests {
  private func with(_ body: (JobTest, Queue) async throws -> Void) async throws {
    try await JobTest.run(
      [PriceJob.registered], parts: [PriceJob.part], at: TestServer.address
    ) { test in
      let connection = try await test.connect()
      try await test.sql("insert into price values (1, 10)")
      try await test.drain()
      try await test.sql("truncate told")
      try await body(test, Queue(Session(connection, in: test.schema)))
      await connection.close()
    }
  }

  private func told(_ test: JobTest) async throws -> [String] {
    try await test.sql("select text from told order by id")
  }

  @Test(.sampled(), arguments: [false, true])
  func `from before the first to after the last`(isFoldedBetween: Bool) async throws {
    try await with { test, queue in
      for cents in [11, 12, 13] {
        try await test.sql("update price set cents = \(cents)")
        if isFoldedBetween { _ = try await queue.fold() }
      }
      // An event without a payload does not change the payload.
      try await test.sql("select enqueue('price', '1')")
      #expect(try await test.drain() == 0)
      #expect(try await told(test) == ["\"1: 10 to 13\""])
      try await test.sql("delete from price")
      try await test.sql("insert into price values (1, 20)")
      #expect(try await test.drain() == 0)
      #expect(try await told(test).last == "\"1: 13 to 20\"")
    }
  }

  /// Each event is smaller than 1 MiB, and the run has the `before` and `after` of two events.
  @Test(.sampled(), arguments: [1, 1_000, TestSize.isFull ? 100_000 : 5_000])
  func `a change of any number of events has at most 2 MiB`(count: Int) async throws {
    try await with { test, queue in
      try await test.sql(
        """
        insert into event_0 (topic, key, payload)
        select 'table/price', '1', jsonb_build_object(
          'before', jsonb_build_object('cents', (n - 1) % 600, 'pad', case when n = 1 then pad end),
          'after', jsonb_build_object('cents', n % 600, 'pad', case when n = \(count) and n > 1 then pad end))
        from generate_series(1, \(count)) n, repeat('x', 1048000) pad
        """)
      while try await queue.fold()?.hasMore == true {}
      let size = try await test.sql(
        "select max(octet_length(payload::text)) <= 2 * 1048576, count(*) from run")
      #expect(size == ["t,1"])
      #expect(try await test.drain() == 0)
      #expect(try await told(test) == ["\"1: 0 to \(count % 600)\""])
    }
  }

  @Test(.sampled()) func `what came and went is told as nothing before and nothing after`()
    async throws
  {
    try await with { test, queue in
      try await test.sql("insert into price values (2, 5)")
      try await test.sql("delete from price where id = 2")
      #expect(try await test.drain() == 0)
      #expect(try await told(test) == ["\"2: - to -\""])
    }
  }

  @Test(.sampled()) func `an attempt that failed tells of what it had not told`() async throws {
    try await with { test, queue in
      try await test.sql("update price set cents = 666")
      _ = try await queue.foldAtOnce()
      let identity = WorkerIdentity()
      let claimed = try await queue.session.claim(
        PriceJob.definition.job,
        QueueCalls.claimKey(
          PriceJob.definition.job, key: "1", token: UUID(), worker: identity.id))
      #expect(claimed.count == 1)
      try await test.sql("update price set cents = 12")
      _ = try await queue.foldAtOnce()
      try await queue.releaseUnknown(to: identity)
      #expect(try await test.drain() == 0)
      #expect(try await told(test) == ["\"1: 10 to 12\""])
    }
  }

  @Test(.sampled()) func `dead runs that are tried again tell of all that they had not told`()
    async throws
  {
    try await with { test, queue in
      for cents in [666, 667] {
        try await test.sql("update price set cents = \(cents)")
        try await test.drain()
      }
      #expect(try await test.count("dead_run") == 2)
      try await test.sql("update price set cents = 12")
      #expect(try await queue.retry(DeadSelection(RunSelection(job: "price"))).ready.count == 1)
      #expect(try await test.drain() == 0)
      #expect(try await told(test) == ["\"1: 10 to 12\""])
    }
  }

  @Test(.sampled()) func `a call brings what it likes, and one that replaces replaces`()
    async throws
  {
    try await with { test, queue in
      try await test.sql("update price set cents = 11")
      try await test.sql(
        """
        select enqueue('price', '1', '{"before": {"cents": 1}, "after": {"cents": 2}}', replace => true)
        """)
      try await test.sql("update price set cents = 12")
      #expect(try await test.drain() == 0)
      #expect(try await told(test) == ["\"1: 1 to 12\""])
      try await test.sql("update price set cents = 13")
      try await test.sql(#"select enqueue('price', '1', '{"after": {"cents": 5}}')"#)
      #expect(try await test.drain() == 0)
      #expect(try await told(test).last == "\"1: 12 to 5\"")
    }
  }
}

/// A job that records how the price of a thing has changed, and fails for some prices.
private struct PriceJob: BatchJob {
  static let definition = Definition<Self>(
    "price",
    on: [
      .table("price", on: .insert, .update, .delete, key: "id", payload: .change(of: "cents"))
    ], retry: .attempts(1, exponentialFrom: .milliseconds(1), to: .milliseconds(2)))

  struct Price: Codable { let cents: Int }
  var before: Price?
  var after: Price?

  static func run(_ batch: [Run<Self>], in context: Transaction) async throws {
    for run in batch {
      let (before, after) = (run.payload.before?.cents, run.payload.after?.cents)
      if let after, after >= 666 { throw Permanent("\(after)") }
      try await context.run(
        .run(
          Statement("test/tell", "insert into told (text) values ($1)"),
          "\(run.key): \(before.map(String.init) ?? "-") to \(after.map(String.init) ?? "-")"))
    }
  }

  static let registered = RegisteredJob(PriceJob.self) { $0 }

  static let part = SchemaPart(
    "prices", version: 0,
    migrations: [
      Statement(
        "migrations/0001_create_prices",
        """
        create table price (id integer primary key, cents integer not null);
        create table told (id bigint generated always as identity, text text not null)
        """)
    ], objects: [])
}
