import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests how a job determines its next attempt: with a snooze, a wait, or a function.
@Suite struct PostponedRunTests {
  private func life(of test: JobTest) async throws -> [String] {
    let id = Int64(try await test.sql("select id from run")[0]) ?? 0
    let connection = try await test.connect()
    let text = try await Queue(Session(connection, in: test.schema)).run(id, isOnOneLine: true)
    await connection.close()
    let pattern = /"outcome": ?"(\w+)"/
    return (text ?? "").matches(of: pattern).map { String($0.1) }
  }

  @Test func `a snooze is recorded with its reason and costs no attempt`() async throws {
    try await TestSchema.run([PostponingJob.registered]) { test in
      try await test.sql("select enqueue('postponing', 'snooze')")
      _ = try await test.inlineRunner(PostponingJob.registered).workDue()
      #expect(
        try await test.sql("select attempt, batch_limit, due > now() + interval '4 min' from run")
          == ["0,0,t"])
      #expect(
        try await test.sql("select error, is_snooze, attempt from failed_attempt")
          == ["maintenance,t,1"])
      #expect(try await life(of: test) == ["snoozed"])
    }
  }

  /// The run with the key `snooze` is snoozed, and the run with the key `after` fails.
  @Test(arguments: ["snooze", "after"])
  func `the newest twenty failures and the newest twenty snoozes are kept`(key: String)
    async throws
  {
    try await TestSchema.run([PostponingJob.registered]) { test in
      let id = try await test.sql("select enqueue('postponing', '\(key)')")[0]
      try await test.sql(
        """
        insert into failed_attempt (run_id, job, key, attempt, began_at, ended_at, error, is_snooze)
        select \(id), 'postponing', '\(key)', 1, now(), now(), 'earlier', n > 20 from generate_series(1, 40) n
        """)
      _ = try await test.inlineRunner(PostponingJob.registered).workDue()
      #expect(
        try await test.sql("select is_snooze, count(*) from failed_attempt group by 1 order by 1")
          == ["f,20", "t,20"])
      #expect(
        try await test.sql("select is_snooze from failed_attempt where error <> 'earlier'")
          == [key == "snooze" ? "t" : "f"])
      let connection = try await test.connect()
      let count = Call.row(SQL.Queue.countRecentFailures, Int64(id) ?? 0) {
        (row) throws(PostgresError) in try row.decode(Int64.self)
      }
      #expect(try await Session(connection, in: test.schema).atomically(count) == 20)
      await connection.close()
    }
  }

  @Test func `a snooze fails like any other error after its end`() async throws {
    try await TestSchema.run([PostponingJob.registered]) { test in
      try await test.sql("select enqueue('postponing', 'ended')")
      _ = try await test.inlineRunner(PostponingJob.registered).workDue()
      #expect(try await test.sql("select attempt, last_error from run") == ["1,late"])
      #expect(try await test.sql("select is_snooze from failed_attempt") == ["f"])
      #expect(try await life(of: test) == ["failed"])
    }
  }

  @Test func `the last wait of a snooze ends with the snooze`() {
    let now = Date()
    let snooze = Snooze(for: .seconds(300), until: now + 60)
    #expect(snooze.wait(from: now) == .seconds(60))
    #expect(snooze.wait(from: now - 600) == .seconds(300))
    #expect(snooze.wait(from: now + 60) == nil)
    #expect(Snooze(for: .seconds(300), until: .distantFuture).wait(from: now) == .seconds(300))
    #expect(Snooze(for: .seconds(300)).wait(from: now) == .seconds(300))
  }

  @Test func `RetryAfter costs an attempt, waits that long, and ends with the last attempt`()
    async throws
  {
    try await TestSchema.run([PostponingJob.registered]) { test in
      try await test.sql("select enqueue('postponing', 'after')")
      let runner = { test.inlineRunner(PostponingJob.registered) }
      _ = try await runner().workDue()
      #expect(
        try await test.sql(
          "select attempt, due - now() between interval '25 s' and interval '30 s', last_error from run"
        )
          == ["1,t,busy"])
      try await test.sql("update run set due = now(), backoff_until = null")
      _ = try await runner().workDue()
      #expect(try await test.sql("select attempt, error from dead_run") == ["2,busy"])
    }
  }

  @Test func `RetryAfter with a time that has passed makes the run due at once`() async throws {
    try await TestSchema.run([PostponingJob.registered]) { test in
      try await test.sql("select enqueue('postponing', 'passed')")
      _ = try await test.inlineRunner(PostponingJob.registered).workDue()
      #expect(
        try await test.sql(
          "select state, attempt, due <= now() + interval '1 second', last_error from run")
          == ["ready,1,t,passed"])
    }
  }

  @Test func `FailedRuns without a run fails the whole batch`() async throws {
    try await TestSchema.run([PostponingJob.registered]) { test in
      try await test.sql("select enqueue('postponing', 'unnamed')")
      _ = try await test.inlineRunner(PostponingJob.registered).workDue()
      #expect(
        try await test.sql("select state, attempt, last_error is not null from run")
          == ["ready,1,t"])
    }
  }

  @Test func `a function of error and attempt returns the wait, or ends the run`() async throws {
    try await TestSchema.run([ChoosyJob.registered]) { test in
      for key in ["gone", "busy"] { try await test.sql("select enqueue('choosy', '\(key)')") }
      for _ in 1...2 { _ = try await test.inlineRunner(ChoosyJob.registered).workDue() }
      #expect(
        try await test.sql(
          "select key, attempt, due - now() between interval '95 s' and interval '100 s' from run")
          == ["busy,1,t"])
      #expect(try await test.sql("select key, attempt from dead_run") == ["gone,1"])
      #expect(
        try await test.sql(
          "select attempts, first_wait, longest_wait from job where name = 'choosy'")
          == ["4,,"])
    }
  }

  @Test func `a function decides about errors of the server too, for a minute at most`() {
    let retry = Retry.attempts(5) { error, attempt in
      (error as? PostgresError)?.sqlState == "40P01" ? .seconds(20 * attempt) : nil
    }
    func decision(_ state: SQLState, _ attempt: Int) -> FailureDecision {
      FailureDecision(
        on: .transient, PostgresError(state, "-"), runs: 1, attempt: attempt,
        retry: retry, jitter: 1)
    }
    #expect(decision("40P01", 2) == .release(attemptsOff: 0, wait: .seconds(40), batchLimit: nil))
    #expect(decision("40P01", 4) == .release(attemptsOff: 0, wait: .seconds(60), batchLimit: nil))
    #expect(decision("40P01", 5) == .deadLetter)
    #expect(decision("55P03", 1) == .deadLetter)
    #expect(retry == retry && retry != Retry.attempts(5) { _, _ in .zero })
  }
}

