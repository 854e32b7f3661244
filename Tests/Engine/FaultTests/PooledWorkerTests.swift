import BatonPostgres
import Foundation
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Workers that use PgBouncer in transaction mode, with fewer server processes than connections.
@Suite(.timeLimit(.minutes(5)))
struct PooledWorkerTests {
  @Test(.sampled()) func `two workers drain what concurrent writers commit, each run once`()
    async throws
  {
    let random = Randomness()
    try await withQueue { _, queue in
      try await queue.working(on: queue.configuration) {
        try await withThrowingTaskGroup { group in
          for _ in 0..<4 {
            group.addTask {
              let connection = try await Connection.open(queue.configuration)
              for _ in 0..<100 {
                try await queue.write(["k\(random.number(in: 1...200))"], on: connection)
              }
              await connection.close()
            }
          }
          try await group.waitForAll()
        }
        try await queue.expectEverythingOnce()
        #expect(try await queue.sql("select sum(version) from source") == ["400"])
        #expect(try await queue.sql("select count(*) from worker where is_direct") == ["0"])
        // In transaction mode, workers cannot be woken. No write tries to wake a worker, and no
        // worker holds a lock of a session.
        #expect(try await queue.sql("select has_listener from event_segment") == ["f"])
        let locks = "pg_locks where locktype = 'advisory' and mode = 'ShareLock'"
        #expect(try await queue.count("\(locks) and database = (\(queue.database))") == 0)
      }
    }
  }

  @Test(.sampled()) func `a failing batch is split until the culprit is alone`() async throws {
    try await withQueue { _, queue in
      try await queue.write("k1", "k2", "k3", "bad", "k4", "k5", "k6", "k7")
      try await queue.working(on: queue.configuration) {
        try await queue.expectEverythingOnce()
      }
      let dead = try await queue.sql("select key, attempt, error from dead_run")
      #expect(dead == ["bad,6,\"bad always fails\""])
      #expect(try await queue.sql("select count(*) from effect") == ["7"])
    }
  }

  @Test func `a claim that was taken over changes nothing`() async throws {
    try await withQueue { _, queue in
      try await queue.write("k1")
      _ = try await queue.look { try await $0.foldAtOnce() }
      let registration = Registration(
        of: WorkerContext([queue.job], logger: .quiet), on: queue.configuration, in: queue.schema)
      try await registration.enter(on: registration.control.session())
      let executor = registration.makeSharingExecutor()
      let claim = try #require(try await executor.claim(queue.job))
      try await queue.sql("update run set token = gen_random_uuid()")
      let lost = await #expect(throws: PostgresError.self) { try await executor.work(claim) }
      #expect(lost?.sqlState == .claimLost)
      #expect(try await queue.sql("select count(*) from effect") == ["0"])
      #expect(try await queue.sql("select state from run") == ["running"])
      await executor.close()
    }
  }

  @Test(.sampled()) func `a pooler killed again and again under load loses nothing`()
    async throws
  {
    let random = Randomness()
    // The test itself does not connect through the pooler, because it kills the pooler.
    try await withQueue(at: try TestServer.address) { pooler, queue in
      let pooled = queue.configuration.through(pooler.address)
      try await queue.working(on: pooled) {
        try await withThrowingTaskGroup { group in
          let isOver = Flag()
          for _ in 0..<2 {
            group.addTask {
              try await queue.keepWriting(random, on: pooled, until: { isOver.isSet })
            }
          }
          defer { isOver.set() }
          for _ in 0..<5 {
            let done = try await queue.count("effect")
            try await eventually("work between two kills") {
              try await queue.count("effect") > done
            }
            try await Task.sleep(for: .milliseconds(random.number(in: 0...200)))
            pooler.kill()
            try await pooler.start()
          }
          isOver.set()
          try await group.waitForAll()
        }
        try await queue.expectEverythingOnce()
      }
    }
  }

  @Test(.sampled())
  func `a missing heartbeat returns the runs of a worker killed behind the pooler`()
    async throws
  {
    try await PgBouncer.with(poolSize: 4) { pooler in
      try await TestSchema.with(at: pooler.address) { schema in
        let people = People(schema)
        try await people.join("u1", group: "g")
        #expect(
          try await people.record("u1", "w1", at: "now() - interval '1 second'") == "accepted")
        try await schema.gymrats.succeed("worker", "--until-idle")
        try await schema.holding("select from board_version for update") { lock in
          #expect(try await people.record("u1", "w2") == "accepted")
          let first = try schema.gymrats.start("worker")
          defer { first.signal(SIGKILL) }
          try await eventually("runs in hand") {
            try await schema.sql("select count(*) from run where state = 'running'") != ["0"]
          }
          let second = try schema.gymrats.start("worker")
          defer { second.signal(SIGKILL) }
          try await eventually("the second worker") {
            try await schema.sql("select count(*) from worker") == ["2"]
          }
          // A stopped process sends no more heartbeats.
          first.signal(SIGSTOP)
          let lease = try await WorkerLease(of: first, in: schema)
          first.signal(SIGKILL)
          let began = ContinuousClock.now
          try await lock.release()
          try await eventually("the runs", within: .seconds(60)) {
            try await people.published("u1") == 2
          }
          let time = ContinuousClock.now - began
          print("behind the pooler the runs came back after \(time)")
          #expect(try await lease.hasEnded())
          // The requirement is 20 s.
          #expect(time < .seconds(22) * patience)
          second.signal(SIGTERM)
          #expect(try await second.wait(within: .seconds(30)).status == 0)
        }
        #expect(try await schema.sql("select count(*) from dead_run") == ["0"])
      }
    }
  }

  /// Calls the body with a pooler and a queue.
  ///
  /// The test also connects through the pooler, or to `address`.
  private func withQueue(
    at address: String? = nil, _ body: (PgBouncer, CountQueue) async throws -> Void
  ) async throws {
    try await PgBouncer.with { pooler in
      try await CountQueue.with(at: address ?? pooler.address) { try await body(pooler, $0) }
    }
  }
}
