import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests that `worker --until-idle` ends when no work remains that it could do now.
@Suite struct UntilIdleTests {
  @Test func `it does not wait for the next attempt of a run, and says how many wait`()
    async throws
  {
    try await TestSchema.run([HourlyJob.registered]) { test in
      for key in ["a", "b"] { try await test.sql("select enqueue('hourly', '\(key)')") }
      let log = LogLines()
      let worker = Worker(
        [HourlyJob.registered], on: test.configuration, schema: test.schema, logger: log.logger)
      #expect(try await worker.runUntilIdle() == 0)
      #expect(
        try await test.sql(
          "select state, attempt, due = backoff_until, due > now() + interval '20 min' from run")
          == ["ready,1,t,t", "ready,1,t,t"])
      let told = log.all.first { $0.contains("idle; 2 runs wait for the next attempt") }
      #expect(told != nil, "\(log.all)")
    }
  }

  @Test func `it waits for a debounce, and for what another worker has in hand`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      let token = UUID()
      let identity = WorkerIdentity()
      let other = try await queue.executor(identity)
      let runs = try await queue.claim(token: token, worker: identity.id)
      try await queue.write("b")
      let worker = Worker(
        [queue.job], on: queue.test.configuration, schema: queue.test.schema, logger: .quiet)
      async let idle = worker.runUntilIdle()
      try await queue.eventually("noted where key = 'b'", is: 1)
      #expect(try await queue.queue.pendingWork(of: ["note"]).hasRuns)
      try await queue.connection.atomically(
        in: queue.test.schema, QueueCalls.endByKey(Claim(job: queue.job, token: token, runs: runs)))
      #expect(try await idle == 0)
      await other.close()
    }
  }
}

/// A job that fails, and is retried after an hour.
private struct HourlyJob: BatchJob {
  static let definition = Definition<Self>(
    "hourly", retry: .attempts(5, exponentialFrom: .seconds(3_600), to: .seconds(3_600)))

  static func run(_ batch: [Run<Self>], in context: Notebook) async throws {
    throw TestFailure("not now")
  }

  static let registered = RegisteredJob(HourlyJob.self) { Notebook(transaction: $0) }
}
