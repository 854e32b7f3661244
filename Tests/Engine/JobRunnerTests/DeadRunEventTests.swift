import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests the payload of a job that subscribes to `run.died`, and when no event is recorded.
@Suite struct DeadRunEventTests {
  private let frail = FrailJob.registered
  private let paced = PacedJob.registered
  private let mourning = MourningJob.registered

  private func told(_ test: JobTest) async throws -> [String] {
    try await test.sql("select key from noted where key like 'told %' order by key")
  }

  /// Returns the number of events on the topic, dispatched or not.
  ///
  /// The event log of a test is never truncated.
  private func recorded(_ test: JobTest) async throws -> Int {
    try await test.count("event where topic = 'run.died'")
  }

  @Test(.sampled()) func `a run that fails for the last time is told, with or without a history`()
    async throws
  {
    try await JobTest.noting([frail, paced, mourning]) { test in
      try await test.sql("select enqueue('frail', 'a', '{\"stamps\": 2}')::text")
      try await test.sql("select enqueue('frail', 'well')::text")
      try await test.sql("select enqueue('paced', 'bad-3')::text")
      #expect(try await test.drain() == 2)
      let dead = try await test.sql("select id from dead_run order by job")
      #expect(
        try await told(test) == [
          "\"told \(dead[0]) frail a 1 a is frail\"",
          "\"told \(dead[1]) paced bad-3 1 bad-3 fails in its second step\"",
        ])
      #expect(try await recorded(test) == 2)
    }
  }

  @Test func `a run that crashed its worker to the last is told`() async throws {
    try await JobTest.noting([frail, paced, mourning]) { test in
      for job in ["frail", "paced"] {
        // The runs are running for the third time, with a worker that is not registered.
        try await test.sql(
          """
          insert into run (job, key, state, due, first_event_at, last_event_at, attempt, crashes,
            token, worker)
          values ('\(job)', 'a-1', 'running', now(), now(), now(), 3, 2, gen_random_uuid(),
            gen_random_uuid())
          """)
        try await test.drain()
      }
      let told = try await told(test)
      #expect(told.count == 2)
      for (line, job) in zip(told, ["frail", "paced"]) {
        #expect(line.contains(" \(job) a-1 3 the worker died while it worked this run alone"))
      }
    }
  }

  @Test func `the death of a job that is told of deaths is told to nobody`() async throws {
    try await JobTest.noting([frail, mourning]) { test in
      try await test.sql("select enqueue('frail', 'unspeakable')::text")
      #expect(try await test.drain() == 2)
      #expect(
        try await test.sql("select job, error from dead_run order by id")
          == ["frail,\"unspeakable is frail\"", "mourning,\"no words\""])
      #expect(try await told(test) == [])
      #expect(try await recorded(test) == 1)
    }
  }

  @Test func `where no job is on the topic nothing is recorded`() async throws {
    try await JobTest.noting([frail]) { test in
      try await test.sql("select enqueue('frail', 'a')::text")
      #expect(try await test.drain() == 1)
      #expect(try await recorded(test) == 0)
    }
  }

  @Test func `a death that is rolled back was told to nobody`() async throws {
    try await NoteQueue.with { queue in
      try await queue.queue.define([queue.job, mourning])
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      let token = UUID()
      let claim = Claim(job: queue.job, token: token, runs: try await queue.claim(token: token))
      let dead = QueueCalls.deadLetter(claim, error: "it broke", took: .zero)
      await #expect(throws: TestFailure.self) {
        try await queue.connection.transaction(in: queue.test.schema) { transaction in
          #expect(try await transaction.run(dead) == 1)
          throw TestFailure("the connection is lost")
        }
      }
      #expect(try await queue.count("event where topic = 'run.died'") == 0)
      _ = try await queue.connection.atomically(in: queue.test.schema, dead)
      let events = try await queue.test.sql(
        """
        select e.key = d.id::text, e.payload -> 'died' ->> 'error'
        from dead_run d, event e where topic = 'run.died'
        """)
      #expect(events == ["t,\"it broke\""])
    }
  }

  @Test func `a long error is cut, so that no run carries it along`() async throws {
    try await JobTest.noting([frail, mourning]) { test in
      let key = String(repeating: "é", count: 100)
      try await test.sql("select enqueue('frail', '\(key)')::text")
      #expect(try await test.drain() == 1)
      let length = try await test.sql(
        #"select length(regexp_replace(key, '^told \d+ frail é+ 1 ', '')) from noted"#)
      #expect(length == ["2000"])
      #expect(try await test.sql("select length(error) from dead_run") == ["3009"])
    }
  }

  @Test func `check misses no trigger of a job that is told, and says where it is disabled`()
    async throws
  {
    try await JobTest.noting([mourning]) { test in
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      #expect(try await queue.drift([mourning]).differences == [])
      try await test.sql("alter table dead_run disable trigger dead_run_inserted")
      #expect(
        try await queue.drift([mourning]).differences
          == ["the trigger dead_run_inserted on dead_run is disabled"])
      await connection.close()
    }
  }
}

// MARK: - Jobs

/// A job whose runs die, except for the key `well`.
private struct FrailJob: BatchJob {
  static let definition = Definition<Self>("frail")

  static func run(_ batch: [Run<Self>], in context: PacedContext) async throws {
    guard let run = batch.first(where: { $0.key != "well" }) else { return }
    // A key with 100 characters causes an error text of 3,009 characters.
    let name = run.key.count < 100 ? run.key : String(repeating: run.key, count: 30)
    throw Permanent("\(name) is frail")
  }

  static let registered = RegisteredJob(FrailJob.self) { PacedContext(transaction: $0) }
}

/// A job that receives the events of dead runs, and dies if the payload has no error text.
private struct MourningJob: BatchJob {
  static let definition = Definition<Self>("mourning", on: [.event(.runDied)])

  typealias Key = Int64

  let died: DeadRun

  static func run(_ batch: [Run<Self>], in context: PacedContext) async throws {
    for run in batch {
      if run.payload.died.key == "unspeakable" { throw Permanent("no words") }
      let died = run.payload.died
      try await context.note(
        "told \(run.key) \(died.job) \(died.key) \(died.attempts) \(died.error)",
        run.key == died.id ? 1 : 0)
    }
  }

  static let registered = RegisteredJob(MourningJob.self) { PacedContext(transaction: $0) }
}
