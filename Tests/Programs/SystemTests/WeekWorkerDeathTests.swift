import Foundation
import TestSupport
import Testing

/// Tests SIGKILL of workers in the middle of a step: committed steps remain, and the next worker
/// continues.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct WeekWorkerDeathTests {
  @Test(.sampled())
  func `a close outlives two workers that die in it, and tells each member once`()
    async throws
  {
    try await TestSchema.with { schema in
      let due = DueWeeks(schema: schema)
      try await due.make(groups: 120, members: 2, weeks: [1, 2])
      try await schema.slowDown("after update", "challenge", seconds: 1)
      let closed = "select count(*) from closed_week"
      for _ in 1...2 {
        let before = try await count(closed, schema)
        try await killWorker(of: "close-week", inStepThatWrites: "challenge", schema) {
          try await count(closed, schema) > before
        }
      }
      #expect((1..<240).contains(try await count(closed, schema)), "not in the middle of it")
      // Boards of the same groups may wait to be ranked, which is another job.
      let killed = try await schema.sql(
        "select state, attempt from run where job = 'close-week'")
      #expect(killed == ["running,1"])
      try await due.mend("challenge")
      try await schema.gymrats.succeed("worker", "--until-idle")
      try await due.expectClosedOnce()
      try await expectNothingLeft(schema)
      let ended = try await schema.sql(
        "select outcome, attempt from run_history where job = 'close-week'")
      // The attempts are counted from the last committed step.
      #expect(ended == ["done,1"])
    }
  }

  @Test(.sampled()) func `a purge outlives two workers that die in it`() async throws {
    try await TestSchema.with { schema in
      let due = DueWeeks(schema: schema)
      try await due.make(groups: 3, members: 2, weeks: [14, 15])
      try await schema.gymrats.succeed("worker", "--until-idle")
      try await WeekCronTests.addOldRows(schema)
      try await schema.gymrats.succeed("enqueue", "retention", "--key", "scheduled")
      // One statement deletes all boards. It must last until the test has seen it on a busy
      // machine.
      try await schema.slowDown("after delete", "challenge", seconds: 3)
      for _ in 1...2 {
        // The partitions are truncated by separate steps, before the boards are deleted.
        try await killWorker(of: "retention", inStepThatWrites: "challenge", schema) {
          try await count("select count(*) from notification", schema) == 0
        }
        #expect(try await count("select count(*) from challenge", schema) == 12)
      }
      try await due.mend("challenge")
      try await schema.gymrats.succeed("worker", "--until-idle")
      try await WeekCronTests.expectNothingOld(schema)
      try await expectNothingLeft(schema)
    }
  }

  // MARK: Parts

  /// Starts a worker of one job.
  ///
  /// Kills it when `condition` is true, while it has the run and a statement waits in the trigger
  /// on `table`.
  ///
  /// If the worker also had runs of another job, no attempt would count, because the cause would be
  /// unknown.
  private func killWorker(
    of job: String, inStepThatWrites table: String, _ schema: TestSchema,
    once condition: () async throws -> Bool
  ) async throws {
    let worker = try schema.gymrats.start("worker", "--jobs", job)
    defer { worker.signal(SIGKILL) }
    // Only sessions of this schema count, because other tests sleep in the same server.
    let asleep = """
      select count(*) from pg_stat_activity join pg_locks using (pid)
      where wait_event = 'PgSleep' and relation = '\(table)'::regclass and mode = 'RowExclusiveLock'
      """
    // Only this worker counts, because the server may still execute a statement of the previous
    // worker.
    let held = """
      select count(*) from run r join worker w on w.id = r.worker
      where r.job = '\(job)' and r.state = 'running'
        and w.name like '%:\(worker.id)'
      """
    try await eventually("a step that is worked") {
      // The condition is checked first, because it reads partitions that the job truncates, and the
      // job must not wait for the test.
      guard try await count(held, schema) == 1, try await count(asleep, schema) == 1 else {
        return false
      }
      return try await condition()
    }
    worker.signal(SIGKILL)
    _ = try await worker.wait()
    // The server continues the statement, and only notices at its end that the connection is
    // closed.
    try await eventually("the end of its statement") { try await count(asleep, schema) == 0 }
  }

  private func expectNothingLeft(_ schema: TestSchema) async throws {
    let left = try await schema.sql(
      "select (select count(*) from run), (select count(*) from dead_run)")
    #expect(left == ["0,0"], "runs left, dead runs")
  }

  private func count(_ query: String, _ schema: TestSchema) async throws -> Int {
    Int(try await schema.sql(query).first ?? "") ?? -1
  }
}
