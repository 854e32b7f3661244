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
      // The attempt counts, because the run was alone in its worker.
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
      // Three heartbeats may be late.
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
      // The earlier crashes are old, so the deaths of other workers do not acquit the run.
      try await queue.test.sql("delete from worker_death")
      let worker = try await queue.claimAloneByDeadWorker()
      // The test locks the runs itself, like another executor of the worker whose work the server
      // has not ended yet.
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

  @Test(.sampled()) func `by hand and in a drain a run with two crashes is worked like any other`()
    async throws
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
      // The reclaim has also deleted the deaths that were a minute old.
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

/// Only a direct connection shows that its server process is missing.
@Suite struct MissingWorkerTests {
  @Test func `of a worker that is gone only transactional claims come back`()
    async throws
  {
    try await NoteQueue.with { queue in
      let worker = try await queue.goneWorker(holding: ["v4": "4", "v8": "8"])
      #expect(try await queue.queue.reclaim()?.released == 1)
      let states = "select key, state, attempt, crashes from run order by key"
      #expect(try await queue.test.sql(states) == ["v4,ready,0,1", "v8,running,1,0"])
      #expect(try await queue.test.sql("select held_at_death, awaits_lease from worker") == ["2,t"])
      let deaths = try await queue.test.sql("select worker, was_trial from worker_death")
      #expect(deaths == ["\(worker.uuidString.lowercased()),f"])
      // No work remains until the lease ends, so polls do not reclaim repeatedly.
      #expect(try await queue.queue.poll().hasDeadWorkers == false)
      #expect(try await queue.queue.reclaim()?.released == 0)
      try await queue.test.sql("delete from run where key = 'v4'")
      try await queue.test.sql("update worker set heartbeat_at = now() - interval '19 s'")
      // The second poll searches for dead workers if at least 200 ms have passed.
      try await eventually("a poll that finds the dead worker") {
        try await queue.queue.poll().hasDeadWorkers
      }
      #expect(try await queue.queue.reclaim()?.released == 1)
      // The worker died with two runs, so the effect was not alone.
      #expect(try await queue.test.sql(states) == ["v8,ready,0,1"])
      #expect(try await queue.count("failed_attempt") == 0)
      #expect(try await queue.count("worker") == 0)
      #expect(try await queue.count("worker_death") == 1)
    }
  }

  @Test func `an effect that was alone counts its attempt, and dies after three such deaths`()
    async throws
  {
    try await NoteQueue.with { queue in
      for crash in 1...3 {
        try await queue.test.sql("delete from run")
        _ = try await queue.goneWorker(
          holding: ["v8": "8"], crashes: crash - 1)
        #expect(try await queue.queue.reclaim()?.released == 0)
        try await queue.test.sql("update worker set heartbeat_at = now() - interval '19 s'")
        let reclaimed = try await queue.queue.reclaim()
        #expect(reclaimed?.released == (crash < 3 ? 1 : 0))
        #expect(reclaimed?.dead == (crash < 3 ? 0 : 1))
      }
      #expect(
        try await queue.test.sql("select was_trial from worker_death order by died_at") == [
          "f", "f", "t",
        ])
      #expect(try await queue.count("failed_attempt") == 3)
    }
  }

  @Test func `a death that counts as an attempt removes no snooze, and keeps twenty failures`()
    async throws
  {
    try await NoteQueue.with { queue in
      _ = try await queue.goneWorker(holding: ["v8": "8"])
      try await queue.test.sql(
        """
        insert into failed_attempt (run_id, job, key, attempt, ended_at, error, is_snooze)
        select id, job, key, 1, now(), 'earlier', n > 20 from run, generate_series(1, 40) n
        """)
      #expect(try await queue.queue.reclaim()?.released == 0)
      try await queue.test.sql("update worker set heartbeat_at = now() - interval '19 s'")
      #expect(try await queue.queue.reclaim()?.released == 1)
      #expect(
        try await queue.test.sql(
          "select is_snooze, count(*) from failed_attempt group by 1 order by 1")
          == ["f,20", "t,20"])
    }
  }

  @Test func `a claim that a gone worker makes stays, and a new registration is no death`()
    async throws
  {
    try await NoteQueue.with { queue in
      let worker = try await queue.goneWorker(holding: [:])
      #expect(try await queue.queue.reclaim()?.released == 0)
      // The worker's row remains, so that the claim of an effect within its lease does not count as
      // the claim of an unknown worker.
      #expect(try await queue.count("worker where awaits_lease") == 1)
      try await queue.hold(["late": "8", "work": "4"], by: worker)
      #expect(try await queue.queue.reclaim()?.released == 1)
      #expect(
        try await queue.test.sql("select key, state from run order by key") == [
          "late,running", "work,ready",
        ])
      let connection = try await queue.test.connect()
      try await connection.atomically(
        in: queue.test.schema,
        .run(
          SQL.Workers.register, worker, "back", true, false, true, Int32?.none, String?.none,
          Int32?.none, String?.none, ["note"]))
      #expect(
        try await queue.test.sql("select held_at_death is null, awaits_lease from worker") == [
          "t,f"
        ])
      #expect(try await queue.queue.reclaim()?.released == 0)
      await connection.close()
    }
  }

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

  @Test func `the dispatcher's process shows that a worker lives, when idle or for 2 s`()
    async throws
  {
    try await NoteQueue.with { queue in
      let dispatcher = try await queue.test.connect()
      guard await dispatcher.isDirect else { return await dispatcher.close() }
      let pid = await dispatcher.backend.pid
      let worker = try await queue.dyingWorker(dispatcher: pid)
      try await queue.hold(["a": "4"], by: worker)
      _ = try await queue.queue.reclaim()
      try await queue.test.sql("select pg_sleep(0.4)")
      #expect(try await queue.queue.reclaim()?.released == 0)
      #expect(try await queue.count("missing_worker") == 0)
      let statement = Task {
        try await dispatcher.atomically(
          in: queue.test.schema, .run(Statement("test/sleep", "select from pg_sleep(600)")))
      }
      try await queue.eventually("missing_worker", is: 1)
      #expect(try await queue.queue.reclaim()?.released == 0)
      try await queue.test.sql("select pg_sleep(0.4)")
      #expect(try await queue.queue.reclaim()?.released == 0)
      try await queue.test.sql(
        "update worker set missing_since = missing_since - interval '2 s'")
      #expect(try await queue.queue.reclaim()?.released == 1)
      statement.cancel()
      _ = await statement.result
      await dispatcher.close()
    }
  }
}

