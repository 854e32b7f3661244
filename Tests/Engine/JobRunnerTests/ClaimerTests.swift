import BatonJobs
import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import JobRunner

@Suite struct TaskSemaphoreTests {
  @Test func `no more than two at once, and everybody has a turn`() async {
    let turns = TaskSemaphore(2)
    let room = Room()
    await withTaskGroup { group in
      for _ in 0..<20 {
        group.addTask {
          await turns.begin()
          await room.enter()
          try? await Task.sleep(for: .milliseconds(5))
          await room.leave()
          turns.end()
        }
      }
    }
    #expect(await room.most == 2)
    #expect(await room.visits == 20)
  }
}

/// Counts the tasks inside.
private actor Room {
  private var inside = 0
  private(set) var most = 0
  private(set) var visits = 0

  func enter() {
    inside += 1
    most = max(most, inside)
    visits += 1
  }

  func leave() { inside -= 1 }
}

/// A job whose batches may take many seconds.
private struct LastingJob: BatchJob {
  static let definition = Definition<Self>("lasting", batch: 10, timeout: .seconds(60))

  static func run(_ batch: [Run<Self>], in context: Notebook) async throws {
    try await context.note(batch.map(\.key))
  }
}

@Suite struct SharedClaimTests {
  @Test(.sampled()) func `executors of one worker share the runs between them`() async throws {
    try await NoteQueue.with { queue in
      let executors = queue.executors(8)
      try await queue.test.sql(
        "select enqueue('note', 'k' || n) from generate_series(1, 400) n")
      _ = try await queue.queue.foldAtOnce()
      let claims = try await withThrowingTaskGroup(of: [Claim].self) { group in
        for executor in executors {
          group.addTask {
            var mine: [Claim] = []
            while let claim = try await executor.claim(queue.job) { mine.append(claim) }
            return mine
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      let keys = claims.flatMap(\.keys)
      #expect(keys.count == 400)
      #expect(Set(keys).count == 400)
      for executor in executors { await executor.close() }
    }
  }

  @Test func `a poll that repeats claimed runs is not a reason for another claim`() {
    let signal = ExecutorSignal()
    let jobs = [RegisteredJob(NoteJob.self) { Notebook(transaction: $0) }]
    var due = DueJobs()
    due.together["note"] = 5
    // The first wake-up comes from a dispatch, and the second wake-up from a poll.
    signal.ring(for: due)
    #expect(signal.seen(since: 1, claimed: [:], of: jobs) == 1)
    due.first = ["note": [7]]
    signal.ring(for: due)
    #expect(signal.seen(since: 1, claimed: ["note": [7, 8]], of: jobs) == 2)
    #expect(signal.seen(since: 1, claimed: ["note": [8]], of: jobs) == nil)
    #expect(signal.seen(since: 1, claimed: [:], of: jobs) == nil)
    #expect(signal.seen(since: 0, claimed: ["note": [7]], of: jobs) == nil)
    due.together["other"] = 5
    signal.ring(for: due)
    #expect(signal.seen(since: 1, claimed: ["note": [7]], of: jobs) == 3)
    due.alone = ["note"]
    signal.ring(for: due)
    #expect(signal.seen(since: 1, claimed: ["note": [7]], of: jobs) == nil)
  }

  /// A claim is an UPDATE, even if the claim finds no run.
  ///
  /// In this test, no other statement updates runs.
  @Test func `after a batch that was not full, an executor claims again after a wake-up`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      for statement in [
        "create sequence claims",
        """
        create function count_claim() returns trigger language plpgsql as $$
        begin perform nextval('claims'); return null; end $$
        """,
        "create trigger count_claim before update on run execute function count_claim()",
      ] { try await queue.test.sql(statement) }
      let registration = queue.registration()
      let (wakeUp, executor) = (registration.worker.wakeUp, registration.makeExecutor())
      let running = Task { await executor.run() }
      defer { wakeUp.stop() }
      var due = DueJobs()
      due.together["note"] = 5
      wakeUp.ring(for: due)
      try await eventually("the run is done") { try await queue.noted() == ["a"] }
      try await Task.sleep(for: .milliseconds(200))
      #expect(try await queue.test.sql("select last_value from claims") == ["1"])
      wakeUp.ring(for: due)
      try await eventually("the next claim") {
        try await queue.test.sql("select last_value > 1 from claims") == ["t"]
      }
      wakeUp.stop()
      await running.value
    }
  }

  /// Another worker has dispatched the second event of the key, so this worker gets no wake-up.
  @Test func `after a long batch, an executor claims again without a wake-up`() async throws {
    try await NoteQueue.with { queue in
      let job = RegisteredJob(LastingJob.self) { Notebook(transaction: $0) }
      try await queue.queue.define([job])
      let enqueue = "select enqueue('lasting', 'a')"
      try await queue.test.sql(enqueue)
      _ = try await queue.queue.foldAtOnce()
      let registration = Registration(
        of: WorkerContext([job], logger: .quiet), on: queue.test.configuration,
        in: queue.test.schema)
      let (wakeUp, executor) = (registration.worker.wakeUp, registration.makeExecutor())
      let running = Task { await executor.run() }
      defer { wakeUp.stop() }
      try await queue.test.holding("lock table noted in access exclusive mode") { lock in
        var due = DueJobs()
        due.together["lasting"] = 5
        wakeUp.ring(for: due)
        try await lock.waitUntilItBlocks()
        try await queue.test.sql(enqueue)
        _ = try await queue.queue.foldAtOnce()
        try await Task.sleep(for: PollingLock.memory)
        try await lock.release()
      }
      try await eventually("both runs are done") { try await queue.noted() == ["a", "a"] }
      wakeUp.stop()
      await running.value
    }
  }

  @Test func `a claim waits while somebody has the whole table`() async throws {
    try await NoteQueue.with { queue in
      let executor = try await queue.executor()
      try await queue.write("a", "b")
      _ = try await queue.queue.foldAtOnce()
      // The claim waits for about a second. On a busy machine, the lock may be held for longer.
      var keys: [String]?
      for _ in 1...20 where keys == nil {
        keys = try await queue.test.holding("lock table run in access exclusive mode") { lock in
          let began = ContinuousClock.now
          let claiming = Task { try await executor.claim(queue.job) }
          try await lock.waitUntilItBlocks()
          try await Task.sleep(for: .milliseconds(200))
          try await lock.release()
          let isLate = began.duration(to: .now) > .milliseconds(800)
          let claim = await claiming.result
          guard isLate else { return try claim.get()?.keys.sorted() }
          return (try? claim.get())?.keys.sorted()
        }
      }
      #expect(keys == ["a", "b"])
      await executor.close()
    }
  }

  /// The trigger counts the attempts to claim the blocked run.
  ///
  /// PostgreSQL does not roll back a sequence.
  @Test func `claims of a run that waits for a parked run conflict less and less often`()
    async throws
  {
    try await NoteQueue.with { queue in
      for statement in [
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, has_checkpoint,
          claim_number)
        select 'note', 'a', 'running', t + interval '1 hour', t, t, true, -1 from now() t
        """,
        "create sequence conflicts",
        """
        create function count_conflict() returns trigger language plpgsql as $$
        begin perform nextval('conflicts'); return new; end $$
        """,
        "create trigger count_conflict before update on run for each row execute function count_conflict()",
      ] { try await queue.test.sql(statement) }
      let executor = try await queue.executor()
      try await queue.test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at)
        select 'note', 'a', 'ready', t, t, t from now() t
        """)
      let end = ContinuousClock.now + .milliseconds(3_500)
      while ContinuousClock.now < end {
        let claim = try await executor.claim(queue.job)
        #expect(claim?.keys == nil)
        try await Task.sleep(for: .milliseconds(20))
      }
      // The first conflict, and the second conflict after 2 s.
      let conflicts = try await queue.test.sql(
        "select last_value <= 2 and is_called from conflicts")
      #expect(conflicts == ["t"])
      await executor.close()
    }
  }

