import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests that a committed step deletes a run's failures and crashes, except those of the last ten
/// minutes.
@Suite struct StepProgressTests {
  private let job = PacedJob.registered

  /// Executes the run's first step as a worker that then dies.
  ///
  /// - Parameter meanwhile: called before another worker takes over the run.
  private func dieAfterFirstStep(
    _ test: JobTest, _ meanwhile: () async throws -> Void = {}
  ) async throws {
    try await test.dieAfterOneStep(of: job)
    try await meanwhile()
    try await eventually("the worker is missing") { try await test.count("missing_worker") == 1 }
    let connection = try await test.connect()
    let queue = Queue(Session(connection, in: test.schema))
    try await eventually("its run is back") {
      _ = try await queue.reclaim()
      return try await test.count("run where state = 'running'") == 0
    }
    await connection.close()
  }

  /// Moves all recorded times into the past.
  private func letPass(_ time: String, _ test: JobTest) async throws {
    try await test.sql(
      """
      update run set crashed_at = array(select at - interval '\(time)' from unnest(crashed_at) c (at))
      """)
    try await test.sql("update worker_death set died_at = died_at - interval '\(time)'")
    try await test.sql("update failed_attempt set ended_at = ended_at - interval '\(time)'")
  }

  @Test(.sampled())
  func `a run that commits steps outlives any number of crashes hours apart`() async throws {
    try await JobTest.noting([job]) { test in
      try await test.sql("select enqueue('paced', 'hang-3')")
      try await test.foldAtOnce()
      for crash in 1...5 {
        try await dieAfterFirstStep(test)
        #expect(
          try await test.sql("select state, crashes, batch_limit from run") == ["ready,1,1"],
          "crash \(crash)")
        try await letPass("2 hours", test)
      }
      try await test.sql("insert into noted values ('go', 0, '')")
      #expect(try await test.drain() == 0)
      #expect(try await test.history().map(\.outcome) == ["done"])
    }
  }

  @Test(.sampled()) func `three crashes within ten minutes end a run whatever it committed`()
    async throws
  {
    try await JobTest.noting([job]) { test in
      try await test.sql("select enqueue('paced', 'hang-3')")
      try await test.foldAtOnce()
      try await dieAfterFirstStep(test)
      try await letPass("4 minutes", test)
      try await dieAfterFirstStep(test)
      // The run is now alone in its process. If it crashes once more, no other run can be the
      // cause.
      #expect(try await test.sql("select state, crashes, batch_limit from run") == ["ready,1,-1"])
      try await letPass("4 minutes", test)
      try await dieAfterFirstStep(test)
      #expect(
        try await test.sql("select error like '%alone, 3 times in all' from dead_run") == ["t"])
    }
  }

  @Test func `a committed step sets attempts, crashes and batch limit back`() async throws {
    try await JobTest.noting([job]) { test in
      try await test.sql("select enqueue('paced', 'bad-3')")
      try await test.foldAtOnce()
      try await test.sql("update run set attempt = 2, crashes = 2, batch_limit = -1")
      // This is the last attempt. Without the committed step, the run would be dead.
      _ = try await test.inlineRunner(job).work(key: "bad-3")
      #expect(
        try await test.sql("select state, attempt, crashes, batch_limit from run")
          == ["ready,1,0,0"])
    }
  }

  @Test(.sampled())
  func `errors after a committed step count as first attempts until twenty in ten minutes`()
    async throws
  {
    try await JobTest.noting([job]) { test in
      try await test.sql("select enqueue('paced', 'bad-3')")
      for round in 1...3 {
        for _ in 1...9 { try await test.workOnce(job) }
        #expect(try await test.sql("select attempt from run") == ["1"], "round \(round)")
        try await letPass("10 minutes", test)
      }
      #expect(try await test.drain() == 1)
      #expect(try await test.count("noted") == 27 + 20)
      // The list contains the newest twenty attempts, although all have the same number.
      #expect(try await test.count("failed_attempt") == 20)
    }
  }

  @Test(.sampled())
  func `the history adds up the steps of all attempts, also of a run that was merged`()
    async throws
  {
    try await JobTest.noting([job]) { test in
      try await test.sql("select enqueue('paced', 'hang-3')")
      try await test.foldAtOnce()
      try await dieAfterFirstStep(test)
      try await test.sql(
        "update run_progress set started_at = '2026-01-01Z', duration_ms = duration_ms + 60000")
      try await letPass("2 hours", test)
      try await dieAfterFirstStep(test) {
        try await test.sql("select enqueue('paced', 'hang-3')")
        try await test.foldAtOnce()
      }
      #expect(try await test.count("run where earlier_ids is not null") == 1)
      try await test.sql("insert into noted values ('go', 0, '')")
      #expect(try await test.drain() == 0)
      #expect(
        try await test.sql(
          """
          select outcome, report ->> 'steps', report ->> 'ends', started_at = '2026-01-01Z',
            duration_ms between 60000 and 120000
          from run_history
          """) == ["done,5,1,t,t"])
      #expect(try await test.count("run_progress") == 0)
    }
  }

  @Test(.sampled())
  func `the history of a dead and of a cancelled run has the committed steps as well`()
    async throws
  {
    try await JobTest.noting([job]) { test in
      try await test.sql("select enqueue('paced', 'bad-3')")
      #expect(try await test.drain() == 1)
      try await test.sql("select enqueue('paced', 'later-3')")
      try await test.workOnce(job)
      let id = Int64(try await test.sql("select id from run")[0])!
      let connection = try await test.connect()
      _ = try await Queue(Session(connection, in: test.schema)).cancel(id)
      await connection.close()
      #expect(
        try await test.sql("select outcome, report ->> 'steps' from run_history order by id") == [
          "dead,20", "cancelled,1",
        ])
      #expect(try await test.count("run_progress") == 0)
    }
  }

  @Test func `a step that commits nothing counts as before`() async throws {
    try await JobTest.noting([job]) { test in
      try await test.sql("select enqueue('paced', 'first-3')")
      #expect(try await test.drain() == 1)
      #expect(try await test.sql("select attempt from dead_run") == ["3"])
    }
  }
}

extension JobTest {
  /// Executes one attempt of one due run.
  fileprivate func workOnce(_ job: RegisteredJob) async throws {
    try await foldAtOnce()
    let registration = Registration(
      of: WorkerContext([job], logger: .quiet), on: configuration, in: schema)
    try await registration.enter(on: registration.control.session())
    let executor = registration.makeSharingExecutor()
    let didWork = try await executor.workOnce(job)
    #expect(didWork)
    await executor.close()
    try await registration.leave(on: registration.control.session())
    await registration.control.close()
  }
}
