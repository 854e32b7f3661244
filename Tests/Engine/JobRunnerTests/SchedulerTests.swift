import BatonJobs
import BatonPostgres
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests firings on a server whose time zone is America/New_York.
@Suite struct SchedulerTests {
  private let weekly = TimedJob<Weekly>.registered
  private let eachWeek = TimedJob<EachWeek>.registered
  private let hourly = TimedJob<Hourly>.registered

  /// Calls the body on Wednesday, 15 May 2024, before the next Monday.
  private func with(
    _ jobs: [RegisteredJob], _ body: (JobTest) async throws -> Void
  ) async throws {
    try await JobTest.noting(jobs) { test in
      try await test.setClock(to: "2024-05-15 12:00Z")
      try await body(test)
    }
  }

  // MARK: What fires

  @Test(.sampled()) func `an occurrence fires at its time and makes one run`() async throws {
    try await with([weekly]) { test in
      try await test.setClock(to: "2024-05-19 23:59:59.999999Z")
      #expect(try await test.fireSchedules() == 0)
      try await test.setClock(to: "2024-05-20 00:00Z")
      #expect(try await test.fireSchedules() == 1)
      #expect(try await test.fireSchedules() == 0)
      #expect(try await test.events() == ["enqueue/weekly scheduled"])
      #expect(try await test.drain() == 0)
      #expect(
        try await test.sql("select key, xact from noted")
          == ["scheduled,2024-05-20T00:00:00Z"])
      #expect(try await test.occurrences() == ["weekly 2024-05-20T00:00:00Z fired"])
      let next = try await test.sql("select next_at at time zone 'UTC' from schedule")
      #expect(next == ["\"2024-05-27 00:00:00\""])
    }
  }

  @Test(.sampled()) func `of any number of processes one fires an occurrence`() async throws {
    try await with([weekly, eachWeek]) { test in
      try await test.setClock(to: "2024-05-27 00:00Z")
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<12 { group.addTask { try await test.fireSchedules() } }
        let fired = try await group.reduce(0, +)
        #expect(fired == 3)
      }
      #expect(
        try await test.events().sorted() == [
          "enqueue/each-week 2024-05-20T00:00:00Z", "enqueue/each-week 2024-05-27T00:00:00Z",
          "enqueue/weekly scheduled",
        ])
    }
  }

  @Test(.sampled()) func `workers fire by themselves, each occurrence once`() async throws {
    let job = TimedJob<EachSecond>.registered
    try await JobTest.noting([job]) { test in
      let workers = (0..<3).map { _ in test.worker([job]) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in workers { group.addTask { try await worker.run() } }
        try await eventually("three occurrences") { try await test.count("noted") >= 3 }
        for worker in workers { worker.stop() }
        try await group.waitForAll()
      }
      try await test.drain()
      let twice = try await test.sql("select key from noted group by 1 having count(*) > 1")
      #expect(twice.isEmpty)
      let (noted, fired) = (try await test.count("noted"), try await test.count("occurrence"))
      #expect(noted == fired)
    }
  }

  @Test(.sampled())
  func `an occurrence that comes while the last one waits becomes one run with it`()
    async throws
  {
    try await with([weekly]) { test in
      try await test.setClock(to: "2024-05-20 00:00Z")
      try await test.fireSchedules()
      try await test.setClock(to: "2024-05-27 00:00Z")
      try await test.fireSchedules()
      try await test.drain()
      #expect(
        try await test.sql("select xact from noted")
          == ["2024-05-27T00:00:00Z"])
    }
  }

  // MARK: What was missed

  @Test func `of what was missed the newest runs, all run or none, as the schedule says`()
    async throws
  {
    try await with([weekly, eachWeek, hourly]) { test in
      try await test.setClock(to: "2024-06-03 00:01:01Z")
      // The job weekly fires 1 occurrence, and each-week fires 3. Midnight was 61 s ago, and seven
      // days of occurrences are remembered.
      #expect(try await test.fireSchedules() == 4)
      #expect(
        try await test.occurrences().filter { !$0.hasPrefix("hourly") } == [
          "each-week 2024-05-20T00:00:00Z fired", "each-week 2024-05-27T00:00:00Z fired",
          "each-week 2024-06-03T00:00:00Z fired", "weekly 2024-06-03T00:00:00Z fired",
        ])
      #expect(
        try await test.sql(
          "select outcome, count(*) from occurrence where job = 'hourly' group by 1")
          == ["skipped,168"])
      try await test.setClock(to: "2024-06-03 01:01:00Z")
      #expect(try await test.fireSchedules() == 1)
    }
  }

  @Test func `a paused schedule's occurrences pass, and are missed when it is resumed`()
    async throws
  {
    try await with([weekly, eachWeek]) { test in
      let connection = try await test.connect()
      let scheduler = Scheduler(Session(connection, in: test.schema), jobs: [weekly, eachWeek])
      for job in ["weekly", "each-week"] {
        #expect(try await scheduler.setPaused(true, ScheduleID(job: job)))
      }
      #expect(try await !scheduler.setPaused(true, ScheduleID(job: "nobody")))
      try await test.setClock(to: "2024-06-04 00:00Z")
      #expect(try await scheduler.fireDue() == 0)
      #expect(try await scheduler.nextFireTimes().isEmpty)
      for job in ["weekly", "each-week"] {
        #expect(try await scheduler.setPaused(false, ScheduleID(job: job)))
      }
      #expect(try await scheduler.fireDue() == 4)
      await connection.close()
    }
  }

  @Test func `a stored payload that is too large holds back no other schedule`() async throws {
    try await with([weekly, eachWeek]) { test in
      try await test.sql(
        """
        update schedule
        set payload = jsonb_build_object('numbers', array(select 1 from generate_series(1, 90000)))
        where job = 'each-week'
        """)
      try await test.setClock(to: "2024-05-20 00:00Z")
      #expect(try await test.fireSchedules() == 1)
      #expect(
        try await test.occurrences() == [
          "each-week 2024-05-20T00:00:00Z skipped", "weekly 2024-05-20T00:00:00Z fired",
        ])
      #expect(try await test.count("schedule where next_at = '2024-05-27 00:00Z'") == 2)
    }
  }

  // MARK: Delays

  @Test func `a delay moves when an occurrence fires, not which it is`() async throws {
    try await with([weekly]) { test in
      try await test.sql("insert into schedule_delay values ('weekly', '2 hours')")
      try await test.setClock(to: "2024-05-20 01:59:59.999999Z")
      #expect(try await test.fireSchedules() == 0)
      // The delay may change at any time.
      try await test.sql("update schedule_delay set delay = '90 minutes'")
      #expect(try await test.fireSchedules() == 1)
      #expect(try await test.occurrences() == ["weekly 2024-05-20T00:00:00Z fired"])
    }
  }

  @Test func `a day of delay is 24 hours, whatever clocks do in New York`() async throws {
    try await JobTest.noting([weekly]) { test in
      try await test.setClock(to: "2024-03-05 00:00Z")
      // Monday, 4 November, 00:00Z is Sunday, 19:00 in New York, shortly after the clocks were set
      // back.
      try await test.sql("insert into schedule_delay values ('weekly', '0')")
      try await test.sql("update schedule_delay set delay = '7 days'")
      try await test.sql("update schedule set next_at = '2024-10-28 00:00Z'")
      let connection = try await test.connect()
      let fires = Call.row(
        Statement("test/fires", "select extract(epoch from fires_at)::bigint from waiting_schedule")
      ) { (row) throws(PostgresError) in try row.decode(Int64.self) }
      let at = try await connection.transaction(in: test.schema) { transaction in
        // Baton's own transactions use UTC, but other transactions that read the view may use
        // another zone.
        try await transaction.run(
          .run(
            Statement("test/zone", "select set_config('timezone', 'America/New_York', true)")))
        return try await transaction.run(fires)
      }
      #expect(at == 1_730_678_400)
      await connection.close()
    }
  }

  @Test func `a delay of millions of years is a delay of centuries`() async throws {
    try await with([weekly]) { test in
      try await test.sql("insert into schedule_delay values ('weekly', '170000000 years')")
      let connection = try await test.connect()
      let session = Session(connection, in: test.schema)
      let scheduler = Scheduler(session, jobs: [weekly])
      #expect(try await scheduler.fireDue() == 0)
      #expect(try await scheduler.nextFireTimes().count == 1)
      #expect(try await scheduler.list().map(\.delaySeconds) == [31_000_000_000])
      let rows: [ScheduleRow] = try await session.atomically(PageCalls.schedules(of: nil))
      #expect(rows.map(\.delaySeconds) == [31_000_000_000])
      let poll = try await connection.atomically(in: test.schema, QueueCalls.poll)
      #expect(!poll.hasDueSchedules)
      await connection.close()
    }
  }

  // MARK: The replay's side

  @Test func `fire times are what a replay needs, the first one first`() async throws {
    try await with([weekly, hourly]) { test in
      try await test.sql("insert into schedule_delay values ('weekly', '1 hour')")
      let connection = try await test.connect()
      let scheduler = Scheduler(Session(connection, in: test.schema), jobs: [weekly, hourly])
      #expect(
        try await scheduler.nextFireTimes() == [
          .init(
            id: ScheduleID(job: "hourly"), at: Timestamp(seconds: 1_715_778_000),
            interval: .seconds(3600)),
          .init(
            id: ScheduleID(job: "weekly"), at: Timestamp(seconds: 1_716_166_800), interval: nil),
        ])
      try await test.setClock(to: "2024-05-20 01:00Z")
      #expect(try await scheduler.fireDue(only: ["weekly"]) == 1)
      #expect(try await scheduler.fireDue(only: []) == 0)
      #expect(try await test.occurrences() == ["weekly 2024-05-20T00:00:00Z fired"])
      await connection.close()
    }
  }

  @Test func `a clock that fires no schedules fires nothing`() async throws {
    try await with([weekly]) { test in
      try await test.sql("update development set fires_schedules = false")
      try await test.setClock(to: "2024-05-20 00:00Z")
      try await test.sql("update development set fires_schedules = false")
      let connection = try await test.connect()
      let scheduler = Scheduler(Session(connection, in: test.schema), jobs: [weekly])
      #expect(try await scheduler.nextFireTimes().isEmpty)
      #expect(try await scheduler.fireDue() == 0)
      let look = try await connection.atomically(in: test.schema, QueueCalls.poll)
      #expect(!look.hasDueSchedules && look.nextDue == nil)
      await connection.close()
    }
  }

  @Test func `a schedule reckoned by the server's clock says nothing about another one`()
    async throws
  {
    try await JobTest.noting([weekly]) { test in
      let connection = try await test.connect()
      let scheduler = Scheduler(Session(connection, in: test.schema), jobs: [weekly])
      try await test.sql("update schedule set next_at = '2024-05-06 00:00Z'")
      try await test.sql(
        "insert into development (clock) values ('2024-05-15Z')")
      try await connection.atomically(in: test.schema, .run(SQL.Clock.replaceDomainNow))
      #expect(try await scheduler.fireDue() == 0)
      try await scheduler.define()
      #expect(
        try await scheduler.nextFireTimes()
          == [
            .init(
              id: ScheduleID(job: "weekly"), at: Timestamp(seconds: 1_716_163_200), interval: nil)
          ])
      await connection.close()
    }
  }

  @Test func `a dispatcher sleeps no longer than until a schedule fires, a minute at most`()
    async throws
  {
    try await JobTest.noting([weekly]) { test in
      let connection = try await test.connect()
      for (ahead, low, high) in [("50 seconds", 30, 50), ("900 years", 60, 60)] {
        try await test.sql("update schedule set next_at = now() + interval '\(ahead)'")
        let look = try await connection.atomically(in: test.schema, QueueCalls.poll)
        let wait = try #require(look.nextDue)
        #expect(wait >= .seconds(low) && wait <= .seconds(high) && !look.hasDueSchedules)
      }
      await connection.close()
    }
  }

  @Test(.sampled())
  func `a drain in production fires nothing, and a set clock fires what it passed`()
    async throws
  {
    try await JobTest.noting([weekly]) { test in
      try await test.sql("update schedule set next_at = now() - interval '1 day'")
      try await test.drain()
      #expect(try await test.noted().isEmpty)
      try await test.setClock(to: "2024-05-15 12:00Z")
      try await test.drain()
      #expect(try await test.occurrences().isEmpty)
      try await test.setClock(to: "2024-05-21 12:00Z")
      try await test.drain()
      #expect(try await test.occurrences() == ["weekly 2024-05-20T00:00:00Z fired"])
      #expect(try await test.count("noted") == 1)
    }
  }
}
