import Foundation
import TestSupport
import Testing

/// Signals that say more than "stop when you can": docs/guides/deploying.md has what each does.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct StopSignalTests {
  /// A worker in the middle of work that waits for a lock, which `body` gets.
  private func withBusyWorker(
    bash line: String = #"exec "$0" "$@""#,
    _ body: (TestSchema, TestProcess, HeldLock) async throws -> Void
  ) async throws {
    try await TestSchema.with { schema in
      let people = People(schema)
      try await people.join("u1", group: "g")
      #expect(try await people.record("u1", "w1", at: "now() - interval '1 second'") == "accepted")
      try await schema.gymrats.succeed("worker", "--until-idle")
      try await schema.holding("select from board_version for update") { lock in
        #expect(try await people.record("u1", "w2") == "accepted")
        let worker = try schema.gymrats.start(bash: line, ["worker"])
        defer { worker.signal(SIGKILL) }
        try await lock.waitUntilItBlocks()
        try await body(schema, worker, lock)
      }
      // Whatever became of the worker, no run is lost or dead.
      try await schema.gymrats.succeed("worker", "--until-idle", within: .seconds(60))
      #expect(try await people.published("u1") == 2)
      #expect(try await schema.sql("select count(*) from dead_run") == ["0"])
    }
  }

  @Test(arguments: [(SIGTERM, SIGTERM), (SIGINT, SIGINT), (SIGHUP, SIGTERM)])
  func `a second signal rolls back at once and gives the runs back`(
    first: Int32, second: Int32
  ) async throws {
    try await withBusyWorker { schema, worker, lock in
      worker.signal(first)
      try await eventually("a worker that stops, and still works") {
        try await schema.sql("select count(*) from run where state = 'running'") != ["0"]
      }
      try #require(worker.isRunning)
      // Two signals of one kind that are sent together are one.
      try await Task.sleep(for: .milliseconds(200))
      let began = ContinuousClock.now
      worker.signal(second)
      #expect(try await worker.wait(within: .seconds(20)).status == 0)
      // Below the 8 s that the first one gives.
      #expect(ContinuousClock.now - began < .seconds(7))
      let runs = try await schema.sql("select state, attempt, crashes from run")
      #expect(!runs.isEmpty && Set(runs) == ["ready,0,0"], "\(runs)")
      #expect(try await schema.sql("select count(*) from worker") == ["0"])
    }
  }

  @Test func `a second signal ends a worker too whose server does not answer`() async throws {
    try await withBusyWorker { schema, worker, lock in
      let busy = try await schema.sql(
        """
        select pid from pg_stat_activity
        where wait_event_type = 'Lock' and query like '%board_version%'
          and datname = current_database()
        """
      )
      let backends = busy.compactMap { Int32($0) }
      try #require(!backends.isEmpty)
      for backend in backends { kill(backend, SIGSTOP) }
      defer { for backend in backends { kill(backend, SIGCONT) } }
      worker.signal(SIGTERM)
      try await Task.sleep(for: .milliseconds(200))
      worker.signal(SIGTERM)
      #expect(try await worker.wait(within: .seconds(8)).status == 75)
      #expect(try await schema.sql("select count(*) from run where state = 'running'") != ["0"])
    }
  }

  @Test func `a run by hand ends too if its server does not answer`() async throws {
    try await TestSchema.with { schema in
      let people = People(schema)
      try await people.join("u1", group: "g")
      #expect(try await people.record("u1", "w1") == "accepted")
      try await schema.gymrats.succeed("worker", "--until-idle")
      let board = try #require(try await schema.sql("select id from challenge limit 1").first)
      try await schema.holding("select from board_version for update") { lock in
        let run = try schema.gymrats.start("run", "recompute-ranks", "--key", board)
        defer { run.signal(SIGKILL) }
        try await lock.waitUntilItBlocks()
        let backends = try await schema.sql(
          """
          select pid from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()
          """
        ).compactMap { Int32($0) }
        try #require(!backends.isEmpty)
        for backend in backends { kill(backend, SIGSTOP) }
        defer { for backend in backends { kill(backend, SIGCONT) } }
        run.signal(SIGTERM)
        #expect(try await run.wait(within: .seconds(20)).status == 75)
      }
    }
  }

  @Test func `SIGHUP stops a worker, unless nohup has made it deaf to it`() async throws {
    try await withBusyWorker { schema, worker, lock in
      worker.signal(SIGHUP)
      try await lock.release()
      #expect(try await worker.wait(within: .seconds(10)).status == 0)
      #expect(try await schema.sql("select count(*) from worker") == ["0"])
    }
    try await withBusyWorker(bash: #"trap '' HUP; exec "$0" "$@""#) { schema, worker, lock in
      worker.signal(SIGHUP)
      try await lock.release()
      let people = People(schema)
      try await eventually("the work") { try await people.published("u1") == 2 }
      #expect(worker.isRunning)
      worker.signal(SIGTERM)
      #expect(try await worker.wait(within: .seconds(10)).status == 0)
    }
  }

  @Test func `SIGQUIT ends a worker as SIGKILL does, and another takes its runs over`()
    async throws
  {
    try await withBusyWorker { (schema, worker, _) async throws in
      worker.signal(SIGQUIT)
      #expect(try await worker.wait(within: .seconds(5)).status == 128 + SIGQUIT)
      #expect(try await schema.sql("select count(*) from run where state = 'running'") != ["0"])
    }
  }
}
