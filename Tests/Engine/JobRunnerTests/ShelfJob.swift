import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import Logging
import Synchronization
import TestSupport

@testable import JobRunner

/// The tests' job whose table may be missing, because the test creates `shelf`.
struct ShelfJob: BatchJob {
  static let definition = Definition<Self>(
    "shelf", batch: 100,
    retry: .attempts(3, exponentialFrom: .milliseconds(1), to: .milliseconds(2)))

  static func run(_ batch: [Run<Self>], in context: Shelf) async throws {
    context.calls.began(batch)
    if context.calls.isBroken { throw Broken() }
    if batch.contains(where: { $0.key.hasPrefix("poison") }) { throw Poison() }
    let named = batch.filter { $0.key.hasPrefix("named") && $0.attempt == 1 }
    if !named.isEmpty { throw FailedRuns(of: named) }
    if batch.contains(where: { $0.key.hasPrefix("tenant") }) {
      try await context.transaction.run(
        .run(Statement("test/tenant", "insert into shelf_of_tenant default values")))
    }
    try await context.store(batch)
  }

  static func registered(_ calls: Shelf.Calls) -> RegisteredJob {
    RegisteredJob(ShelfJob.self) { Shelf(transaction: $0, calls: calls) }
  }

  struct Broken: Error {}
  struct Poison: Error {}
}

/// The tests' effect, whose external service may be down.
struct ShelfEffect: EffectJob {
  static let definition = Definition<Self>("shelf-effect", concurrency: 50)

  static func perform(_ run: Run<Self>, in calls: Shelf.Calls) async throws {
    calls.performed(run.attempt)
    if calls.isBroken { throw ShelfJob.Broken() }
    if run.key.hasPrefix("poison") { throw ShelfJob.Poison() }
    if run.key.hasPrefix("flaky"), run.attempt == 1 { throw ShelfJob.Poison() }
  }

  static func registered(_ calls: Shelf.Calls) -> RegisteredJob {
    RegisteredJob(ShelfEffect.self) { _ in calls }
  }
}

extension FailedRuns {
  fileprivate init(of runs: [Run<ShelfJob>]) {
    self.init(Dictionary(uniqueKeysWithValues: runs.map { ($0.id, ShelfJob.Poison()) }))
  }
}

struct Shelf: Sendable {
  /// The calls of the job in one worker, and a switch that breaks only this worker.
  final class Calls: Sendable {
    private struct State {
      var sizes: [Int] = []
      var attempts = 0
      var isBroken = false
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.sizes.count } }
    /// The number of runs in each call.
    var sizes: [Int] { state.withLock { $0.sizes } }
    /// The highest number of an attempt.
    var attempts: Int { state.withLock { $0.attempts } }
    var isBroken: Bool { state.withLock { $0.isBroken } }

    func began(_ batch: [Run<ShelfJob>]) {
      record(batch.count, attempt: batch.map(\.attempt).max() ?? 0)
    }

    func performed(_ attempt: Int) { record(1, attempt: attempt) }

    func setBroken(_ isBroken: Bool) { state.withLock { $0.isBroken = isBroken } }

    private func record(_ size: Int, attempt: Int) {
      state.withLock { state in
        state.sizes.append(size)
        state.attempts = max(state.attempts, attempt)
      }
    }
  }

  let transaction: Transaction
  let calls: Calls

  func store(_ batch: [Run<ShelfJob>]) async throws {
    try await transaction.run(
      .run(
        Statement("test/shelf", "insert into shelf select unnest($1::text[])"), batch.map(\.key)))
  }
}

/// A schema with both jobs, and their workers.
struct ShelfQueue: Sendable {
  let test: JobTest

  static func with(_ body: (ShelfQueue) async throws -> Void) async throws {
    let calls = Shelf.Calls()
    try await TestSchema.run([ShelfJob.registered(calls), ShelfEffect.registered(calls)]) { test in
      try await body(ShelfQueue(test: test))
    }
  }

  func makeTable() async throws { try await test.sql("create table shelf (key text)") }

  /// Inserts due runs directly, without the time for a dispatch of events.
  func fill(_ job: String = "shelf", runs: Int, prefix: String = "") async throws {
    try await test.sql(
      """
      insert into run (job, key, state, due, first_event_at, last_event_at)
      select '\(job)', '\(prefix)' || n, 'ready', now() - interval '1 h' + n * interval '1 ms', now(), now()
      from generate_series(1, \(runs)) n
      """)
  }

  func count(_ query: String) async throws -> Int { try await test.count(query) }

  /// Runs `body` together with a worker of the job.
  func withWorker(
    _ job: RegisteredJob, log: Logger = .quiet, _ body: () async throws -> Void
  ) async throws {
    let worker = Worker(
      [job], on: test.configuration, schema: test.schema,
      options: Worker.Options(grace: .milliseconds(200)), logger: log)
    try await running(worker, body: body)
  }

  /// Returns the state that `status` reads for a job.
  func commonFailure(of job: String = "shelf") async throws -> CommonFailureObservation? {
    let connection = try await test.connect()
    let observation = try await Queue(Session(connection, in: test.schema)).observe()
    await connection.close()
    return observation.jobs.first { $0.name == job }?.commonFailure
  }

  func waitForCommonFailure(of job: String = "shelf") async throws -> CommonFailureObservation {
    try await eventually("the worker stores the reason") {
      try await commonFailure(of: job) != nil
    }
    guard let failure = try await commonFailure(of: job) else {
      throw TestFailure("the reason has ended")
    }
    return failure
  }
}
