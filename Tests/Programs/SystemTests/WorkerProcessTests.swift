import Foundation
import TestSupport
import Testing

/// Tests worker processes with real signals.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct WorkerProcessTests {
  // MARK: - Until idle

  @Test(.sampled()) func `until idle ends at once where nothing is to do`() async throws {
    try await TestSchema.with { schema in
      let ended = try await schema.gymrats.run("worker", "--until-idle", within: .seconds(30))
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(ended.errors == "")
      #expect(try await schema.sql("select count(*) from worker") == ["0"])
    }
  }

  @Test(.sampled()) func `until idle publishes what was written and leaves nothing`() async throws {
    try await TestSchema.with { schema in
      let people = People(schema)
      for user in ["u1", "u2", "u3"] {
        try await people.join(user, group: "g")
        #expect(try await people.record(user, "w1") == "accepted")
      }
      #expect(try await people.published("u1") == 0)
      let ended = try await schema.gymrats.run("worker", "--until-idle", within: .seconds(30))
      #expect(ended.status == 0, "\(ended.errors)")
      for user in ["u1", "u2", "u3"] { #expect(try await people.published(user) == 1) }
      #expect(try await schema.sql("select count(*) from run") == ["0"])
    }
  }

  @Test(.sampled())
  func `until idle says with its exit code that runs died, but not before it`() async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      // For every job, one run that died long ago, and one run that will die.
      try await schema.sql(
        """
        insert into dead_run (id, job, key, attempt, error, died_at)
        select 1000 + row_number() over (), name, 'a key', 8, 'an error', now() from job
        """)
      try await schema.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, attempt)
        values ('close-week', 'no week', 'ready', now(), now(), now(), 99999)
        """)
      let own = try await schema.gymrats.run(
        "worker", "--until-idle", "--jobs", "recompute-ranks,retention", within: .seconds(30))
      #expect(own.status == 0, "\(own.errors)")
      let all = try await schema.gymrats.run("worker", "--until-idle", within: .seconds(30))
      #expect(all.status == 1, "\(all.errors)")
      #expect(all.errors.contains("error: 1 run died.\nwhere: table dead_run\nnext:  Fix"))
      let again = try await schema.gymrats.run("worker", "--until-idle", within: .seconds(30))
      #expect(again.status == 0, "\(again.errors)")
    }
  }

  @Test(.sampled()) func `until idle waits for what it could work and for nothing else`()
    async throws
  {
    try await TestSchema.with { schema in
      let gymrats = schema.gymrats
      try await gymrats.succeed("migrate")
      try await gymrats.succeed("enqueue", "retention", "--key", "scheduled")
      try await gymrats.succeed(
        "worker", "--until-idle", "--jobs", "recompute-ranks", within: .seconds(30))
      #expect(try await schema.sql("select job, state from run") == ["retention,ready"])
      // A job that only another binary contains.
      try await schema.sql("insert into job (name, quiet, at_most) values ('later', '0', '0')")
      try await schema.sql("select enqueue('later', 'k')")
      try await gymrats.succeed("jobs", "pause", "retention")
      try await gymrats.succeed("worker", "--until-idle", within: .seconds(30))
      #expect(
        try await schema.sql("select job, state from run order by 1") == [
          "later,ready", "retention,ready",
        ])
      try await gymrats.succeed("jobs", "resume", "retention")
      try await gymrats.succeed("worker", "--until-idle", within: .seconds(30))
      #expect(try await schema.sql("select job, state from run") == ["later,ready"])
    }
  }

  @Test(.sampled()) func `until idle waits for what another worker holds`() async throws {
    try await TestSchema.with { schema in
      let people = try await publishedOnce(schema)
      try await schema.holding("select from board_version for update") { lock in
        #expect(try await people.record("u1", "w2") == "accepted")
        let holder = try schema.gymrats.start("worker")
        defer { holder.signal(SIGKILL) }
        try await lock.waitUntilItBlocks()
        let idler = try schema.gymrats.start("worker", "--until-idle")
        defer { idler.signal(SIGKILL) }
        try await eventually("the second worker") {
          try await schema.sql("select id from worker").count == 2
        }
        // The time is sufficient for several polls of the queue.
        let seen = ContinuousClock.now
        try await eventually("a second of waiting") {
          try #require(idler.isRunning)
          return ContinuousClock.now - seen > .seconds(1)
        }
        try await lock.release()
        #expect(try await idler.wait(within: .seconds(30)).status == 0)
        #expect(try await people.published("u1") == 2)
      }
    }
  }

  // MARK: - Signals

  @Test(.sampled(), arguments: [SIGTERM, SIGINT])
  func `a signal ends an idle worker quickly and well`(signal: Int32) async throws {
    try await TestSchema.with { schema in
      let worker = try await startedWorker(schema)
      defer { worker.signal(SIGKILL) }
      // The limit is below the 8 s for work in progress.
      try await expectTime(below: .seconds(7), "the end of an idle worker") {
        worker.signal(signal)
        let ended = try await worker.wait(within: .seconds(10))
        #expect(ended.status == 0, "\(ended.errors)")
      }
      #expect(try await schema.sql("select count(*) from worker") == ["0"])
    }
  }

  @Test(.sampled())
  func `SIGTERM rolls back work that does not end and takes no attempt for it`() async throws {
    try await TestSchema.with { schema in
      let people = try await publishedOnce(schema)
      let before = try await schema.sql("select board_version::text from board_version")
      try await schema.holding("select from board_version for update") { lock in
        #expect(try await people.record("u1", "w2") == "accepted")
        let worker = try schema.gymrats.start("worker")
        defer { worker.signal(SIGKILL) }
        try await lock.waitUntilItBlocks()
        try await expectTime(below: .seconds(10) * patience, "the end of a busy worker") {
          worker.signal(SIGTERM)
          let ended = try await worker.wait(within: .seconds(20))
          #expect(ended.status == 0, "\(ended.errors)")
        }
        let runs = try await schema.sql("select state || ' ' || attempt || ' ' || crashes from run")
        #expect(!runs.isEmpty)
        #expect(Set(runs) == ["\"ready 0 0\""])
        #expect(try await people.published("u1") == 1)
        #expect(try await schema.sql("select board_version::text from board_version") == before)
        try await lock.release()
      }
      try await schema.gymrats.succeed("worker", "--until-idle")
      #expect(try await people.published("u1") == 2)
    }
  }

  @Test(.sampled()) func `SIGTERM lets work end that is about to`() async throws {
    try await TestSchema.with { schema in
      let people = try await publishedOnce(schema)
      try await schema.holding("select from board_version for update") { lock in
        #expect(try await people.record("u1", "w2") == "accepted")
        let worker = try schema.gymrats.start("worker")
        defer { worker.signal(SIGKILL) }
        try await lock.waitUntilItBlocks()
        worker.signal(SIGTERM)
        try await lock.release()
        #expect(try await worker.wait(within: .seconds(10)).status == 0)
      }
      #expect(try await people.published("u1") == 2)
      #expect(try await schema.sql("select count(*) from run") == ["0"])
    }
  }

  @Test(.sampled()) func `a worker killed in its work is taken over within seconds`()
    async throws
  {
    try await TestSchema.with { schema in
      let people = try await publishedOnce(schema)
      try await schema.holding("select from board_version for update") { lock in
        #expect(try await people.record("u1", "w2") == "accepted")
        let first = try schema.gymrats.start("worker")
        defer { first.signal(SIGKILL) }
        try await lock.waitUntilItBlocks()
        first.signal(SIGKILL)
        try await first.end(with: 128 + SIGKILL)
        #expect(try await schema.sql("select count(*) from run where state = 'running'") != ["0"])
        let second = try await startedWorker(schema)
        defer { second.signal(SIGKILL) }
        try await lock.release()
        try await eventually("the new rank", within: .seconds(10)) {
          try await people.published("u1") == 2
        }
        try await eventually("the end of the runs", within: .seconds(10)) {
          try await schema.sql("select count(*) from run") == ["0"]
        }
        #expect(try await schema.sql("select count(*) from dead_run") == ["0"])
        second.signal(SIGTERM)
        #expect(try await second.wait(within: .seconds(10)).status == 0)
      }
    }
  }

  @Test(.sampled()) func `a user's write waits for no worker in its work`() async throws {
    try await TestSchema.with { schema in
      let people = try await publishedOnce(schema)
      let number = Int.random(in: 1...1_000_000_000)
      // The job stops at its end, when it holds all its locks.
      try await schema.sql(
        """
        create function stop_work() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock(\(number)); return null; end $$
        """)
      try await schema.sql(
        """
        create trigger stop_work after update on board_version
        for each statement execute function stop_work()
        """)
      try await schema.holding("select pg_advisory_xact_lock(\(number))") { lock in
        #expect(try await people.record("u1", "w2") == "accepted")
        let worker = try schema.gymrats.start("worker")
        defer { worker.signal(SIGKILL) }
        try await lock.waitUntilItBlocks()
        for number in 3...20 {
          // The limit allows for a busy machine. A wait for a lock would never end.
          try await expectTime(below: .seconds(20) * patience, "the write of w\(number)") {
            () async throws in
            #expect(try await people.record("u1", "w\(number)") == "accepted")
          }
        }
        #expect(try await people.published("u1") == 1)
        try await lock.release()
        try await eventually("the new rank") { try await people.published("u1") == 20 }
      }
    }
  }

  // MARK: - Two Batons

  @Test(.sampled()) func `two Batons of one database do not see each other's work`() async throws {
    try await TestSchema.with { one in
      try await TestSchema.with { other in
        for schema in [one, other] {
          try await People(schema).join("u1", group: "g")
          #expect(try await People(schema).record("u1", "w1") == "accepted")
        }
        try await one.gymrats.succeed("worker", "--until-idle")
        #expect(try await People(one).published("u1") == 1)
        #expect(try await People(other).published("u1") == 0)
        #expect(try await other.sql("select count(*) > 0 from event") == ["t"])
        try await other.gymrats.succeed("worker", "--until-idle")
        #expect(try await People(other).published("u1") == 1)
      }
    }
  }

  /// Creates a schema with one member whose first workout is published.
  private func publishedOnce(_ schema: TestSchema) async throws -> People {
    let people = People(schema)
    try await people.join("u1", group: "g")
    #expect(try await people.record("u1", "w1", at: "now() - interval '1 second'") == "accepted")
    try await schema.gymrats.succeed("worker", "--until-idle")
    try #require(try await people.published("u1") == 1)
    return people
  }

  private func startedWorker(_ schema: TestSchema) async throws -> TestProcess {
    let known = try await schema.sql("select id from worker")
    let worker = try schema.gymrats.start("worker")
    try await eventually("the worker's entry") {
      !Set(try await schema.sql("select id from worker")).subtracting(known).isEmpty
    }
    return worker
  }
}