  @Test(.sampled())
  func `a drain outlasts whoever has a key for longer than a claim waits`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a", "b")
      let running = """
        insert into run (job, key, state, due, first_event_at, last_event_at, token, worker)
        select 'note', 'a', 'running', t, t, t, gen_random_uuid(), gen_random_uuid() from now() t
        """
      let drainer = try await Drainer(
        [queue.job], on: queue.test.configuration, schema: queue.test.schema, logger: .quiet)
      let dead = try await queue.test.holding(running) { lock in
        let draining = Task { try await drainer.drain() }
        try await lock.waitUntilItBlocks()
        try await Task.sleep(for: .milliseconds(1_500))
        try await lock.release()
        return try await draining.value
      }
      #expect(dead == 0)
      #expect(try await queue.noted() == ["a", "b"])
      try await drainer.close()
    }
  }

  @Test func `VACUUM takes no lock of the runs that claims wait for`() async throws {
    try await NoteQueue.with { queue in
      try await queue.test.sql("select enqueue('note', 'k' || n) from generate_series(1, 2000) n")
      _ = try await queue.queue.foldAtOnce()
      try await queue.test.sql("delete from run")
      let vacuum = Statement("test/vacuum", "vacuum \(queue.test.schema.name).run")
      let pages = "from pg_class where oid = 'run'::regclass"
      // A snapshot of another test can keep the rows for a while.
      try await eventually("a table known to be empty", within: .seconds(120)) {
        try await queue.connection.script(vacuum)
        return try await queue.test.sql("select relallvisible = relpages \(pages)") == ["t"]
      }
      #expect(try await queue.test.sql("select relpages > 0 \(pages)") == ["t"])
    }
  }
}