extension NoteQueue {
  /// Claims the keys in one batch, as a worker whose connection is then lost.
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

  /// Creates a ready run during which two workers died, and these deaths.
  fileprivate func crashTwice(_ key: String) async throws {
    try await claimByDeadWorker(keys: [key])
    _ = try await queue.reclaim()
    try await claimQuarantinedByDeadWorker(expecting: 1)
    _ = try await queue.reclaim()
    #expect(try await test.sql("select crashes, batch_limit from run") == ["2,-1"])
  }

  /// Creates a worker that performs effects, and whose connection was lost more than 200 ms ago.
  ///
  /// - Parameter versions: the version of the token for each claimed key.
  fileprivate func goneWorker(
    holding versions: [String: String], crashes: Int = 0
  ) async throws -> UUID {
    let worker = try await dyingWorker(performsEffects: true)
    try await hold(versions, by: worker, crashes: crashes)
    return worker
  }

  fileprivate func hold(
    _ versions: [String: String], by worker: UUID, crashes: Int = 0
  ) async throws {
    for (key, version) in versions {
      try await test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, attempt, crashes, worker, token)
        values ('note', '\(key)', 'running', now(), now(), now(), 1, \(crashes), '\(worker)',
          overlay(gen_random_uuid()::text placing '\(version)' from 15 for 1)::uuid)
        """)
    }
  }

  /// Creates a worker that was registered on a connection that is closed again.
  ///
  /// - Parameter dispatcher: the server process of its dispatcher, or nil if it has none.
  fileprivate func dyingWorker(
    performsEffects: Bool = false, dispatcher: Int32? = nil
  ) async throws -> UUID {
    let worker = UUID()
    let connection = try await test.connect()
    let isDirect = await connection.isDirect
    try await connection.atomically(
      in: test.schema,
      .run(
        SQL.Workers.register, worker, "doomed", isDirect, false, performsEffects, dispatcher,
        String?.none, Int32?.none, String?.none, ["note"]))
    let pid = await connection.backend.pid
    await connection.close()
    guard isDirect else {
      // With a pooler, a lost connection is not visible. The worker only sends no more heartbeats.
      try await test.sql("update worker set heartbeat_at = now() - interval '21 s'")
      return worker
    }
    try await eventually("pg_stat_activity where pid = \(pid)", is: 0)
    _ = try await queue.reclaim()
    try await test.sql(
      "update worker set missing_since = missing_since - interval '1 s' where id = '\(worker)'")
    return worker
  }
}
