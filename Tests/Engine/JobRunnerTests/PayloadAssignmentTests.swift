import BatonPostgres
import Foundation
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests claims of a job that receives only the newest payload, between the claim and the end of
/// the assignment of stored payloads.
@Suite(.timeLimit(.minutes(5))) struct PayloadAssignmentTests {
  /// Creates a running run with the key `a` and the given token, and the payloads 1 to 3.
  ///
  /// The run was dispatched with the second payload. The third payload has a ready run.
  private func fill(_ queue: NoteQueue, token: UUID, worker: UUID? = nil) async throws {
    try await queue.test.sql(
      """
      insert into run (job, key, state, due, first_event_at, last_event_at, attempt, token, worker,
        payload, payload_event)
      values ('note', 'a', 'running', now(), now(), now(), 1, '\(token)', '\(worker ?? token)',
        '{"n": 2}', 2)
      """)
    try await queue.test.sql(
      """
      insert into run (job, key, state, due, first_event_at, last_event_at, payload, payload_event)
      values ('note', 'a', 'ready', now(), now(), now(), '{"n": 3}', 3)
      """)
    try await queue.test.sql(
      """
      insert into run_payload (id, job, key, payload)
      select n, 'note', 'a', jsonb_build_object('n', n) from generate_series(1, 3) n
      """)
  }

  private func id(_ queue: NoteQueue, _ state: String) async throws -> Int64 {
    let ids = try await queue.test.sql("select id from run where state = '\(state)'")
    return try #require(ids.first.flatMap { Int64($0) })
  }

  private func assign(to run: Int64, under token: UUID, in queue: NoteQueue) async throws -> Int {
    try await queue.queue.session.atomically(
      .count(SQL.Queue.assignPayloads, "note", [run], ["a"], token))
  }

  private func payloads(_ queue: NoteQueue) async throws -> [String] {
    try await queue.test.sql("select id from run_payload order by id")
  }

  @Test func `a run that another worker has claimed is assigned no payloads`() async throws {
    try await NoteQueue.with { queue in
      let token = UUID()
      try await fill(queue, token: token)
      let run = try await id(queue, "running")
      #expect(try await assign(to: run, under: UUID(), in: queue) == 0)
      #expect(try await assign(to: run, under: token, in: queue) == 2)
    }
  }

  @Test func `an assignment waits for a transaction that returns the run`() async throws {
    try await NoteQueue.with { queue in
      let token = UUID()
      try await fill(queue, token: token)
      let run = try await id(queue, "running")
      let assigned = try await queue.test.holding("delete from run where state = 'running'") {
        lock in
        let assigning = Task { try await assign(to: run, under: token, in: queue) }
        try await lock.waitUntilItBlocks()
        try await lock.commit()
        return try await assigning.value
      }
      #expect(assigned == 0)
    }
  }

  @Test func `a cancelled ready run leaves the payloads of a claimed run`() async throws {
    try await NoteQueue.with { queue in
      try await fill(queue, token: UUID())
      let run = try await id(queue, "ready")
      #expect(try await queue.queue.cancel(run) == .cancelled(run))
      #expect(try await payloads(queue) == ["1", "2"])
    }
  }

  /// The running run has received its payloads, so the other payloads belong to the ready run.
  @Test func `a cancelled ready run takes along the rest of a run's payloads`() async throws {
    try await NoteQueue.with { queue in
      try await fill(queue, token: UUID())
      let running = try await id(queue, "running")
      try await queue.test.sql("update run_payload set taken_by = \(running) where id = 1")
      let run = try await id(queue, "ready")
      #expect(try await queue.queue.cancel(run) == .cancelled(run))
      #expect(try await payloads(queue) == ["1"])
    }
  }

  @Test(arguments: [false, true])
  func `a cancelled run of a dead worker takes along its payloads`(hasTaken: Bool) async throws {
    try await NoteQueue.with { queue in
      try await fill(queue, token: UUID())
      let run = try await id(queue, "running")
      if hasTaken {
        try await queue.test.sql("update run_payload set taken_by = \(run) where id = 1")
      }
      try await queue.test.sql(
        "insert into cancellation (run_id, job, key) values (\(run), 'note', 'a')")
      _ = try await queue.queue.reclaim()
      #expect(try await payloads(queue) == (hasTaken ? ["2", "3"] : ["3"]))
      #expect(try await queue.test.sql("select state from run") == ["ready"])
    }
  }

  @Test(arguments: [false, true])
  func `a run that dies with its worker keeps its payloads`(isOwnStored: Bool) async throws {
    try await NoteQueue.with { queue in
      try await fill(queue, token: UUID())
      if !isOwnStored { try await queue.test.sql("delete from run_payload where id = 2") }
      try await queue.test.sql(
        """
        update run set crashes = 2, crashed_at = array[now(), now()], batch_limit = -1
        where state = 'running'
        """)
      _ = try await queue.queue.reclaim()
      let kept = try await queue.test.sql(
        """
        select p.id, p.payload ->> 'n' from run_payload p join dead_run d on d.id = p.taken_by
        order by p.id
        """)
      #expect(kept == ["1,1", "2,2"])
      #expect(try await payloads(queue) == ["1", "2", "3"])
    }
  }

  @Test func `a worker that ends returns a run whose payloads it has not assigned`() async throws {
    try await NoteQueue.with { queue in
      let (identity, token) = (WorkerIdentity(), UUID())
      let registration = queue.registration(identity)
      let session = try await registration.control.session()
      try await registration.enter(on: session)
      try await fill(queue, token: token, worker: identity.id)
      try await queue.test.sql("delete from run where state = 'ready'")
      identity.claims.begin(token)
      identity.claims.abandon(token)
      try await registration.leave(on: session)
      await registration.control.close()
      #expect(try await queue.count("worker") == 0)
      #expect(try await queue.test.sql("select state, attempt, crashes from run") == ["ready,0,0"])
    }
  }

  /// At most two claims of a job run at the same time.
  @Test func `an assignment does not delay other claims of the job`() async throws {
    try await NoteQueue.with { queue in
      let executors = queue.executors(3)
      try await queue.test.sql(
        """
        insert into run_payload (id, job, key, payload)
        select 1, 'note', key, '{}' from unnest(array['a', 'b']) key
        """)
      let claims = try await queue.test.holding("select from run_payload for update") { lock in
        var claims: [Task<Claim?, any Error>] = []
        for (number, key) in ["a", "b"].enumerated() {
          try await insert(key, in: queue)
          claims.append(Task { try await executors[number].claim(queue.job) })
          try await lock.waitUntilItBlocks(number + 1)
        }
        try await insert("c", in: queue)
        #expect(try await executors[2].claim(queue.job)?.keys == ["c"])
        try await lock.release()
        return claims
      }
      var keys: [String] = []
      for claim in claims { keys += try await claim.value?.keys ?? [] }
      #expect(keys == ["a", "b"])
      for executor in executors { await executor.close() }
    }
  }

  private func insert(_ key: String, in queue: NoteQueue) async throws {
    try await queue.test.sql(
      """
      insert into run (job, key, state, due, first_event_at, last_event_at, payload, payload_event)
      values ('note', '\(key)', 'ready', now(), now(), now(), '{}', 2)
      """)
  }
}
