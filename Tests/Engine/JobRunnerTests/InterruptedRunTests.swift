import BatonPostgres
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests the result of a manual run that loses its connection or its claim during the work.
@Suite(.timeLimit(.minutes(3))) struct InterruptedRunTests {
  private func runner(_ queue: NoteQueue) -> InlineRunner {
    InlineRunner(
      queue.job, on: queue.test.configuration, schema: queue.test.schema, logger: .quiet)
  }

  /// Processes a run, and terminates its server process while the run waits for the lock.
  private func expectInterruption(
    holding statement: String, in queue: NoteQueue
  ) async throws {
    let runner = runner(queue)
    try await queue.test.holding(statement) { lock in
      let working = Task { try await runner.work(key: "a") }
      try await lock.waitUntilItBlocks()
      try await queue.test.sql(
        """
        select pg_terminate_backend(pid) from pg_stat_activity
        where \(lock.pid) = any (pg_blocking_pids(pid))
        """)
      let result = try await working.value
      guard case .interrupted(let error) = result else { throw TestFailure("\(result)") }
      #expect(error.contains("57P01"))
    }
    #expect(try await queue.test.sql("select state, attempt, crashes from run") == ["ready,0,0"])
    #expect(try await queue.noted().isEmpty)
    #expect(try await queue.count("worker") == 0)
  }

  @Test func `a run whose server process is terminated during the work is interrupted`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await expectInterruption(
        holding: "lock table noted in access exclusive mode", in: queue)
      // The interruption has not changed the run, so the next manual run completes it.
      guard case .done(1, _) = try await runner(queue).work(key: "a") else {
        throw TestFailure("the run is not completed")
      }
      #expect(try await queue.noted() == ["a"])
    }
  }

  /// A deferred trigger waits for the lock during COMMIT.
  @Test func `a run whose server process is terminated at COMMIT is interrupted`() async throws {
    try await NoteQueue.with { queue in
      try await queue.test.sql(
        """
        create function wait_at_commit() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock(4711); return null; end $$
        """)
      try await queue.test.sql(
        """
        create constraint trigger wait_at_commit after insert on noted
        deferrable initially deferred for each row execute function wait_at_commit()
        """)
      try await expectInterruption(holding: "select pg_advisory_xact_lock(4711)", in: queue)
    }
  }

  @Test func `a run that another worker claims during the work is taken over`() async throws {
    try await SendQueue.with { queue in
      try await queue.enqueue("a", what: "wait")
      let runner = InlineRunner(
        SendJob.registered(queue.sent), on: queue.test.configuration, schema: queue.test.schema,
        logger: .quiet)
      let working = Task { try await runner.workDue() }
      try await eventually("it is performed") { queue.sent.letters.count == 1 }
      try await queue.takeOver()
      queue.sent.open()
      #expect(try await working.value == .takenOver)
      #expect(try await queue.test.sql("select state, attempt from run") == ["running,1"])
    }
  }
}
