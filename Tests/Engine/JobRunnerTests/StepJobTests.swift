import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

@Suite struct StepJobTests {
  private let job = PacedJob.registered

  @Test func `each step commits on its own, and the last one ends the run`() async throws {
    try await JobTest.noting([job]) { test in
      try await test.sql("select enqueue('paced', 'a-3')")
      #expect(try await test.drain() == 0)
      #expect(try await test.noted() == ["a-3@1", "a-3@2", "a-3@3"])
      #expect(try await test.count("(select distinct xact from noted) x") == 3)
      #expect(try await test.runs().isEmpty)
      let ended = try await test.history()
      #expect(ended.map(\.report) == [["steps": 3, "ends": 1]])
    }
  }

  @Test(.sampled()) func `a step that fails is rolled back, and the run begins again`() async throws
  {
    try await JobTest.noting([job]) { test in
      try await test.sql("select enqueue('paced', 'bad-3')")
      #expect(try await test.drain() == 1)
      // The run had more than its three attempts, because each attempt committed a step.
      // StepProgressTests contain further cases.
      #expect(try await test.noted() == Array(repeating: "bad-3@1", count: 20))
      let ended = try await test.history()
      #expect(ended.map(\.outcome) == ["dead"] && ended.map(\.attempt) == [1])
      #expect(ended.map(\.report) == [["steps": 20]])
      #expect(ended.first?.error == "bad-3 fails in its second step")
    }
  }

  @Test func `a worker that lost its run between two steps does nothing more`() async throws {
    try await JobTest.noting([job]) { test in
      let result = try await test.inlineRunner(job).work(key: "lost-3")
      #expect(result == .takenOver)
      #expect(try await test.noted() == ["lost-3@1"])
      #expect(try await test.sql("select state, attempt from run") == ["running,1"])
    }
  }

  @Test(.sampled()) func `the timeout is for each step, not for all of them`() async throws {
    try await JobTest.noting([job]) { test in
      // All steps together take longer than the timeout.
      let steps = 4 * patience
      let result = try await test.inlineRunner(job).work(key: "slow-\(steps)")
      #expect(result == .done(runs: 1, report: ["steps": steps, "ends": 1]))
      let hanging = try await test.inlineRunner(job).work(key: "hang-4")
      #expect(hanging == .failed("it took longer than \(Duration.milliseconds(800) * patience)"))
      #expect(try await test.sql("select key, position from noted where key = 'hang-4'").count == 1)
    }
  }

  @Test func `a worker that stops between two steps gives the run back with its attempt`()
    async throws
  {
    try await JobTest.noting([job]) { test in
      try await test.sql("select enqueue('paced', 'a-3000')")
      let worker = Worker(
        [job], on: test.configuration, schema: test.schema,
        options: .init(concurrency: 1, grace: .seconds(600)), logger: .quiet)
      async let ended: Void = worker.run()
      try await eventually("two steps") { try await test.count("noted") >= 2 }
      worker.stop()
      try await ended
      #expect(
        try await test.sql("select state, attempt, crashes, last_error is null from run")
          == ["ready,0,0,t"])
      #expect(try await test.count("run_history") == 0)
    }
  }

  @Test(.sampled())
  func `a run whose worker died after a step begins again, and what that step did stays`()
    async throws
  {
    try await JobTest.noting([job]) { test in
      try await test.sql("select enqueue('paced', 'hang-3')")
      try await test.foldAtOnce()
      try await test.dieAfterOneStep(of: job)
      #expect(try await test.sql("select state, crashes from run") == ["running,0"])
      try await test.sql("insert into noted values ('go', 0, '')")
      #expect(try await test.drain() == 0)
      #expect(
        try await test.noted() == ["go@0", "hang-3@1", "hang-3@1", "hang-3@2", "hang-3@3"])
      // The attempts are counted from the committed step.
      #expect(try await test.history().map(\.attempt) == [1])
    }
  }

  // MARK: By hand

  @Test func `steps are told as they are done, and added up`() async throws {
    try await JobTest.noting([job]) { test in
      let told = Mutex<[Int]>([])
      let result = try await test.inlineRunner(job).work(key: "a-4") { report in
        told.withLock { $0.append(report["steps"]) }
      }
      #expect(result == .done(runs: 1, report: ["steps": 4, "ends": 1]))
      #expect(told.withLock { $0 } == [1, 2, 3])
      try await test.sql("select enqueue('paced', 'b-2')")
      try await test.sql("select enqueue('paced', 'c-1')")
      let due = try await test.inlineRunner(job).workDue()
      #expect(due == .done(runs: 2, report: ["steps": 3, "ends": 2]))
    }
  }

  @Test func `a snooze is a result, with its reason`() async throws {
    try await JobTest.noting([job]) { test in
      let result = try await test.inlineRunner(job).work(key: "later-3")
      #expect(result == .snoozed(.seconds(3600), reason: "not yet"))
      #expect(try await test.noted() == ["later-3@1"])
      #expect(try await test.sql("select state, attempt from run") == ["ready,0"])
    }
  }

  @Test func `cancelled work by hand is released with its attempt`() async throws {
    try await JobTest.noting([job]) { test in
      // The run spends almost all of its time in the statement of a step, which the cancellation
      // ends.
      let working = Task { try await test.inlineRunner(job).work(key: "slow-1000000") }
      try await eventually("a step") { try await test.count("noted") >= 1 }
      working.cancel()
      #expect(try await working.value == .stopped)
      #expect(try await test.sql("select state, attempt, crashes from run") == ["ready,0,0"])
      #expect(try await test.count("worker") == 0)
    }
  }

  @Test func `a dry run does all steps and leaves nothing`() async throws {
    try await JobTest.noting([job]) { test in
      let dryRun = try await test.inlineRunner(job).dryRun(key: "a-5") { transaction, _ in
        let count = Call.row(Statement("test/seen", "select count(*) from noted")) {
          (row) throws(PostgresError) in try row.decode(Int64.self)
        }
        return try await transaction.run(count)
      }
      #expect(dryRun?.report == ["steps": 5, "ends": 1])
      #expect(dryRun?.before == 0 && dryRun?.after == 5)
      #expect(try await test.noted().isEmpty)
      #expect(try await test.count("run_history") == 0)
    }
  }
}