/// A job that postpones its runs if their keys request that.
private struct PostponingJob: BatchJob {
  static let definition = Definition<Self>(
    "postponing", batch: 1, retry: .attempts(2, exponentialFrom: .seconds(1), to: .seconds(1)))

  static func run(_ batch: [Run<Self>], in context: Notebook) async throws {
    switch batch[0].key {
    case "snooze": throw Snooze(for: .seconds(300), reason: "maintenance", until: Date() + 3_600)
    case "ended": throw Snooze(for: .seconds(300), reason: "late", until: Date() - 1)
    case "passed": throw RetryAfter(.seconds(-5), "passed")
    case "unnamed": throw FailedRuns([:])
    default: throw RetryAfter(.seconds(30), "busy")
    }
  }

  static let registered = RegisteredJob(PostponingJob.self) { Notebook(transaction: $0) }
}

/// A job with a retry function.
private struct ChoosyJob: BatchJob {
  struct Gone: Error {}

  static let definition = Definition<Self>(
    "choosy", batch: 1,
    retry: .attempts(4) { error, attempt in
      error is Gone ? nil : .seconds(100 * attempt)
    })

  static func run(_ batch: [Run<Self>], in context: Notebook) async throws {
    if batch[0].key == "gone" { throw Gone() }
    throw TestFailure("busy")
  }

  static let registered = RegisteredJob(ChoosyJob.self) { Notebook(transaction: $0) }
}
