import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// The tests' job with steps.
///
/// Each step is recorded with its transaction.
///
/// The end of a key is the number of steps. The beginning of a key determines what the steps do in
/// addition.
struct PacedJob: StepJob {
  static let definition = Definition<Self>(
    "paced", retry: .attempts(3, exponentialFrom: .milliseconds(1), to: .milliseconds(2)),
    timeout: .milliseconds(800) * patience)

  struct State: StepState {
    var position = 0
  }

  static func step(
    _ run: Run<Self>, _ state: inout State, in context: PacedContext
  ) async throws -> StepResult {
    let key = run.key
    let steps = key.split(separator: "-").last.flatMap { Int($0) } ?? 3
    state.position += 1
    try await context.note(key, state.position)
    if key.hasPrefix("first") { throw TestFailure("\(key) fails in its first step") }
    if state.position == 2 {
      if key.hasPrefix("bad") { throw TestFailure("\(key) fails in its second step") }
      if key.hasPrefix("later") { throw Snooze(for: .seconds(3600), reason: "not yet") }
    }
    if key.hasPrefix("lost") { try await context.loseClaim(key) }
    if key.hasPrefix("slow") { try await context.sleep() }
    if key.hasPrefix("hang"), state.position == 2 { try await context.hang() }
    return state.position < steps ? .more(["steps": 1]) : .done(["steps": 1, "ends": 1])
  }

  static let registered = RegisteredJob(PacedJob.self) { PacedContext(transaction: $0) }
}

struct PacedContext: Sendable {
  let transaction: Transaction

  func note(_ key: String, _ position: Int) async throws {
    try await transaction.run(
      .run(
        Statement(
          "test/pace", "insert into noted select $1, $2, pg_current_xact_id()::text"), key,
        Int32(position)))
  }

  /// Changes the claim like a reclaim for a dead worker.
  ///
  /// The next step detects the change.
  func loseClaim(_ key: String) async throws {
    try await transaction.loseClaim(key)
  }

  func sleep() async throws {
    try await transaction.run(.run(Statement("test/sleep", "select from pg_sleep(0.3)")))
  }

  /// Waits in Swift, where the server cannot end the wait, until a row lets it continue.
  func hang() async throws {
    let mayGo = Call.row(
      Statement("test/may_go", "select exists (select from noted where key = 'go')")
    ) { (row) throws(PostgresError) in try row.decode(Bool.self) }
    guard try await !transaction.run(mayGo) else { return }
    try await Task.sleep(for: .seconds(60))
  }
}

extension JobTest {
  /// Calls the body with a queue that contains the jobs and a table for their records.
  static func noting(
    _ jobs: [RegisteredJob], _ body: (JobTest) async throws -> Void
  ) async throws {
    try await TestSchema.run(jobs) { test in
      try await test.sql("create table noted (key text, position integer, xact text)")
      try await body(test)
    }
  }

  /// Returns the records as `key@position`, in order.
  func noted() async throws -> [String] {
    try await sql("select key || '@' || position from noted order by 1")
  }

  /// Folds all events, and makes all runs due.
  func foldAtOnce() async throws {
    let connection = try await connect()
    _ = try await Queue(Session(connection, in: schema)).foldAtOnce()
    await connection.close()
  }

  /// Processes a run of a job until one more step is recorded.
  ///
  /// After that, the connection is closed, and no run is settled.
  func dieAfterOneStep(of job: RegisteredJob) async throws {
    let registration = Registration(
      of: WorkerContext([job], logger: .quiet), on: configuration, in: schema)
    try await registration.enter(on: registration.control.session())
    let executor = registration.makeSharingExecutor()
    let steps = try await count("noted")
    let claim = try #require(try await executor.claimInTurn(job))
    let dying = Task { try await executor.work(claim) }
    try await eventually("a step") { try await count("noted") == steps + 1 }
    dying.cancel()
    _ = await dying.result
    await executor.close()
    await registration.control.close()
  }

  func count(_ query: String) async throws -> Int {
    Int(try await sql("select count(*) from \(query)").first ?? "") ?? -1
  }

  func inlineRunner(_ job: RegisteredJob) -> InlineRunner {
    InlineRunner(job, on: configuration, schema: schema, logger: .quiet)
  }

  func worker(_ jobs: [RegisteredJob], concurrency: Int = 1) -> Worker {
    Worker(
      jobs, on: configuration, schema: schema, options: .init(concurrency: concurrency),
      logger: .quiet)
  }
}
