import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import Logging
import Synchronization
import TestSupport

@testable import JobRunner

/// Records which runs have begun, and contains a gate for jobs that ignore cancellation.
///
/// Tests of cancellation wait for both.
final class Began: Sendable {
  private let state = Mutex((keys: [String](), isOpen: false))

  /// One key for each begun attempt.
  var keys: [String] { state.withLock { $0.keys } }
  var isOpen: Bool { state.withLock { $0.isOpen } }

  func append(_ keys: [String]) { state.withLock { $0.keys += keys } }
  func open() { state.withLock { $0.isOpen = true } }

  /// Blocks the calling thread until the gate is open.
  func block() {
    while !isOpen { usleep(2_000) }
  }
}

/// The tests' job whose duration depends on its key and is far longer than any test waits.
///
/// The job keeps no history.
struct LongJob: BatchJob {
  static let definition = Definition<Self>(
    "long", on: [.event(Topic("long.wanted"))], batch: 100,
    retry: .attempts(3, exponentialFrom: .milliseconds(1), to: .milliseconds(2)),
    timeout: .seconds(300))

  static func run(_ batch: [Run<Self>], in context: LongContext) async throws {
    context.began.append(batch.map(\.key))
    for run in batch { try await context.note(run.key, attempt: run.attempt) }
    for run in batch {
      if run.key.hasPrefix("stuck") { try await context.sleep() }
      if run.key.hasPrefix("busy") { try await context.keepNoting(run.key, for: .seconds(30)) }
      if run.key.hasPrefix("hang") { try await Task.sleep(for: .seconds(300)) }
      if run.key.hasPrefix("bad") { throw TestFailure("\(run.key) always fails") }
      if run.key.hasPrefix("slow") { try await Task.sleep(for: .milliseconds(20)) }
      if run.key.hasPrefix("lucky"), run.attempt < 3 { throw TestFailure("no luck yet") }
    }
  }

  static func registered(_ began: Began = Began()) -> RegisteredJob {
    RegisteredJob(LongJob.self) { LongContext(began: began, transaction: $0) }
  }
}

/// The same job with a thousand steps and a history.
struct LongSteps: StepJob {
  static let definition = Definition<Self>(
    "long-steps", retry: .attempts(3, exponentialFrom: .milliseconds(1), to: .milliseconds(2)),
    timeout: .seconds(300))

  struct State: StepState {
    var position = 0
  }

  static func step(
    _ run: Run<Self>, _ state: inout State, in context: LongContext
  ) async throws -> StepResult {
    state.position += 1
    if run.key.hasPrefix("bad"), run.attempt == 1 { throw TestFailure("\(run.key) fails first") }
    try await context.note(run.key, attempt: state.position)
    guard run.key.hasPrefix("long") else { return .done(["steps": 1]) }
    try await Task.sleep(for: .milliseconds(10))
    return state.position < 100_000 ? .more(["steps": 1]) : .done(["steps": 1])
  }

  static func registered(_ began: Began = Began()) -> RegisteredJob {
    RegisteredJob(LongSteps.self) { LongContext(began: began, transaction: $0) }
  }
}

/// The same job as an effect, outside transactions.
struct LongEffect: EffectJob {
  static let definition = Definition<Self>(
    "long-effect", concurrency: 4,
    retry: .attempts(3, exponentialFrom: .milliseconds(1), to: .milliseconds(2)),
    timeout: .seconds(300))

  static func perform(_ run: Run<Self>, in context: LongEffectContext) async throws {
    context.began.append([run.key])
    if run.key.hasPrefix("hang") { try await Task.sleep(for: .seconds(300)) }
    if run.key.hasPrefix("deaf") { context.block() }
  }

  static func registered(_ began: Began = Began()) -> RegisteredJob {
    RegisteredJob(LongEffect.self) { LongEffectContext(began: began, effect: $0) }
  }
}

struct LongContext: Sendable {
  let began: Began
  let transaction: Transaction

  func note(_ key: String, attempt: Int) async throws {
    try await transaction.run(
      .run(
        Statement(
          "test/note_long", "insert into noted select $1, $2, pg_current_xact_id()::text"),
        key, Int32(attempt)))
  }

  /// Executes short statements one after another.
  func keepNoting(_ key: String, for length: Duration) async throws {
    let end = ContinuousClock.now + length
    while .now < end { try await note(key, attempt: 0) }
  }

  /// Executes a statement that only the server ends.
  func sleep() async throws {
    try await transaction.run(.run(Statement("test/sleep_long", "select pg_sleep(300)")))
  }
}

struct LongEffectContext: Sendable {
  let began: Began
  let effect: Effect

  /// Blocks its thread until the gate opens, like a library that does not support tasks.
  func block() {
    while !began.isOpen { Thread.sleep(forTimeInterval: 0.01) }
  }
}

/// A queue with the long jobs.
struct LongQueue: Sendable {
  let test: JobTest
  let began: Began
  let queue: Queue
  let jobs: [RegisteredJob]

  static func with(_ body: (LongQueue) async throws -> Void) async throws {
    let began = Began()
    let jobs = [
      LongJob.registered(began), LongSteps.registered(began), LongEffect.registered(began),
    ]
    try await JobTest.noting(jobs) { test in
      let connection = try await test.connect()
      try await body(
        LongQueue(
          test: test, began: began, queue: Queue(Session(connection, in: test.schema)), jobs: jobs))
      await connection.close()
    }
  }

  /// Enqueues runs, and dispatches them immediately.
  func make(_ job: String, _ keys: [String]) async throws {
    for key in keys { try await test.sql("select enqueue('\(job)', '\(key)')") }
    try await queue.foldAfterOthers()
  }

  /// Returns the id of the key's run.
  func id(_ key: String) async throws -> Int64 {
    guard let text = try await test.sql("select id from run where key = '\(key)'").first,
      let id = Int64(text)
    else { throw TestFailure("no run of \(key)") }
    return id
  }

  /// Runs `body` together with a worker of the long jobs.
  func withWorker(_ body: (Worker) async throws -> Void) async throws {
    let worker = test.worker(jobs)
    async let working: Void = worker.run()
    do {
      try await body(worker)
    } catch {
      began.open()
      worker.stopAtOnce()
      try await working
      throw error
    }
    began.open()
    worker.stopAtOnce()
    try await working
  }

  /// Returns an executor of a worker that is registered but does not poll.
  func executor(_ identity: WorkerIdentity = WorkerIdentity()) async throws -> RunExecutor {
    let registration = Registration(
      of: WorkerContext(jobs, identity: identity, logger: .quiet), on: test.configuration,
      in: test.schema)
    try await registration.enter(on: registration.control.session())
    return registration.makeSharingExecutor()
  }

  /// Returns the cancelled attempts as `key@attempt`.
  func cancelled() async throws -> [String] {
    try await test.sql(
      "select key || '@' || attempt from run_history where outcome = 'cancelled' order by 1")
  }

  /// Returns all remaining runs, dead runs and requests.
  func left() async throws -> [String] {
    try await test.sql(
      """
      select job || '/' || key || '/' || state from run
      union all select job || '/' || key || '/dead' from dead_run
      union all select job || '/' || key || '/request' from cancellation order by 1
      """)
  }
}
