import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// Tests the cancellation of a manual run while the job's code is not running.
@Suite(.timeLimit(.minutes(5))) struct InlineRunnerStopTests {
  @Test func `a cancellation during the dispatch is the result stopped, and not an error`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      let runner = InlineRunner(
        queue.job, on: queue.test.configuration, schema: queue.test.schema, logger: .quiet)
      // The dispatch waits for the transaction that has inserted a run with the same key.
      try await queue.test.holding(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at)
        values ('note', 'a', 'ready', now(), now(), now())
        """
      ) { lock in
        let working = Task { try await runner.workDue() }
        try await lock.waitUntilItBlocks()
        working.cancel()
        #expect(try await working.value == .stopped)
      }
      #expect(try await queue.count("unfolded_event") == 1)
      #expect(try await queue.count("worker") == 0)
    }
  }
}
