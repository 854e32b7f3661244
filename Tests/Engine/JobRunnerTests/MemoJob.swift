import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport

@testable import JobRunner

/// The tests' job that stores its position.
///
/// Each step records the position and the run's id.
///
/// The end of a key is the number of steps. The beginning of a key determines what the second step
/// does in addition, until a row lets it continue.
struct MemoJob: StepJob {
  static let definition = Definition<Self>(
    "memo", retry: .attempts(3, exponentialFrom: .milliseconds(1), to: .milliseconds(2)),
    timeout: .seconds(20))

  struct State: StoredState {
    var position = 0
    var text = ""
  }

  var note: String?

  static func step(
    _ run: Run<Self>, _ state: inout State, in context: MemoContext
  ) async throws -> StepResult {
    let key = run.key
    let steps = key.split(separator: "-").last.flatMap { Int($0) } ?? 3
    state.position += 1
    try await context.note(run, state.position, run.payload.note)
    if state.position == 2, try await !context.mayGo() {
      if key.hasPrefix("bad") { throw TestFailure("\(key) fails in its second step") }
      if key.hasPrefix("dead") { throw Permanent("\(key) dies in its second step") }
      if key.hasPrefix("later") { throw Snooze(for: .seconds(3600), reason: "not yet") }
      if key.hasPrefix("hang") { try await Task.sleep(for: .seconds(60)) }
      if key.hasPrefix("lost") { try await context.loseClaim(key) }
      if key.hasPrefix("large") { state.text = String(repeating: "x", count: 70_000) }
    }
    run.progress(state.position, of: steps)
    return state.position < steps ? .more(["steps": 1]) : .done(["steps": 1])
  }

  static let registered = RegisteredJob(MemoJob.self) { MemoContext(transaction: $0) }
}

/// The same job with limits: one run at a time.
struct MeteredMemoJob: StepJob {
  static let definition = Definition<Self>(
    "metered-memo", limits: [.concurrency(1), .concurrency(1, per: .key(part: 1, separator: "/"))])

  struct State: StoredState {
    var position = 0
  }

  static func step(
    _ run: Run<Self>, _ state: inout State, in context: MemoContext
  ) async throws -> StepResult {
    state.position += 1
    try await context.note(run, state.position, nil)
    if state.position == 2, try await !context.mayGo() { throw Snooze(for: .seconds(3600)) }
    return state.position < 3 ? .more([:]) : .done([:])
  }

  static let registered = RegisteredJob(MeteredMemoJob.self) { MemoContext(transaction: $0) }
}

struct MemoContext: Sendable {
  let transaction: Transaction

  func note<J: Job>(_ run: Run<J>, _ position: Int, _ text: String?) async throws
  where J.Key == String {
    try await transaction.run(
      .run(
        Statement(
          "test/memo", "insert into noted values ($1, $2, concat_ws(' ', $3::bigint, $4::text))"),
        run.key, Int32(position), run.id, text))
  }

  func mayGo() async throws -> Bool {
    let mayGo = Call.row(
      Statement("test/may_go", "select exists (select from noted where key = 'go')")
    ) { (row) throws(PostgresError) in try row.decode(Bool.self) }
    let isOpen = try await transaction.run(mayGo)
    return isOpen
  }

  /// Changes the claim like a reclaim for a dead worker.
  ///
  /// The commit of this step is the last commit of the worker.
  func loseClaim(_ key: String) async throws {
    try await transaction.loseClaim(key)
  }
}

/// A schema with the jobs that store a state.
struct MemoQueue: Sendable {
  let test: JobTest
  let queue: Queue
  let job = MemoJob.registered

  static func with(
    _ jobs: [RegisteredJob] = [MemoJob.registered, MeteredMemoJob.registered],
    _ body: (MemoQueue) async throws -> Void
  ) async throws {
    try await JobTest.noting(jobs) { test in
      let connection = try await test.connect()
      try await body(
        MemoQueue(test: test, queue: Queue(Session(connection, in: test.schema))))
      await connection.close()
    }
  }

  /// Enqueues a run, and returns its id.
  @discardableResult
  func enqueue(_ key: String, note: String? = nil, job: String = "memo") async throws -> Int64 {
    let payload = note.map { "'{\"note\": \"\($0)\"}'" } ?? "null"
    let ids = try await test.sql("select enqueue('\(job)', '\(key)', \(payload))")
    try await queue.foldAfterOthers()
    return Int64(ids[0]) ?? 0
  }

  /// Makes all runs due, including snoozed runs.
  func makeDue() async throws { _ = try await queue.foldAtOnce() }

  /// Executes one attempt of one due run, if there is a due run.
  @discardableResult
  func workOnce(
    _ job: RegisteredJob? = nil, release: ProgramRelease? = nil
  ) async throws -> Bool {
    let registration = Registration(
      of: WorkerContext([job ?? self.job], release: release, logger: .quiet),
      on: test.configuration, in: test.schema)
    try await registration.enter(on: registration.control.session())
    let executor = registration.makeSharingExecutor()
    let didWork = try await executor.workOnce(job ?? self.job)
    await executor.close()
    try await registration.leave(on: registration.control.session())
    await registration.control.close()
    return didWork
  }

  /// Deletes the checkpoints of ended runs, as `purge-runs` does.
  func purge() async throws {
    _ = try await queue.session.atomically(.count(SQL.Purge.purgeCheckpoints, Int64(100)))
  }

  func letGo() async throws { try await test.sql("insert into noted values ('go', 0, '')") }

  /// Returns the runs: key, state, whether a worker has claimed it, and whether it has a
  /// checkpoint.
  func runs() async throws -> [String] {
    try await test.sql(
      """
      select key, state, worker is not null, has_checkpoint is true from run order by key, state
      """)
  }

  /// Returns the records of the steps, in order.
  func notes(_ key: String) async throws -> [String] {
    try await test.sql("select position, xact from noted where key = '\(key)' order by ctid")
  }
}
