import BatonJobs
import BatonPostgres
import JobRunner
import JobTesting
import TestSupport
import Testing

/// Tests the development clock that stands still until it is moved.
@Suite struct SteppedClockTests {
  private let remind = TimedJob<Asked>.registered

  @Test(.sampled()) func `what was asked for later is due when the clock has come there`()
    async throws
  {
    try await JobTest.noting([remind]) { test in
      let connection = try await test.connect()
      let clock = SteppedClock(Session(connection, in: test.schema))
      let noon = Timestamp(microseconds: 1_709_208_000_000_000)
      try await clock.begin(at: noon)
      try await Queue(Session(connection, in: test.schema)).define([remind])
      try await test.sql(
        "select enqueue('asked', 'a', run_at => timestamptz '2024-02-29 12:05Z')")
      #expect(try await test.drain() == 0)
      #expect(try await test.sql("select from noted").isEmpty)

      let early = Timestamp(microseconds: noon.microseconds + 299_999_999)
      #expect(try await clock.move(from: noon, to: early) == 0)
      #expect(try await test.drain() == 0)
      #expect(try await test.sql("select from noted").isEmpty)

      let due = Timestamp(microseconds: noon.microseconds + 300_000_000)
      #expect(try await clock.move(from: early, to: due) == 1)
      #expect(try await test.drain() == 0)
      #expect(try await test.sql("select from noted").count == 1)

      await #expect(throws: ClockProblem.back(early)) { try await clock.move(from: early, to: due) }
      await #expect(throws: ClockProblem.back(due)) { try await clock.move(from: due, to: noon) }
      await #expect(throws: ClockProblem.stands(test.schema)) { try await clock.begin(at: noon) }
      await connection.close()
    }
  }

  @Test(.sampled()) func `a run that is due later is executed by its key while the clock stands`()
    async throws
  {
    try await JobTest.noting([remind]) { test in
      let connection = try await test.connect()
      let session = Session(connection, in: test.schema)
      try await SteppedClock(session).begin(at: Timestamp(microseconds: 1_709_208_000_000_000))
      try await Queue(session).define([remind])
      try await test.sql("select enqueue('asked', 'a', run_at => timestamptz '2024-03-01 00:00Z')")
      #expect(try await test.drain() == 0)
      #expect(try await test.sql("select isfinite(due) from run") == ["f"])
      let runner = InlineRunner(
        remind, on: test.configuration, schema: test.schema, logger: .quiet)
      let dryRun = try await runner.dryRun(key: "a") { _, _ in }
      #expect(dryRun?.keys == ["a"])
      #expect(try await runner.work(key: "a") == .done(runs: 1, report: Report()))
      #expect(try await test.sql("select from noted").count == 1)
      #expect(try await test.sql("select from run").isEmpty)
      await connection.close()
    }
  }
}

/// A job without a schedule in code, which runs only on request.
private enum Asked: TimedKind {
  static let name = "asked"
  static let schedule: Schedule? = nil
}
