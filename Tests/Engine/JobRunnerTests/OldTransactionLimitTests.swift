import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// A job with every kind of limit.
private struct LimitedJob: BatchJob {
  static let definition = Definition<Self>(
    "limited", batch: 20,
    limits: [
      .concurrency(50), .concurrency(20, per: .key(part: 1, separator: "/")),
      .perSecond(100_000, burst: 100_000),
      .perSecond(100_000, burst: 100_000, per: .key(part: 1, separator: "/")),
    ])

  static func run(_ batch: [Run<Self>], in context: PacedContext) async throws {}

  static let registered = RegisteredJob(LimitedJob.self) { PacedContext(transaction: $0) }
}

/// Tests a job with limits while another transaction stays open, so that vacuum cannot remove
/// completed runs.
@Suite struct OldTransactionLimitTests {
  @Test(.sampled())
  func `completed runs cost polls and claims of a job with limits nothing`() async throws {
    let (few, many) = (try await pages(after: 200), try await pages(after: 20_000))
    print(
      "pages with limits beside an old transaction, after 200 runs: \(few); after 20,000: \(many)")
    for (statement, pages) in few {
      #expect(pages > 0)
      #expect(many[statement, default: .max] <= pages * 2 + 10, "\(statement)")
    }
  }

  @Test(.sampled()) func `completed held runs cost polls and claims little`() async throws {
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let session = Session(connection, in: test.schema)
      let front = QueueFront()
      let queue = Queue(session, front: front)
      try await queue.define([RegionJob.registered])
      try await test.sql("alter table run set (autovacuum_enabled = off)")
      try await test.holding("create temporary table open_for_long ()") { _ in
        try await hold(5_000, test)
        try await test.sql("delete from run")
        let order = try await connection.pages(
          ofCall: "claim_order('region')", in: test.schema, atMost: 50)
        // The first of these polls reads the whole queue, and finds no held run.
        for _ in 1...2 {
          _ = try await queue.tryFold(storesTime: true)
          _ = try await queue.poll()
        }
        let pages = try await LimitPages.measure(test, front.marks(of: "region"), job: "region")
        print("beside 5,000 completed held runs: pages of the order \(order), of others \(pages)")
        #expect(order <= 50)
        #expect(pages["poll", default: .max] < 120)
        #expect(pages["claim", default: .max] < 120)
        // A search from the marks finds a new held run, and later polls find the run again.
        try await hold(1, test)
        for _ in 1...3 {
          _ = try await queue.tryFold(storesTime: true)
          #expect(try await queue.poll().dueJobs.map(\.name) == ["region"])
        }
      }
      await connection.close()
    }
  }

  @Test(.sampled())
  func `completed held runs cost polls and claims little while other runs are held`()
    async throws
  {
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let front = QueueFront()
      let queue = Queue(Session(connection, in: test.schema), front: front)
      try await queue.define([RegionJob.registered])
      try await test.sql("alter table run set (autovacuum_enabled = off)")
      try await test.holding("create temporary table open_for_long ()") { _ in
        try await hold(5_000, test, apart: "1 us")
        // Only the newest runs of the last groups remain.
        try await test.sql("delete from run where key::int < 4900 or group_key < 'g8'")
        for _ in 1...3 {
          _ = try await queue.tryFold(storesTime: true)
          #expect(try await queue.poll().dueJobs.map(\.name) == ["region"])
        }
        let pages = try await LimitPages.measure(test, front.marks(of: "region"), job: "region")
        print("after 5,000 completed held runs, while others are held: pages \(pages)")
        #expect(pages["poll", default: .max] < 600)
        #expect(pages["claim", default: .max] < 600)
      }
      await connection.close()
    }
  }

  @Test func `a fold searches the held runs of a group once, not for each event`()
    async throws
  {
    try await TestSchema.with { test in
      let connection = try await test.connect()
      try await Queue(Session(connection, in: test.schema)).define([RegionJob.registered])
      try await test.sql("alter table run set (autovacuum_enabled = off)")
      try await test.holding("create temporary table open_for_long ()") { _ in
        try await hold(5_000, test)
        try await test.sql("delete from run")
        try await test.sql(
          "select enqueue('region', 'g' || n % 20 || '/' || n) from generate_series(1, 400) n")
        let lines: [String] = try await connection.rolledBack(in: test.schema) {
          try await connection.script(
            Statement(
              "test/prepare",
              """
              set local plan_cache_mode = force_generic_plan;
              set local enable_seqscan = off;
              set local baton.has_cursor = 'yes';
              prepare moved as \(SQL.Queue.advancePosition.text);
              execute moved (1000, false);
              prepare planned as \(SQL.Queue.fold.text)
              """))
          let explain = Statement(
            "test/explain",
            "explain (analyze, buffers, costs off, timing off) execute planned (false)")
          let lines: [String] = try await connection.run(
            .rows(explain) { (row) throws(PostgresError) in try row.decode(String.self) })
          return lines
        }
        let pages = try TestSchema.pages(in: lines)
        print("beside 5,000 completed held runs: pages of a fold of 400 events \(pages)")
        #expect((400..<25_000).contains(pages))
      }
      await connection.close()
    }
  }

  /// Inserts held runs of 20 groups, whose due times differ by an interval.
  private func hold(_ runs: Int, _ test: TestSchema, apart: String = "0") async throws {
    try await test.sql(
      """
      insert into run (job, key, state, due, first_event_at, last_event_at, group_key, is_held)
      select 'region', n::text, 'ready', now() + n * interval '\(apart)' - \(runs) * interval '\(apart)',
        now(), now(), 'g' || n % 20, true
      from generate_series(1, \(runs)) n
      """)
  }

  /// Returns the pages of each statement after so many runs of 20 groups were claimed and
  /// completed.
  private func pages(after runs: Int) async throws -> [String: Int] {
    var pages: [String: Int] = [:]
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let session = Session(connection, in: test.schema)
      let front = QueueFront()
      let queue = Queue(session, front: front)
      try await queue.define([LimitedJob.registered])
      for table in ["run", "limit_start", "held_group"] {
        try await test.sql("alter table \(table) set (autovacuum_enabled = off)")
      }
      _ = try await queue.tryFold()
      _ = try await queue.poll()
      try await test.holding("create temporary table open_for_long ()") { _ in
        try await complete(runs, test)
        _ = try await queue.forgetStarts()
        try await test.sql(
          "select enqueue('limited', 'g' || n % 20 || '/new' || n) from generate_series(1, 100) n")
        // The first of these polls reads the whole queue.
        for _ in 1...2 {
          _ = try await queue.tryFold(storesTime: true)
          _ = try await queue.poll()
        }
        let claimer = Claimer(of: LimitedJob.definition.job, from: front)
        for _ in 1...2 {
          let claimed = try await claimer.claim(
            LimitedJob.definition.job, limit: 5, token: UUID(), worker: UUID(), on: session,
            while: { true })
          #expect(claimed.count == 5)
        }
        _ = try await queue.poll()
        let marks = front.marks(of: "limited")
        #expect(marks.firstClaims["limited", default: 0] > runs)
        pages = try await LimitPages.measure(test, marks, job: "limited")
      }
      await connection.close()
    }
    return pages
  }

  /// Creates the state after the claims and completions of so many runs, with 20 runs in each
  /// claim.
  private func complete(_ runs: Int, _ test: TestSchema) async throws {
    for statement in [
      """
      insert into run (job, key, state, due, first_event_at, last_event_at, token, worker, group_key, claim_number)
      select 'limited', n::text, 'running', now(), now(), now(), gen_random_uuid(), gen_random_uuid(), 'g' || n % 20, nextval('claim_number_seq')
      from generate_series(1, \(runs)) n
      """,
      """
      insert into limit_start (job, group_key, rested_at)
      select 'limited', g, now() + n * interval '1 us'
      from generate_series(1, \(runs) / 20) n, lateral (select null union all select 'g' || m from generate_series(0, 19) m) g (g)
      """,
      """
      insert into held_group (job, group_key, due)
      select 'limited', 'g' || n % 20, now() - interval '1 h' + n * interval '1 us' from generate_series(1, \(runs)) n
      """, "analyze run", "analyze limit_start", "analyze held_group",
      "delete from run where state = 'running'", "delete from held_group",
    ] { try await test.sql(statement) }
  }
}
