import BatonPostgres
import Foundation
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

@Suite(.bothWaysAtFullSize) struct ReclaimTests {
  @Test func `the runs of a worker whose server process is gone come back at once`() async throws {
    try await NoteQueue.with { queue in
      try await queue.claimByDeadWorker(keys: ["a"])
      let reclaimed = try await queue.queue.reclaim()
      #expect(reclaimed?.released == 1)
      // The attempt counts: the run was alone in its worker.
      #expect(try await queue.test.sql("select state, attempt, crashes from run") == ["ready,1,1"])
      #expect(try await queue.count("worker") == 0)
    }
  }

  @Test func `the runs of a living worker stay with it`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      let identity = WorkerIdentity()
      let executor = try await queue.executor(identity)
      _ = try await queue.claim(worker: identity.id)
      #expect(try await queue.queue.reclaim()?.released == 0)
      // Three beats may be late.
      try await queue.test.sql("update worker set heartbeat_at = now() - interval '16 s'")
      #expect(try await queue.queue.reclaim()?.released == 0)
      try await queue.test.sql("update worker set heartbeat_at = now() - interval '21 s'")
      #expect(try await queue.queue.reclaim()?.released == 1)
      await executor.close()
    }
  }

  @Test func `runs of a crash come back in ever smaller batches, and only a lone one dies`()
    async throws
  {
    try await NoteQueue.with { queue in
      let keys = (0..<50).map { "k\($0)" }
      try await queue.claimByDeadWorker(keys: keys)
      _ = try await queue.queue.reclaim()
      #expect(
        try await queue.test.sql("select distinct batch_limit, attempt, crashes from run")
          == ["2,0,1"])
      try await queue.claimQuarantinedByDeadWorker(expecting: 2)
      _ = try await queue.queue.reclaim()
      let alone = try await queue.test.sql(
        "select batch_limit, attempt, crashes, count(*) from run group by 1, 2, 3 order by 1")
      #expect(alone == ["-1,0,2,2", "2,0,1,48"])
      try await queue.claimAloneByDeadWorker()
      #expect(try await queue.queue.reclaim()?.dead == 1)
      #expect(try await queue.count("run") == 49)
      #expect(try await queue.count("dead_run") == 1)
    }
  }

  @Test func `a run is not to blame for a worker that had anything else in hand`() async throws {
    try await NoteQueue.with { queue in
      try await queue.crashTwice("a")
      let worker = try await queue.claimAloneByDeadWorker()
      // By hand, as the worker's other executor would: locked by work that the server has not ended yet.
      try await queue.test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, token, worker)
        values ('note', 'b', 'running', now(), now(), now(), gen_random_uuid(), '\(worker)')
        """)
      let open = try await queue.test.connect()
      await #expect(throws: TestFailure.self) {
        try await open.transaction(in: queue.test.schema) { transaction in
          try await transaction.run(
            .run(Statement("test/end_b", "delete from run where key = 'b'")))
          #expect(try await queue.queue.reclaim()?.dead == 0)
          throw TestFailure("the server notices that nobody listens")
        }
      }
      await open.close()
      #expect(
        try await queue.test.sql("select state, crashes, batch_limit from run where key = 'a'")
          == ["ready,3,-1"])
      try await queue.claimAloneByDeadWorker()
      #expect(try await queue.queue.reclaim()?.dead == 1)
    }
  }

  @Test func `by hand and in a drain a run with two crashes is worked like any other`() async throws
  {
    try await NoteQueue.with { queue in
      try await queue.crashTwice("a")
      let inlineRunner = InlineRunner(
        queue.job, on: queue.test.configuration, schema: queue.test.schema, logger: .quiet)
      guard case .done(runs: 1, _) = try await inlineRunner.workDue() else {
        Issue.record("nothing was done by hand")
        return
      }
      try await queue.crashTwice("b")
      try await queue.drain()
      #expect(try await queue.noted() == ["a", "b"])
      #expect(try await queue.count("run") == 0)
    }
  }

  @Test func `where workers die of something else, no run is to blame, until that is over`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.crashTwice("a")
      for _ in 0..<3 {
        _ = try await queue.dyingWorker()
        _ = try await queue.queue.reclaim()
      }
      for crashes in 3...4 {
        try await queue.claimAloneByDeadWorker()
        #expect(try await queue.queue.reclaim()?.dead == 0)
        #expect(
          try await queue.test.sql("select state, crashes, batch_limit from run")
            == ["ready,\(crashes),-1"])
      }
      try await queue.test.sql("update worker_death set died_at = died_at - interval '1 min'")
      try await queue.claimAloneByDeadWorker()
      #expect(try await queue.queue.reclaim()?.dead == 1)
      let error = try await queue.test.sql("select error like '%alone, 5 times%' from dead_run")
      #expect(error == ["t"])
      // What is a minute old was forgotten with that.
      #expect(try await queue.count("worker_death where not was_trial") == 0)
    }
  }

  @Test func `runs that a dead worker's open transaction still locks are left for later`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.claimByDeadWorker(keys: ["a"])
      let open = try await queue.test.connect()
      try await open.transaction(in: queue.test.schema) { transaction in
        try await transaction.run(.run(Statement("test/lock", "select from run for update")))
        #expect(try await queue.queue.reclaim()?.released == 0)
      }
      #expect(try await queue.queue.reclaim()?.released == 1)
      await open.close()
    }
  }
}

/// What only a direct connection shows: that its server process is gone.
@Suite struct MissingWorkerTests {
  @Test func `a worker that only lost its connection keeps its runs, and they count no crash`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      let identity = WorkerIdentity()
      let first = try await queue.executor(identity)
      _ = try await queue.claim(worker: identity.id)
      await first.close()
      try await queue.eventually("missing_worker", is: 1)
      #expect(try await queue.queue.reclaim()?.released == 0)
      #expect(try await queue.count("worker where missing_since is not null") == 1)
      let second = try await queue.executor(identity)
      try await queue.test.sql("select pg_sleep(0.25)")
      #expect(try await queue.queue.reclaim()?.released == 0)
      #expect(try await queue.test.sql("select state, crashes from run") == ["running,0"])
      await second.close()
    }
  }
}

extension NoteQueue {
  /// Claims the keys in one batch as a worker whose connection is then lost.
  fileprivate func claimByDeadWorker(keys: [String]) async throws {
    let list = keys.map { "'\($0)'" }.joined(separator: ",")
    try await test.sql("select append_events('note.written', array[\(list)])::text")
    _ = try await queue.foldAtOnce()
    let worker = try await dyingWorker()
    try await test.sql(
      "update run set state = 'running', attempt = 1, token = '\(UUID())', worker = '\(worker)'")
  }

  fileprivate func claimQuarantinedByDeadWorker(expecting count: Int) async throws {
    let worker = try await dyingWorker()
    let claimed: [ClaimedRun] = try await connection.atomically(
      in: test.schema,
      QueueCalls.claimQuarantined(
        job.definition, limit: 10, token: UUID(), worker: worker))
    #expect(claimed.count == count)
  }

  @discardableResult
  fileprivate func claimAloneByDeadWorker() async throws -> UUID {
    let worker = try await dyingWorker()
    let claimed: [ClaimedRun] = try await connection.atomically(
      in: test.schema, QueueCalls.claimAlone(job.definition, token: UUID(), worker: worker))
    #expect(claimed.count == 1)
    return worker
  }

  /// A ready run with which two workers died, and these deaths.
  fileprivate func crashTwice(_ key: String) async throws {
    try await claimByDeadWorker(keys: [key])
    _ = try await queue.reclaim()
    try await claimQuarantinedByDeadWorker(expecting: 1)
    _ = try await queue.reclaim()
    #expect(try await test.sql("select crashes, batch_limit from run") == ["2,-1"])
  }

  /// A worker that was registered on a connection that is closed again.
  fileprivate func dyingWorker() async throws -> UUID {
    let worker = UUID()
    let connection = try await test.connect()
    let isDirect = await connection.isDirect
    try await connection.atomically(
      in: test.schema, .run(SQL.Workers.register, worker, "doomed", isDirect, false))
    let pid = await connection.backend.pid
    await connection.close()
    guard isDirect else {
      // Behind a pooler nobody sees it go; it says nothing any more.
      try await test.sql("update worker set heartbeat_at = now() - interval '21 s'")
      return worker
    }
    try await eventually("pg_stat_activity where pid = \(pid)", is: 0)
    _ = try await queue.reclaim()
    try await test.sql("update worker set missing_since = missing_since - interval '1 s'")
    return worker
  }
}
