import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// Tests a manual run before the job's code is running: cancellations, waits and stored payloads.
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

  @Test func `a manual run waits for another process that dispatches events`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      let runner = InlineRunner(
        queue.job, on: queue.test.configuration, schema: queue.test.schema, logger: .quiet)
      try await queue.test.holding("select from event_cursor for update") { lock in
        let working = Task { try await runner.workDue() }
        try await lock.waitUntilItBlocks()
        try await lock.release()
        guard case .done = try await working.value else { throw TestFailure("the run failed") }
      }
      #expect(try await queue.count("unfolded_event") == 0)
      // If the wait was longer than the debounce, the run is already done.
      #expect(try await queue.count("run") + queue.count("noted") == 1)
    }
  }

  /// The claim is committed, but its stored payload is not assigned yet.
  @Test func `a cancellation during the assignment of payloads returns the run`() async throws {
    try await NoteQueue.with { queue in
      try await insert(payload: "'{}', 2", in: queue)
      try await queue.test.sql(
        "insert into run_payload (id, job, key, payload) values (1, 'note', 'a', '{}')")
      let runner = InlineRunner(
        queue.job, on: queue.test.configuration, schema: queue.test.schema, logger: .quiet)
      try await queue.test.holding("select from run_payload for update") { lock in
        let working = Task { try await runner.work(key: "a") }
        try await lock.waitUntilItBlocks()
        working.cancel()
        #expect(try await working.value == .stopped)
      }
      #expect(try await queue.test.sql("select state, attempt, crashes from run") == ["ready,0,0"])
      #expect(try await queue.count("worker") == 0)
    }
  }

  /// The dispatch adds the first call with a payload to the run.
  @Test func `a claim that waits for a dispatch sees the payload that the dispatch stores`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await insert(payload: "null, null", in: queue)
      let runner = InlineRunner(
        queue.job, on: queue.test.configuration, schema: queue.test.schema, logger: .quiet)
      let result = try await queue.test.holding(
        """
        update run set payload = '{}', payload_event = 1;
        insert into run_payload (id, job, key, payload) values (1, 'note', 'a', '{}')
        """
      ) { lock in
        let working = Task { try await runner.work(key: "a") }
        try await lock.waitUntilItBlocks()
        try await lock.commit()
        return try await working.value
      }
      guard case .done(1, _) = result else { throw TestFailure("the result is \(result)") }
      #expect(try await queue.count("run_payload") == 0)
    }
  }

  private func insert(payload: String, in queue: NoteQueue) async throws {
    try await queue.test.sql(
      """
      insert into run (job, key, state, due, first_event_at, last_event_at, payload, payload_event)
      values ('note', 'a', 'ready', now(), now(), now(), \(payload))
      """)
  }
}
