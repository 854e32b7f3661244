import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests runs with a time long before now, such as the zero time of another language.
@Suite(.timeLimit(.minutes(5))) struct EarlyRunTests {
  @Test(
    .sampled(),
    arguments: [
      "0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z",
      "4714-11-24 00:00Z BC",
    ])
  func `a run before 1970 is claimed, and later runs of its key are too`(at: String) async throws {
    try await NoticeBoard.with { test in
      try await test.sql(
        "select enqueue('notice', 'early', '{\"text\": \"first\"}', run_at => '\(at)')")
      try await expectIdle(test)
      try await test.sql(
        "select enqueue('notice', 'early', '{\"text\": \"second\"}', run_at => '\(at)')")
      try await expectIdle(test)
      let noticed = try await test.sql("select text from noticed order by id")
      #expect(noticed == ["first", "second"])
    }
  }

  @Test func `the earliest and the latest date of Swift are taken or refused`() async throws {
    try await NoticeBoard.with { test in
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      try await queue.enqueue(RunRequest(NoticeJob(text: "past"), key: "a", at: .distantPast))
      try await queue.enqueue(RunRequest(NoticeJob(text: "future"), key: "b", at: .distantFuture))
      for seconds in [-1e30, 1e30, .infinity, -.infinity, .nan] {
        let date = Date(timeIntervalSince1970: seconds)
        let error = await #expect(throws: PostgresError.self) {
          try await queue.enqueue(RunRequest(NoticeJob(text: "none"), key: "c", at: date))
        }
        #expect(["ZB008", "22008", "22000"].contains(error?.sqlState.code), "\(seconds)")
      }
      _ = try await queue.foldAtOnce()
      #expect(
        try await test.sql("select key, due > now() from run order by key") == ["a,f", "b,t"])
      try await test.sql("delete from run where key = 'b'")
      try await expectIdle(test)
      #expect(try await test.sql("select text from noticed") == ["past"])
      await connection.close()
    }
  }

  /// Expects that a worker stops when no work remains.
  ///
  /// If a run were not claimed, the worker would never end.
  private func expectIdle(_ test: JobTest) async throws {
    let worker = Worker(
      [NoticeJob.registered], on: test.configuration, schema: test.schema,
      options: .init(concurrency: 1), logger: LogLines().logger)
    let ending = Task { try await worker.runUntilIdle() }
    let late = Task {
      try await Task.sleep(for: .seconds(20) * patience)
      worker.stop()
      return true
    }
    #expect(try await ending.value == 0)
    late.cancel()
    #expect(await (try? late.value) == nil, "it was not idle in time")
  }
}
