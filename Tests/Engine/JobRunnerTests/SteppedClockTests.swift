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
}

/// A job without a schedule in code, which runs only on request.
private enum Asked: TimedKind {
  static let name = "asked"
  static let schedule: Schedule? = nil
}
