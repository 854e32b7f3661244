import BatonJobs
import BatonPostgres
import JobTesting
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// A job whose prepared statement becomes outdated while its worker runs.
@Suite(.timeLimit(.minutes(5))) struct OutdatedJobTests {
  @Test func `a job that reads all columns continues after a new column`() async throws {
    let calls = Lookup.Calls()
    let job = RegisteredJob(LookupJob.self) { Lookup(transaction: $0, calls: calls) }
    try await TestSchema.run([job]) { test in
      try await test.sql("create table looked (a int)")
      // With one executor, both runs use the same connection.
      let worker = Worker(
        [job], on: test.configuration, schema: test.schema,
        options: Worker.Options(concurrency: 1), logger: .quiet)
      async let working: Void = worker.run()
      let result: Result<Void, any Error>
      do {
        try await complete("first", in: test)
        #expect(calls.count == 1)
        try await test.sql("alter table looked add column b int")
        try await complete("second", in: test)
        #expect(calls.count == 3, "the statement was not outdated")
        result = .success(())
      } catch {
        result = .failure(error)
      }
      worker.stop()
      try await working
      try result.get()
      #expect(try await test.count("dead_run") == 0)
    }
  }

  private func complete(_ key: String, in test: JobTest) async throws {
    try await test.sql(
      """
      insert into run (job, key, state, due, first_event_at, last_event_at)
      values ('lookup', '\(key)', 'ready', now(), now(), now())
      """)
    try await eventually("the run ends") { try await test.count("run") == 0 }
  }
}

private struct LookupJob: BatchJob {
  static let definition = Definition<Self>("lookup")

  static func run(_ batch: [Run<Self>], in context: Lookup) async throws {
    context.calls.began()
    try await context.transaction.run(.run(Statement("test/lookup", "select * from looked")))
  }
}

private struct Lookup: Sendable {
  /// The number of calls of the job.
  final class Calls: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    func began() { number.withLock { $0 += 1 } }
  }

  let transaction: Transaction
  let calls: Calls
}
