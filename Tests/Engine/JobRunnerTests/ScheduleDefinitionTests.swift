import BatonJobs
import BatonPostgres
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

@Suite struct ScheduleDefinitionTests {
  private let weekly = TimedJob<Weekly>.registered
  private let eachWeek = TimedJob<EachWeek>.registered
  private static let id = ScheduleID(job: "weekly")

  private func with(_ body: (JobTest, Queue) async throws -> Void) async throws {
    try await JobTest.noting([weekly, eachWeek]) { test in
      try await test.setClock(to: "2024-05-15 12:00Z")
      let connection = try await test.connect()
      try await body(test, Queue(Session(connection, in: test.schema)))
      await connection.close()
    }
  }

  private func registered(_ test: JobTest) async throws -> [String] {
    try await test.sql(
      """
      select job || '|' || expression || '|' || coalesce(time_zone, '-') || '|' || missed || '|'
        || to_char(next_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
      from schedule order by job
      """)
  }

  @Test func `a schedule begins after the clock at which it is registered`() async throws {
    try await with { test, queue in
      let monday = "2024-05-20 00:00"
      #expect(
        try await registered(test) == [
          "\"each-week|0 0 * * 1|UTC|all|\(monday)\"", "\"weekly|0 0 * * 1|UTC|once|\(monday)\"",
        ])
      // A definition that is stored again does not change, regardless of the clock.
      try await test.setClock(to: "2024-06-20 00:00Z")
      try await queue.define([weekly, eachWeek])
      #expect(try await registered(test).allSatisfy { $0.contains(monday) })
    }
  }

  @Test func `a changed expression moves the next occurrence, and one taken out goes`()
    async throws
  {
    try await with { test, queue in
      let other = TimedJob<WeeklyOnTuesday>.registered
      try await queue.define([other])
      #expect(
        try await registered(test) == [
          "\"each-week|0 0 * * 1|UTC|all|2024-05-20 00:00\"",
          "\"weekly|0 0 * * 2|Europe/Berlin|skip|2024-05-20 22:00\"",
        ])
      try await queue.define([TimedJob<WeeklyNoMore>.registered])
      #expect(try await registered(test).map { $0.contains("each-week") } == [true])
    }
  }

  @Test func `a time zone that the server does not know is refused, unless it is already stored`()
    async throws
  {
    try await with { test, queue in
      let elsewhere = TimedJob<WeeklyElsewhere>.registered
      let error = await #expect(throws: PostgresError.self) { try await queue.define([elsewhere]) }
      #expect(error?.sqlState == "ZB017")
      #expect(error?.message.contains("no time zone 'Mars/Olympus'") == true)
      #expect(error?.hint?.hasPrefix("Nothing was registered.") == true)
      #expect(try await registered(test).map { $0.contains("Mars") } == [false, false])
      // The test simulates that an update of the server has removed the time zone. Workers can
      // still start.
      try await test.sql("update schedule set time_zone = 'Mars/Olympus' where job = 'weekly'")
      try await queue.define([elsewhere])
      #expect(
        try await registered(test).last == "\"weekly|0 0 * * 1|Mars/Olympus|once|2024-05-20 00:00\""
      )
    }
  }

  @Test func `a payload that is too large for a run is refused`() async throws {
    try await with { test, queue in
      let large = RegisteredJob(LargeWeekly.self) { TimedContext(transaction: $0) }
      let error = await #expect(throws: PostgresError.self) { try await queue.define([large]) }
      #expect(error?.sqlState == "ZB007")
      #expect(error?.message.hasSuffix(", in the schedule '' of the job 'weekly'") == true)
      let stored = try await test.count("schedule where payload is not null")
      #expect(stored == 0)
    }
  }

  @Test func `a binary fires what is registered, not what it once defined`() async throws {
    try await with { test, queue in
      try await queue.define([TimedJob<WeeklyOnTuesday>.registered])
      try await test.setClock(to: "2024-05-20 22:00Z")
      // The test's own jobs are the older jobs.
      #expect(try await test.fireSchedules() == 2)
      #expect(
        try await test.occurrences() == [
          "each-week 2024-05-20T00:00:00Z fired", "weekly 2024-05-20T22:00:00Z fired",
        ])
    }
  }

  @Test func `a difference between binary and schema is drift that define mends`() async throws {
    try await with { test, queue in
      #expect(try await queue.drift([weekly, eachWeek]).differences.isEmpty)
      try await test.sql("update schedule set expression = '@daily' where job = 'weekly'")
      try await test.sql("delete from schedule where job = 'each-week'")
      try await test.sql("update job set keeps_history = true where name = 'weekly'")
      #expect(
        try await queue.drift([weekly, eachWeek]).differences == [
          "job weekly is registered as one that keeps history",
          "the schedule of job each-week is not registered in the schema",
          "the schedule of job weekly is registered as another",
        ])
      try await queue.define([weekly, eachWeek])
      #expect(try await queue.drift([weekly, eachWeek]).differences.isEmpty)
      #expect(
        try await queue.drift([TimedJob<WeeklyNoMore>.registered]).differences
          == ["the schedule of job weekly is registered, but the job has none"])
    }
  }

  // MARK: By hand

  @Test func `a backfill fires what has not fired, each as a run of its own`() async throws {
    try await with { test, queue in
      let scheduler = Scheduler(queue.session, jobs: [weekly])
      let (april, june) = (Int64(1_711_929_600), Int64(1_717_200_000))
      try await test.setClock(to: "2024-05-20 00:00Z")
      #expect(try await scheduler.fireDue() == 1)
      let mondays = [
        "2024-04-01T00:00:00Z", "2024-04-08T00:00:00Z", "2024-04-15T00:00:00Z",
        "2024-04-22T00:00:00Z", "2024-04-29T00:00:00Z", "2024-05-06T00:00:00Z",
        "2024-05-13T00:00:00Z",
      ]
      // The first Monday is included. The occurrence that has fired and the future occurrences are
      // not included.
      #expect(try await scheduler.backfill(Self.id, april..<june, isDryRun: true) == mondays)
      #expect(try await test.events() == ["enqueue/weekly scheduled"])
      try await test.sql(
        "insert into occurrence values ('weekly', '', '2024-04-08Z', now(), 'skipped')")
      #expect(try await scheduler.backfill(Self.id, april..<june, isDryRun: false) == mondays)
      #expect(try await scheduler.backfill(Self.id, april..<june, isDryRun: false).isEmpty)
      #expect(try await test.events().count == 8)
      #expect(try await test.count("occurrence where outcome = 'backfilled'") == 7)
      try await test.sql("delete from schedule where job = 'each-week'")
      try await test.drain()
      #expect(try await test.count("(select distinct key from noted) k") == 8)
    }
  }

  @Test func `an occurrence that was backfilled does not fire again`() async throws {
    try await with { test, queue in
      let scheduler = Scheduler(queue.session, jobs: [weekly])
      try await scheduler.setPaused(true, Self.id).expectTrue()
      try await test.setClock(to: "2024-05-20 00:00Z")
      let range = Int64(1_716_163_200)..<Int64(1_716_163_201)
      #expect(try await scheduler.backfill(Self.id, range, isDryRun: false).count == 1)
      try await scheduler.setPaused(false, Self.id).expectTrue()
      #expect(try await scheduler.fireDue() == 0)
      #expect(try await test.events() == ["enqueue/weekly 2024-05-20T00:00:00Z"])
    }
  }

  @Test(.sampled()) func `a backfill of too many fires none`() async throws {
    let job = TimedJob<EachSecond>.registered
    try await JobTest.noting([job]) { test in
      let connection = try await test.connect()
      let scheduler = Scheduler(Session(connection, in: test.schema), jobs: [job])
      await #expect(throws: ScheduleProblem.tooMany(limit: 10_000)) {
        try await scheduler.backfill(ScheduleID(job: "each-second"), 0..<10_001, isDryRun: false)
      }
      #expect(
        try await scheduler.backfill(ScheduleID(job: "each-second"), 0..<10_000, isDryRun: false)
          .count == 10_000)
      await #expect(throws: ScheduleProblem.missing(ScheduleID(job: "nobody"))) {
        try await scheduler.backfill(ScheduleID(job: "nobody"), 0..<1, isDryRun: false)
      }
      await connection.close()
    }
  }

  @Test func `a person, a program and workers do an occurrence once`() async throws {
    try await with { test, queue in
      try await test.setClock(to: "2024-05-20 00:00Z")
      let inlineRunner = test.inlineRunner(weekly)
      #expect(try await inlineRunner.workSchedule() == .done(runs: 1, report: [:]))
      #expect(try await test.occurrences() == ["weekly 2024-05-20T00:00:00Z fired"])
      try await test.sql("delete from schedule where job = 'each-week'")
      try await test.drain()
      #expect(try await test.count("noted") == 1)
      // No occurrence is due, but an operator requested the run.
      #expect(try await test.inlineRunner(weekly).workSchedule() == .done(runs: 1, report: [:]))
      #expect(try await test.count("noted") == 2)
    }
  }

  @Test func `a person waits while the run is running elsewhere`() async throws {
    try await with { test, queue in
      try await test.sql(
        """
        insert into worker (id, name, is_direct, pid) values (gen_random_uuid(), 'w', false, 0)
        """)
      try await test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, attempt, token, worker)
        select 'weekly', 'scheduled', 'running', now(), now(), now(), 1, gen_random_uuid(), id
        from worker
        """)
      let busy = try await test.inlineRunner(weekly).workSchedule(patience: .milliseconds(100))
      #expect(busy == .alreadyRunning)
    }
  }

  @Test func `where each occurrence counts a person works those that are due`() async throws {
    try await with { test, queue in
      #expect(try await test.inlineRunner(eachWeek).workSchedule() == .done(runs: 0, report: [:]))
      try await test.setClock(to: "2024-05-27 00:00Z")
      #expect(try await test.inlineRunner(eachWeek).workSchedule() == .done(runs: 2, report: [:]))
      #expect(
        try await test.sql("select key from noted order by 1")
          == ["2024-05-20T00:00:00Z", "2024-05-27T00:00:00Z"])
    }
  }
}

/// A job whose schedule has a payload of 180 KB of text, which is more than 1 MiB as jsonb.
private struct LargeWeekly: BatchJob {
  static let definition = Definition<Self>(
    "weekly",
    on: [.cron("0 0 * * 1", payload: LargeWeekly(numbers: Array(repeating: 1, count: 90_000)))])

  let numbers: [Int]

  static func run(_ batch: [Run<Self>], in context: TimedContext) async throws {}
}

extension Bool {
  fileprivate func expectTrue(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(self, sourceLocation: sourceLocation)
  }
}
