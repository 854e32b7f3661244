import BatonPostgres
import Foundation
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

@Suite(.timeLimit(.minutes(5)), .bothWays) struct WorkTests {
  @Test func `work and completion are one transaction`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a", "b")
      _ = try await queue.queue.foldAtOnce()
      let executor = try await queue.executor()
      #expect(try await executor.workOnce(queue.job))
      #expect(try await queue.noted() == ["a", "b"])
      #expect(try await queue.count("run") == 0)
      #expect(try await !executor.workOnce(queue.job))
    }
  }

  @Test(.sampled())
  func `a failing batch is split until the culprit is alone, and only that one dies`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.write("a", "b", "c", "bad", "d", "e", "f", "g", "h", "i")
      _ = try await queue.queue.foldAtOnce()
      try await queue.drain()
      #expect(try await queue.noted() == ["a", "b", "c", "d", "e", "f", "g", "h", "i"])
      let dead = try await queue.test.sql("select key, attempt, error from dead_run")
      #expect(dead == ["bad,3,\"bad always fails\""])
    }
  }

  @Test(.sampled()) func `an error of any size is stored with at most 8 KB`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("wordy")
      _ = try await queue.queue.foldAtOnce()
      try await queue.drain()
      let dead = try await queue.test.sql(
        "select octet_length(error) < 8300 and error like '%... (10000_ bytes)' from dead_run")
      #expect(dead == ["t"])
      let failed = try await queue.test.sql(
        "select max(octet_length(error)) < 8300 from failed_attempt")
      #expect(failed == ["t"])
    }
  }

  @Test(.sampled()) func `what no retry can mend is dead after one attempt`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("never")
      _ = try await queue.queue.foldAtOnce()
      try await queue.drain()
      #expect(try await queue.test.sql("select key, attempt from dead_run") == ["never,1"])
    }
  }

  /// During a deployment, a worker of the other version may read the run.
  @Test(.sampled()) func `a run that cannot be read is tried like one that fails`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("unreadable")
      _ = try await queue.queue.foldAtOnce()
      let executor = try await queue.executor()
      #expect(try await executor.workOnce(queue.job))
      await executor.close()
      #expect(try await queue.test.sql("select state, attempt from run") == ["ready,1"])
      try await queue.drain()
      #expect(try await queue.test.sql("select key, attempt from dead_run") == ["unreadable,3"])
    }
  }

  /// One job sleeps, and the other job always executes a short statement that began before the
  /// limit.
  @Test(.sampled(), arguments: ["slow", "busy"])
  func `a job that takes too long is cancelled, rolled back and retried`(key: String) async throws {
    try await NoteQueue.with(BriefNoteJob.registered) { queue in
      try await queue.write(key)
      _ = try await queue.queue.foldAtOnce()
      try await queue.drain()
      let dead = try await queue.test.sql("select key, attempt, error from dead_run")
      #expect(dead == ["\(key),3,\"it took longer than 1.0 seconds\""])
      #expect(try await queue.noted().isEmpty)
    }
  }

  @Test(.sampled()) func `a statement that takes too long is ended, and its run retried`()
    async throws
  {
    try await NoteQueue.with(BriefNoteJob.registered) { queue in
      try await queue.write("stuck")
      _ = try await queue.queue.foldAtOnce()
      let executor = try await queue.executor()
      try await expectTime(below: .seconds(10) * patience, "a statement that takes too long") {
        () async throws in
        #expect(try await executor.workOnce(queue.job))
      }
      // The statement is ended by the server's limit or together with the task that waits for it,
      // whichever is first.
      let waiting = try await queue.test.sql("select attempt, last_error is null from run")
      #expect(waiting == ["1,f"])
      await executor.close()
    }
  }

  @Test func `a snoozed batch is rolled back and costs no attempt`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("later", "a")
      _ = try await queue.queue.foldAtOnce()
      let executor = try await queue.executor()
      #expect(try await executor.workOnce(queue.job))
      #expect(try await queue.noted().isEmpty)
      let waiting = try await queue.test.sql(
        "select key, attempt, due > now() + interval '59 min', last_error is null from run order by 1"
      )
      #expect(waiting == ["a,0,t,t", "later,0,t,t"])
    }
  }

  @Test func `a paused job's runs wait until it is resumed`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      try await queue.test.sql("update job set paused_at = now()")
      let executor = try await queue.executor()
      #expect(try await !executor.workOnce(queue.job))
      try await queue.test.sql("update job set paused_at = null")
      #expect(try await executor.workOnce(queue.job))
    }
  }

  @Test(.sampled())
  func `a zombie that comes back after its runs were given to another changes nothing`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      let token = UUID()
      let runs = try await queue.claim(token: token)
      let zombie = Claim(job: queue.job, token: token, runs: runs)
      // The worker was never registered, so the next reclaim gives its runs to another worker.
      try await queue.test.sql("update run set token = gen_random_uuid()")
      let executor = try await queue.executor()
      let lost = await #expect(throws: PostgresError.self) { try await executor.work(zombie) }
      #expect(lost?.sqlState == .claimLost)
      #expect(try await queue.noted().isEmpty)
      #expect(try await queue.count("run") == 1)
    }
  }

  @Test func `a run that returns while its key has a ready one is merged into it`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      let token = UUID()
      let runs = try await queue.claim(token: token)
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      try await queue.connection.atomically(
        in: queue.test.schema,
        QueueCalls.release(
          Claim(job: queue.job, token: token, runs: runs), attemptsOff: 0, wait: .seconds(3600),
          batchLimit: nil, error: "it failed"))
      let merged = try await queue.test.sql(
        "select state, attempt, due > now() + interval '59 min', last_error from run")
      #expect(merged == ["ready,1,t,\"it failed\""])
    }
  }

  @Test(.sampled(), arguments: ["it was interrupted", nil])
  func `a merged run has the error of the run that returned, where that has one`(
    error: String?
  ) async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      let identity = WorkerIdentity()
      _ = try await queue.claim(worker: identity.id)
      try await queue.test.sql("update run set last_error = '\(error ?? "")', batch_limit = 5")
      if error == nil { try await queue.test.sql("update run set last_error = null") }
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      try await queue.test.sql(
        "update run set last_error = 'its own', batch_limit = 2, attempt = 4 where state = 'ready'")
      try await queue.queue.releaseUnknown(to: identity)
      let merged = try await queue.test.sql("select attempt, batch_limit, last_error from run")
      #expect(merged == ["4,2,\"\(error ?? "its own")\""])
    }
  }

  @Test(.sampled())
  func `runs that failed together are worked although others never cease to come`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.write("s1", "s2", "s3", "s4", "s5", "s6")
      _ = try await queue.queue.foldAtOnce()
      try await queue.test.sql("update run set batch_limit = 1")
      let executor = try await queue.executor()
      var claims = 0
      var claimsOfFirst = 0
      let deadline = ContinuousClock.now + .seconds(20) * patience
      while try await queue.count("run where batch_limit > 0") > 0 {
        guard ContinuousClock.now < deadline else { throw TestFailure("quarantined runs starve") }
        // Each claim finds other due runs as well.
        try await queue.write("n\(claims)")
        _ = try await queue.queue.foldAtOnce()
        #expect(try await executor.workOnce(queue.job))
        claims += 1
        if try await queue.count("run where batch_limit > 0") == 6 { claimsOfFirst = claims }
      }
      // From the first quarantined run on, every second claim contains one of them. On a busy
      // machine, one run may exceed its job's limit, and is retried.
      let failures = try await queue.count("failed_attempt")
      #expect(claims - claimsOfFirst <= 12 + 2 * failures)
      #expect(try await queue.count("run") < 10)
      #expect(try await queue.noted().filter { $0.hasPrefix("s") }.count == 6)
      await executor.close()
    }
  }

  @Test func `a quarantined run whose key still runs does not keep the others from being claimed`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      #expect(try await queue.claim().count == 1)
      try await queue.write("a", "b")
      _ = try await queue.queue.foldAtOnce()
      try await queue.test.sql("update run set batch_limit = 1 where key = 'a' and state = 'ready'")
      try await queue.test.sql("update run set batch_limit = 2 where key = 'b'")
      let executor = try await queue.executor()
      #expect(try await executor.workOnce(queue.job))
      #expect(try await queue.noted() == ["b"])
      await executor.close()
    }
  }

  @Test(.sampled()) func `runUntilIdle ends when no run is left`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a", "b", "never")
      let worker = Worker(
        [queue.job], on: queue.test.configuration, schema: queue.test.schema, logger: .quiet)
      #expect(try await worker.runUntilIdle() == 1)
      #expect(try await queue.noted() == ["a", "b"])
      #expect(try await queue.count("worker") == 0)
      #expect(try await queue.queue.activity()["note"]?.runs == 2)
    }
  }

  @Test(.sampled()) func `a stop rolls back what takes too long and costs no attempt`() async throws
  {
    try await NoteQueue.with { queue in
      try await queue.test.sql("create unique index on noted (key)")
      let blocker = try await queue.test.connect()
      try await blocker.transaction(in: queue.test.schema) { transaction in
        // The same key is written but not committed, so the job waits for this transaction.
        try await Notebook(transaction: transaction).note(["a"])
        try await queue.write("a")
        let worker = Worker(
          [queue.job], on: queue.test.configuration, schema: queue.test.schema,
          options: .init(concurrency: 1, grace: .milliseconds(100)), logger: .quiet)
        async let ended: Void = worker.run()
        try await queue.eventually("run where state = 'running'", is: 1)
        worker.stop()
        try await ended
        let left = try await queue.test.sql("select state, attempt from run")
        #expect(left == ["ready,0"])
      }
      await blocker.close()
    }
  }
}

extension NoteQueue {
  /// Processes runs until none remain, without waiting for backoffs.
  func drain() async throws {
    let drainer = try await Drainer(
      [job], on: test.configuration, schema: test.schema, logger: .quiet)
    _ = try await drainer.drain()
    try await drainer.close()
  }

  /// Waits until the count has the expected value.
  func eventually(_ query: String, is expected: Int) async throws {
    try await TestSupport.eventually("a count of \(expected) of \(query)") {
      try await count(query) == expected
    }
  }
}
