import BatonJobs
import BatonPostgres
import JobTesting
import Logging
import TestSupport
import Testing

@testable import JobRunner

/// Tests one job with several schedules, each with its own payload.
@Suite struct SeveralSchedulesTests {
  private let digest = RegisteredJob(Digest.self) { TimedContext(transaction: $0) }

  private func with(_ body: (JobTest) async throws -> Void) async throws {
    try await JobTest.noting([digest]) { test in
      try await test.setClock(to: "2024-05-18 12:00Z")
      try await body(test)
    }
  }

  private func withQueue(
    _ test: JobTest, _ body: (Queue, Scheduler) async throws -> Void
  ) async throws {
    let connection = try await test.connect()
    let session = Session(connection, in: test.schema)
    try await body(Queue(session), Scheduler(session, jobs: [digest]))
    await connection.close()
  }

  @Test func `each fires at its times, with its payload and a key of its own`() async throws {
    try await with { test in
      // Both schedules have an occurrence at this instant.
      try await test.setClock(to: "2024-05-20 06:00Z")
      #expect(try await test.fireSchedules() == 3)
      #expect(
        try await test.occurrences() == [
          "digest 2024-05-20T06:00:00Z fired", "digest/hourly 2024-05-20T06:00:00Z fired",
          "digest/weekly 2024-05-20T06:00:00Z fired",
        ])
      try await test.drain()
      #expect(
        try await test.sql("select key from noted order by 1")
          == [
            "day at 2024-05-20T06:00:00Z", "hour at 2024-05-20T06:00:00Z",
            "week at 2024-05-20T06:00:00Z",
          ].map { "\"\($0)\"" })
    }
  }

  @Test func `one is paused, looked at and backfilled without the others`() async throws {
    try await with { test in
      try await withQueue(test) { _, scheduler in
        let weekly = try #require(ScheduleID("digest/weekly"))
        #expect(try await scheduler.setPaused(true, weekly))
        #expect(try await !scheduler.setPaused(true, ScheduleID(job: "digest", name: "yearly")))
        #expect(try await scheduler.next(1, of: weekly) == ["2024-05-20T06:00:00Z"])
        #expect(
          try await scheduler.next(1, of: ScheduleID(job: "digest")) == ["2024-05-19T06:00:00Z"])
        await #expect(throws: ScheduleProblem.missing(ScheduleID(job: "digest", name: "yearly"))) {
          try await scheduler.next(1, of: ScheduleID(job: "digest", name: "yearly"))
        }
        try await test.setClock(to: "2024-05-20 06:00Z")
        try await scheduler.fireDue()
        let occurrences = try await test.occurrences()
        #expect(!occurrences.contains { $0.hasPrefix("digest/weekly") })
        let range = Int64(1_715_000_000)..<Int64(1_716_200_000)
        #expect(
          try await scheduler.backfill(weekly, range, isDryRun: false)
            == ["2024-05-13T06:00:00Z", "2024-05-20T06:00:00Z"])
        #expect(
          try await test.events().filter { $0.hasSuffix("/weekly") } == [
            "enqueue/digest 2024-05-13T06:00:00Z/weekly",
            "enqueue/digest 2024-05-20T06:00:00Z/weekly",
          ])
        #expect(
          try await scheduler.list().map(\.id.description) == [
            "digest", "digest/hourly", "digest/weekly",
          ])
      }
    }
  }

  @Test func `one that is taken out goes, and is drift until then`() async throws {
    try await with { test in
      let fewer = RegisteredJob(FewerDigests.self) { TimedContext(transaction: $0) }
      try await withQueue(test) { queue, _ in
        #expect(try await queue.drift([digest]).differences.isEmpty)
        #expect(
          try await queue.drift([fewer]).differences == [
            "the schedule hourly of job digest is registered, but the job has none",
            "the schedule weekly of job digest is registered as another",
          ])
        try await queue.define([fewer])
        #expect(try await queue.drift([fewer]).differences.isEmpty)
        #expect(
          try await queue.drift([digest]).differences == [
            "the schedule hourly of job digest is not registered in the schema",
            "the schedule weekly of job digest is registered as another",
          ])
      }
    }
  }

  @Test func `by hand each is run, with its payload, though none is due`() async throws {
    try await with { test in
      let runner = InlineRunner(
        digest, on: test.configuration, schema: test.schema, logger: Logger(label: "test"))
      let result = try await runner.workSchedule()
      #expect(result == .done(runs: 3, report: [:]))
      #expect(
        try await test.sql("select key from noted order by 1")
          == ["\"day at -\"", "\"hour at -\"", "\"week at -\""])
    }
  }
}

private struct Digest: BatchJob {
  static let definition = Definition<Self>(
    "digest",
    on: [
      .cron("0 6 * * *", payload: Digest(of: "day")),
      .cron("0 6 * * 1", named: "weekly", payload: Digest(of: "week")),
      .every(.seconds(21_600), named: "hourly", payload: Digest(of: "hour")),
    ])

  let of: String
  var scheduled_at: String?

  static func run(_ batch: [Run<Self>], in context: TimedContext) async throws {
    for run in batch {
      try await context.note("\(run.payload.of) at \(run.payload.scheduled_at ?? "-")", run.key)
    }
  }
}

/// The same job in another version of the program.
private struct FewerDigests: BatchJob {
  static let definition = Definition<Self>(
    "digest",
    on: [
      .cron("0 6 * * *", payload: FewerDigests(of: "day")),
      .cron("0 7 * * 1", named: "weekly", payload: FewerDigests(of: "week")),
    ])

  let of: String

  static func run(_ batch: [Run<Self>], in context: TimedContext) async throws {}
}
