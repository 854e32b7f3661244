import BatonJobs
import BatonPostgres
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests the running development clock, which shows the server's time or a later time.
@Suite struct RunningClockTests {
  private static let day: Int64 = 86_400
  private let weekly = TimedJob<Weekly>.registered
  private let eachWeek = TimedJob<EachWeek>.registered
  private let hourly = TimedJob<Hourly>.registered
  /// Returns whether a job has recorded a run, in place of the product's own statement.
  private let isInUse = Statement("test/in_use", "select exists (select from noted)")

  /// Calls the body with a development schema whose clock has just started to run.
  private func with(
    _ jobs: [RegisteredJob], _ body: (JobTest, DevelopmentClock) async throws -> Void
  ) async throws {
    try await JobTest.noting(jobs) { test in
      let connection = try await test.connect()
      let clock = DevelopmentClock(Session(connection, in: test.schema))
      try await clock.begin(dataCheck: isInUse)
      try await Queue(Session(connection, in: test.schema)).define(jobs)
      try await body(test, clock)
      await connection.close()
    }
  }

  // MARK: The clock

  @Test func `it begins with the server's, runs, and goes on from where it was put`() async throws {
    try await with([]) { test, clock in
      #expect(try await clock.read().ahead == 0)
      let isServers = "select domain_now() = pg_catalog.now()"
      #expect(try await test.sql(isServers) == ["t"])
      let moved = try await clock.move(.further(7 * Self.day), jobs: []).reading
      #expect(moved.ahead == 7 * Self.day * 1_000_000)
      #expect(
        try await test.sql("select domain_now() - pg_catalog.now() = interval '168 hours'")
          == ["t"])
      let next = try await clock.read()
      #expect(next.ahead == moved.ahead && next.time > moved.time)
      try await clock.move(.further(1), jobs: [])
      #expect(try await clock.read().ahead == moved.ahead + 1_000_000)
    }
  }

  @Test func `a transaction has one time, though the clock is moved meanwhile`() async throws {
    try await with([]) { test, clock in
      let read = Call.row(Statement("test/domain_now", "select domain_now()")) {
        (row) throws(PostgresError) in try row.decode(Timestamp.self)
      }
      let connection = try await test.connect()
      try await connection.transaction(in: test.schema) { transaction in
        let before = try await transaction.run(read)
        try await clock.move(.further(Self.day), jobs: [])
        #expect(try await transaction.run(read) == before)
      }
      await connection.close()
    }
  }

  @Test func `it is put at an instant, exactly`() async throws {
    try await with([]) { test, clock in
      let now = try await clock.read().time.floorSeconds
      let reading = try await clock.move(.instant(now + 90 * Self.day), jobs: []).reading
      #expect(reading.time == Timestamp(seconds: now + 90 * Self.day))
    }
  }

  @Test func `it never goes back, nor out of the years that can be written`() async throws {
    try await with([]) { test, clock in
      let now = try await clock.read().time.floorSeconds
      for target: DevelopmentClock.Target in [
        .further(0), .further(-1), .instant(now - 1), .instant(0), .further(.min),
      ] {
        let problem = await #expect(throws: ClockProblem.self) {
          try await clock.move(target, jobs: [])
        }
        guard case .back = problem else { Issue.record("\(target): \(problem as Any)"); continue }
      }
      for target: DevelopmentClock.Target in [.further(.max), .instant(253_402_300_800)] {
        let problem = await #expect(throws: ClockProblem.self) {
          try await clock.move(target, jobs: [])
        }
        guard case .tooFar = problem else { Issue.record("\(target): \(problem as Any)"); continue }
      }
      #expect(try await clock.read().ahead == 0)
      _ = try await clock.move(.instant(253_402_214_400), jobs: [])
      #expect(try await test.sql("select iso_text(domain_now())") == ["9999-12-31T00:00:00Z"])
    }
  }

  @Test func `of moves at the same time each counts`() async throws {
    try await with([]) { test, clock in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<5 {
          group.addTask {
            let connection = try await test.connect()
            try await DevelopmentClock(Session(connection, in: test.schema))
              .move(.further(3600), jobs: [])
            await connection.close()
          }
        }
        try await group.waitForAll()
      }
      #expect(try await clock.read().ahead == 5 * 3_600_000_000)
    }
  }

  // MARK: Who may have it

  @Test(.sampled()) func `a schema in use is not made a development one`() async throws {
    for used in [
      "select enqueue('weekly', 'scheduled')",
      "insert into noted (key) values ('of the product')",
      "insert into occurrence values ('weekly', '', now(), now(), 'fired')",
      "insert into job_activity values ('weekly', now(), 1, 1)",
    ] {
      try await JobTest.noting([weekly]) { test in
        let connection = try await test.connect()
        let clock = DevelopmentClock(Session(connection, in: test.schema))
        #expect(try await clock.check(dataCheck: isInUse) == nil)
        try await test.sql(used)
        for attempt in [
          { _ = try await clock.check(dataCheck: isInUse) },
          { try await clock.begin(dataCheck: isInUse) },
        ] {
          await #expect(throws: ClockProblem.inUse(test.schema), "\(used)") { try await attempt() }
        }
        await #expect(throws: ClockProblem.isProduction(test.schema)) { try await clock.read() }
        await #expect(throws: ClockProblem.isProduction(test.schema)) {
          try await clock.move(.further(60), jobs: [])
        }
        #expect(try await test.count("development") == 0)
        #expect(try await test.sql("select domain_now() = pg_catalog.now()") == ["t"])
        await connection.close()
      }
    }
  }

  @Test func `it begins once, and what was used since then is its own`() async throws {
    try await with([weekly]) { test, clock in
      try await clock.move(.further(60), jobs: [])
      try await test.sql("insert into noted (key) values ('of the product')")
      try await test.sql("select enqueue('weekly', 'scheduled')")
      try await clock.begin(dataCheck: isInUse)
      #expect(try await clock.check(dataCheck: isInUse)?.ahead == 60_000_000)
    }
  }

  @Test func `a clock that stands is left to whoever sets it`() async throws {
    try await JobTest.noting([weekly]) { test in
      try await test.setClock(to: "2024-05-15 12:00Z")
      let connection = try await test.connect()
      let clock = DevelopmentClock(Session(connection, in: test.schema))
      await #expect(throws: ClockProblem.stands(test.schema)) {
        try await clock.begin(dataCheck: nil)
      }
      await #expect(throws: ClockProblem.stands(test.schema)) {
        try await clock.move(.further(60), jobs: [])
      }
      #expect(try await test.sql("select domain_now() = '2024-05-15 12:00Z'") == ["t"])
      await connection.close()
    }
  }

  // MARK: What it makes due

  @Test func `what a move passes is fired as the schedule says of what was missed`() async throws {
    let jobs = [weekly, eachWeek, hourly]
    try await with(jobs) { test, clock in
      let start = try await clock.read().time
      let moved = try await clock.move(.further(21 * Self.day), jobs: jobs)
      let (reading, passed) = (moved.reading, moved.passed)
      #expect(Set(passed.map(\.schedule.job)) == ["weekly", "each-week", "hourly"])
      #expect(
        passed.allSatisfy {
          start.floorSeconds < $0.at && $0.at <= start.floorSeconds + 7 * Self.day
        })
      #expect(try await test.drain() == 0)
      #expect(try await test.count("occurrence where job = 'each-week' and outcome = 'fired'") == 3)
      #expect(try await test.count("occurrence where job = 'weekly' and outcome = 'fired'") == 1)
      let late = try await test.sql(
        """
        select count(*) from occurrence
        where job = 'hourly' and outcome = 'fired' and scheduled_at < \
        timestamptz 'epoch' + interval '\(reading.time.floorSeconds - 61) seconds'
        """)
      #expect(late == ["0"])
    }
  }

  @Test func `a worker fires by it, and waits for it`() async throws {
    try await with([weekly]) { test, clock in
      let connection = try await test.connect()
      func look() async throws -> QueueCalls.Poll {
        try await connection.atomically(in: test.schema, QueueCalls.poll)
      }
      let next = try await test.sql("select extract(epoch from next_at)::bigint from schedule")
      let monday = try #require(next.first.flatMap { Int64($0) })
      try await clock.move(.instant(monday - 20), jobs: [weekly])
      let before = try await look()
      let wait = try #require(before.nextDue)
      #expect(!before.hasDueSchedules && wait > .zero && wait <= .seconds(20))

      let worker = test.worker([weekly])
      async let ended: Void = worker.run()
      try await clock.move(.further(20), jobs: [weekly])
      try await eventually("the run of the schedule") { try await test.count("noted") == 1 }
      worker.stop()
      try await ended
      #expect(try await look().hasDueSchedules == false)
      await connection.close()
    }
  }

  @Test func `what was asked for later is due when the clock comes there`() async throws {
    try await with([weekly]) { test, clock in
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      func isDue(within span: String) async throws -> Bool {
        try await test.sql("select due <= now() + interval '\(span)' from run") == ["t"]
      }
      try await test.sql(
        "select enqueue('weekly', 'later', run_at => domain_now() + interval '120 hours')")
      _ = try await queue.fold()
      #expect(try await !isDue(within: "119 hours"))
      #expect(try await clock.move(.further(4 * Self.day), jobs: []).runs == 0)
      #expect(try await !isDue(within: "23 hours"))
      #expect(try await isDue(within: "24 hours"))
      // If a clock is already ahead, it reaches that time earlier by the same duration.
      try await test.sql(
        "select enqueue('weekly', 'later', run_at => domain_now() + interval '22 hours')")
      _ = try await queue.fold()
      #expect(try await !isDue(within: "21 hours"))
      #expect(try await isDue(within: "22 hours"))
      // A run that waits for its next attempt waits regardless of the clock.
      try await test.sql("update run set backoff_until = now() + interval '1 hour'")
      #expect(try await clock.move(.further(Self.day), jobs: []).runs == 0)
      #expect(try await !isDue(within: "59 minutes"))
      #expect(try await isDue(within: "60 minutes"))

      try await test.sql(
        "select enqueue('weekly', 'other', run_at => domain_now() + interval '1 hour')")
      _ = try await queue.fold()
      let worker = test.worker([weekly])
      async let ended: Void = worker.run()
      #expect(try await clock.move(.further(3_600), jobs: []).runs == 1)
      try await eventually("the run") { try await test.count("noted where key = 'other'") == 1 }
      worker.stop()
      try await ended
      await connection.close()
    }
  }

  @Test func `a time of long ago is no trouble for a fold`() async throws {
    try await with([weekly]) { test, clock in
      try await clock.move(.further(Self.day), jobs: [])
      try await test.sql("select enqueue('weekly', 'old', run_at => '4713-01-01 BC')")
      #expect(try await test.drain() == 0)
      #expect(try await test.count("noted where key = 'old'") == 1)
    }
  }

  @Test func `a move waits for a fold that is in progress`() async throws {
    try await with([weekly]) { test, clock in
      let folding = try await test.connect()
      let ended = try await folding.transaction(in: test.schema) { transaction in
        try await transaction.run(QueueCalls.waitForCursor)
        let moving = Task { try await clock.move(.further(60), jobs: []) }
        try await eventually("a move that waits") {
          try await test.sql(
            "select count(*) from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0 "
              + "and datname = current_database()") == ["1"]
        }
        return moving
      }
      #expect(try await ended.value.reading.ahead == 60_000_000)
      await folding.close()
    }
  }
}
