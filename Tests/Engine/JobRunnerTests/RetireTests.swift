import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests retired jobs, and jobs that no process registers any more.
@Suite(.timeLimit(.minutes(5))) struct RetireTests {
  /// A job with an event, a schedule and a declared table.
  struct LedgerJob: BatchJob {
    static let definition = Definition<Self>(
      "ledger",
      on: [
        .event(Topic("paid")), .cron("0 6 * * *"), .table("payment", on: .insert, key: "id"),
      ])

    struct Books: Sendable {
      let transaction: Transaction
    }

    static func run(_ batch: [Run<Self>], in books: Books) async throws {}

    static let registered = RegisteredJob(LedgerJob.self) { Books(transaction: $0) }
  }

  private let job = LedgerJob.registered

  private func with(_ body: (TestSchema, Queue, Connection) async throws -> Void) async throws {
    try await TestSchema.with { test in
      try await test.sql("create table payment (id text primary key)")
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      try await queue.define([job])
      _ = try await triggers(test).migrate(connection)
      try await body(test, queue, connection)
      await connection.close()
    }
  }

  private func triggers(_ test: TestSchema) -> TableTriggers {
    TableTriggers(test.schema, of: "books", jobs: [job])
  }

  @Test(.sampled()) func `a retired job gets no runs from events, tables, schedules and calls`()
    async throws
  {
    try await with { test, queue, connection in
      try await test.sql("select enqueue('ledger', 'accepted')")
      try await test.sql("select append_events('paid', array['early'])")
      #expect(
        try await queue.retire("ledger") == Retirement(wasRetired: false, schedules: 1))
      // Events that were accepted before have become runs.
      #expect(try await test.sql("select key from run order by 1") == ["accepted", "early"])
      try await test.sql("select append_events('paid', array['late'])")
      try await test.sql("insert into payment values ('late')")
      for call in ["enqueue('ledger', 'late')", #"enqueue_many('ledger', '[{"key": "late"}]')"#] {
        let error = await #expect(throws: PostgresError.self) {
          try await test.sql("select \(call)")
        }
        #expect(error?.sqlState == "ZB016")
        #expect(error?.message.contains("the job 'ledger' is retired since 20") == true)
      }
      // A program that still contains the job starts, and finds no difference.
      try await queue.define([job])
      _ = try await triggers(test).migrate(connection)
      #expect(try await test.sql("select count(*) from schedule") == ["0"])
      #expect(
        try await test.sql("select count(*) from pg_trigger where tgrelid = 'payment'::regclass")
          == ["0"])
      let drift = try await queue.drift([job], tables: triggers(test), ofOthers: true)
      #expect(drift.differences.allSatisfy { $0.contains("topic paid") }, "\(drift)")
      try await test.sql("insert into payment values ('later')")
      _ = try await queue.foldAtOnce()
      #expect(try await test.sql("select key from run order by 1") == ["accepted", "early"])
      #expect(try await queue.retire("ledger") == Retirement(wasRetired: true, schedules: 0))
      #expect(
        try await test.sql("select count(*) from audit where action = 'jobs retire'") == ["1"])
      #expect(try await queue.retire("unknown") == nil)
    }
  }

  @Test(.sampled()) func `an undone retirement brings triggers and schedules back`() async throws {
    try await with { test, queue, connection in
      _ = try await queue.retire("ledger")
      _ = try await triggers(test).migrate(connection)
      #expect(
        try await queue.retire("ledger", isUndo: true) == Retirement(wasRetired: true, schedules: 0)
      )
      try await queue.define([job])
      _ = try await triggers(test).migrate(connection)
      #expect(try await test.sql("select count(*) from schedule") == ["1"])
      try await test.sql("select enqueue('ledger', 'called')")
      try await test.sql("select append_events('paid', array['paid'])")
      try await test.sql("insert into payment values ('row')")
      _ = try await queue.foldAtOnce()
      #expect(try await test.sql("select key from run order by 1") == ["called", "paid", "row"])
    }
  }

  @Test func `a manual run of a retired job creates no run`() async throws {
    try await with { test, queue, _ in
      try await test.sql(
        """
        insert into run (job, key, state, first_event_at, last_event_at, due)
        values ('ledger', 'waiting', 'ready', now(), now(), now())
        """)
      _ = try await queue.retire("ledger")
      let runner = InlineRunner(
        job, on: test.configuration, schema: test.schema, logger: .quiet)
      await #expect(throws: RetiredJob(job: "ledger")) {
        _ = try await runner.work(key: "new")
      }
      #expect(try await test.sql("select count(*) from worker") == ["0"])
      await #expect(throws: RetiredJob(job: "ledger")) {
        _ = try await runner.dryRun(key: "new") { _, _ in 0 }
      }
      #expect(try await test.sql("select key from run") == ["waiting"])
      let waiting = try await runner.work(key: "waiting", patience: .milliseconds(1))
      #expect(waiting == .done(runs: 1, report: [:]))
      #expect(try await test.sql("select key from run") == [])
    }
  }

  @Test func `a manual run of a retired job ends when the last run of its key has ended`()
    async throws
  {
    try await with { test, queue, _ in
      try await test.sql(
        """
        insert into worker (id, name, is_direct, pid) values (gen_random_uuid(), 'w', false, 0)
        """)
      try await test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, attempt, token, worker)
        select 'ledger', 'running', 'running', now(), now(), now(), 1, gen_random_uuid(), id
        from worker
        """)
      _ = try await queue.retire("ledger")
      let runner = InlineRunner(
        job, on: test.configuration, schema: test.schema, logger: .quiet)
      let busy = try await runner.work(key: "running", patience: .milliseconds(1))
      #expect(busy == .alreadyRunning)
      async let waiting = runner.work(key: "running", patience: .seconds(60))
      try await test.sql("delete from run")
      do {
        let result = try await waiting
        Issue.record("\(result)")
      } catch let error as RetiredJob {
        #expect(error == RetiredJob(job: "ledger"))
      }
      #expect(try await test.sql("select key from run") == [])
    }
  }

  @Test func `a call whose transaction began before the retirement still becomes a run`()
    async throws
  {
    try await with { test, queue, _ in
      let caller = try await test.connect()
      let session = Session(caller, in: test.schema)
      try await session.transaction { transaction in
        try await transaction.run(
          .run(Statement("test/call", "select enqueue('ledger', 'slow')")))
        #expect(try await queue.retire("ledger") != nil)
      }
      _ = try await queue.foldAtOnce()
      #expect(try await test.sql("select key from run") == ["slow"])
      await caller.close()
    }
  }

  @Test func `a job is registered by each process that has it, at most once an hour`()
    async throws
  {
    try await with { test, queue, _ in
      try await test.sql("update job set registered_at = now() - interval '59 minutes'")
      try await queue.define([job])
      let age = "select now() - registered_at > interval '50 minutes' from job"
      #expect(try await test.sql(age) == ["t"])
      try await test.sql("update job set registered_at = now() - interval '61 minutes'")
      let registration = Registration(
        of: WorkerContext([job], logger: .quiet), on: test.configuration, in: test.schema,
        pace: Registration.Pace(activity: .zero, rotation: .zero))
      let session = try await registration.control.session()
      try await registration.enter(on: session)
      try await registration.keep(on: session)
      #expect(try await test.sql(age) == ["f"])
      try await registration.leave(on: session)
      await registration.control.close()
    }
  }

  @Test func `the age of a job without a process is observed after the setting's time`()
    async throws
  {
    try await with { test, queue, _ in
      #expect(try await queue.observe().jobs.map(\.unregisteredSeconds) == [nil])
      try await test.sql("update job set registered_at = now() - interval '3 hours'")
      #expect(try await queue.observe().jobs.map(\.unregisteredSeconds) == [nil])
      try await test.sql("update runner_setting set unregistered_after = '2 hours'")
      let age = try #require(try await queue.observe().jobs.first?.unregisteredSeconds)
      #expect(age >= 10_800 && age < 11_000)
    }
  }
}
