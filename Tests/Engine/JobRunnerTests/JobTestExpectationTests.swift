import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests the expectations of `JobTest`, and the methods that move its clock.
@Suite struct JobTestExpectationTests {
  private func withLetters(_ body: (JobTest) async throws -> Void) async throws {
    try await JobTest.noting([RegisteredJob(DatedLetter.self) { $0 }], body)
  }

  /// Returns the text of the error that an expectation throws.
  private func failure(_ body: () async throws -> Void) async throws -> String {
    do { try await body() } catch { return "\(error)" }
    throw TestFailure("the expectation is met")
  }

  @Test func `a run is found before and after its dispatch, with its newest payload`() async throws
  {
    try await withLetters { test in
      try await test.sql(#"select enqueue('dated-letter', '7', '{"to": "Ann"}')"#)
      #expect(try await test.expectEnqueued(DatedLetter.self, key: "7").to == "Ann")
      try await test.foldAtOnce()
      #expect(try await test.expectEnqueued(DatedLetter.self, key: "7").to == "Ann")
      try await test.sql(#"select enqueue('dated-letter', '7', '{"to": "Ben"}')"#)
      #expect(try await test.expectEnqueued(DatedLetter.self).to == "Ben")
      // An event of the job's topic counts as well.
      try await test.sql("select append_events('letter.dated', array['8'])")
      #expect(try await test.expectEnqueued(DatedLetter.self, key: "8").to == nil)
      try await test.drain()
      _ = try await failure { try await test.expectEnqueued(DatedLetter.self) }
      try await test.expectNothingLeft()
    }
  }

  @Test func `an expectation that is not met lists all events and runs`() async throws {
    try await withLetters { test in
      let empty = try await failure { try await test.expectEnqueued(DatedLetter.self, key: "9") }
      #expect(empty.contains("JobTestExpectationTests.swift:"))
      #expect(empty.contains("a run of dated-letter with the key '9' is not enqueued"))
      #expect(empty.contains("contains no events and no runs"))
      try await test.sql(#"select enqueue('dated-letter', '7', '{"to": 1}')"#)
      #expect(try await test.drain() == 1)
      try await test.sql("select enqueue('dated-letter', '8 or 9')")
      let texts = [
        try await failure { try await test.expectEnqueued(DatedLetter.self, key: "9") },
        try await failure { try await test.expectNothingLeft() },
      ]
      for text in texts {
        #expect(text.contains("event enqueue/dated-letter, key '8 or 9'"), "\(text)")
        #expect(text.contains("of dated-letter, key '7': dead after 1 attempt, at 2"), "\(text)")
        #expect(text.contains("to is not of type String"), "\(text)")
      }
    }
  }

  @Test func `an error lists at most 20 events and runs`() async throws {
    try await withLetters { test in
      try await test.sql("select enqueue('dated-letter', n::text) from generate_series(1, 25) n")
      let text = try await failure { try await test.expectNothingLeft() }
      #expect(text.split(separator: "\n").count == 22 && text.hasSuffix("and 5 more"), "\(text)")
    }
  }

  @Test(.sampled()) func `the clock stops at each occurrence and at each requested time`()
    async throws
  {
    try await withLetters { test in
      let unset = try await failure { try await test.advance(to: "2024-03-01 00:00Z") }
      #expect(unset.contains("setClock(to:)"))
      try await test.setClock(to: "2024-02-28 12:00Z")
      for (key, time) in [("1", "02-29 06:30"), ("2", "03-01 12:00"), ("3", "03-01 12:01")] {
        try await test.sql(
          "select enqueue('dated-letter', '\(key)', run_at => '2024-\(time):00Z')")
      }
      #expect(try await test.advance(to: "2024-03-01 12:00Z") == 0)
      let written = try await test.sql("select key || ' at ' || xact from noted order by xact, key")
      #expect(
        written.map { $0.replacing("\"", with: "") } == [
          "scheduled at 02-29 00:00", "1 at 02-29 06:30", "scheduled at 03-01 00:00",
          "2 at 03-01 12:00",
        ])
      #expect(
        try await test.occurrences() == [
          "dated-letter 2024-02-29T00:00:00Z fired", "dated-letter 2024-03-01T00:00:00Z fired",
        ])
      try await test.expectEnqueued(DatedLetter.self, key: "3")
      // If the clock moves once, only the newest occurrence fires.
      try await test.setClock(to: "2024-03-04 00:00Z")
      try await test.drain()
      #expect(try await test.occurrences().count == 3)
    }
  }
}

/// A job that records the domain time of its runs.
private struct DatedLetter: BatchJob {
  static let definition = Definition<Self>(
    "dated-letter", on: [.event(Topic("letter.dated")), .cron("0 0 * * *")],
    retry: .attempts(1, exponentialFrom: .zero, to: .zero))

  let to: String?

  static func run(_ batch: [Run<Self>], in transaction: Transaction) async throws {
    for run in batch {
      try await transaction.run(
        .run(
          Statement(
            "test/date",
            """
            insert into noted
            select $1::text, 0, to_char(domain_now() at time zone 'UTC', 'MM-DD HH24:MI')
            """), run.key))
    }
  }
}
