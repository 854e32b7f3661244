import BatonJobs
import BatonPostgres
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Compiles and runs the schedules of docs/guides/schedules.md that are created at run time.
@Suite struct DocumentedScheduleTests {
  private let job = RegisteredJob(SendReport.self) { TimedContext(transaction: $0) }

  /// Returns the first call of `schedule` in docs/guides/schedules.md.
  private func documentedCall() throws -> String {
    let page = try Checkout.text("docs/guides/schedules.md")
    return String(try #require(page.firstMatch(of: /\n(select schedule\([^;]+);/)).output.1)
  }

  @Test func `a tenant gets a report in its own time zone`() async throws {
    try await JobTest.noting([job]) { test in
      try await test.setClock(to: "2026-03-15 12:00Z")
      try await test.sql(documentedCall())
      try await test.drain()
      try await test.setClock(to: "2026-03-31 21:00Z")
      #expect(try await test.drain() == 0)
      #expect(try await test.sql("select key from noted") == ["\"report of 7\""])
      let stored = "select expression, time_zone, payload, key, missed from schedule"
      let bySQL = try await test.sql(stored)
      let connection = try await test.connect()
      try await Session(connection, in: test.schema).transaction { transaction in
        try await transaction.removeSchedule("tenant-7", ofJob: "send-report")
        try await transaction.schedule(
          ScheduleRequest(
            SendReport(tenant: 7), named: "tenant-7", at: .cron("0 6 1 * *", timeZone: "Asia/Tokyo")
          ))
      }
      await connection.close()
      #expect(try await test.sql(stored) == bySQL)
    }
  }
}

private struct SendReport: BatchJob {
  static let definition = Definition<Self>("send-report")

  let tenant: Int

  static func run(_ batch: [Run<Self>], in context: TimedContext) async throws {
    for run in batch { try await context.note("report of \(run.payload.tenant)", run.key) }
  }
}
