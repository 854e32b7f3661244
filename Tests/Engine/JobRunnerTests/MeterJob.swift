import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport

@testable import JobRunner

/// The tests' jobs with limits.
///
/// Their runs wait until a row lets them end.
struct MeterJob: BatchJob {
  static let definition = Definition<Self>(
    "meter", batch: 4, limits: [.concurrency(5), .concurrency(2, per: .payload("tenant"))])

  var tenant: String?

  static func run(_ batch: [Run<Self>], in context: PacedContext) async throws {
    for run in batch { try await context.note(run.key, run.attempt) }
  }

  static let registered = RegisteredJob(MeterJob.self) { PacedContext(transaction: $0) }
}

/// Two starts at once, then one start every 100 ms.
struct RatedJob: BatchJob {
  static let definition = Definition<Self>(
    "rated", batch: 10,
    retry: .attempts(5, exponentialFrom: .milliseconds(1), to: .milliseconds(2)),
    limits: [.perSecond(10, burst: 2)])

  static func run(_ batch: [Run<Self>], in context: PacedContext) async throws {
    for run in batch {
      try await context.note(run.key, run.attempt)
      if run.key.hasPrefix("bad"), run.attempt < 3 { throw TestFailure("not yet") }
    }
  }

  static let registered = RegisteredJob(RatedJob.self) { PacedContext(transaction: $0) }
}

/// A job whose group is the first part of the key.
struct RegionJob: BatchJob {
  static let definition = Definition<Self>(
    "region", batch: 100, limits: [.concurrency(1, per: .key(part: 1, separator: "/"))])

  static func run(_ batch: [Run<Self>], in context: PacedContext) async throws {}

  static let registered = RegisteredJob(RegionJob.self) { PacedContext(transaction: $0) }
}

/// For each tenant, two starts at once, then one start every 200 ms.
///
/// At most 50 runs of all tenants.
struct GroupRatedJob: BatchJob {
  static let definition = Definition<Self>(
    "group-rated", batch: 100,
    limits: [.concurrency(50), .perSecond(5, burst: 2, per: .key(part: 1, separator: "/"))])

  static func run(_ batch: [Run<Self>], in context: PacedContext) async throws {
    for run in batch { try await context.note(run.key, run.attempt) }
  }

  static let registered = RegisteredJob(GroupRatedJob.self) { PacedContext(transaction: $0) }
}

/// For each tenant, one run at a time, and ten starts at once, then one start every minute.
struct SlowGroupJob: BatchJob {
  static let definition = Definition<Self>(
    "slow-group", batch: 100,
    limits: [
      .concurrency(1, per: .key(part: 1, separator: "/")),
      .perMinute(1, burst: 10, per: .key(part: 1, separator: "/")),
    ])

  static func run(_ batch: [Run<Self>], in context: PacedContext) async throws {}

  static let registered = RegisteredJob(SlowGroupJob.self) { PacedContext(transaction: $0) }
}

/// A later release of the job, with a faster rate.
struct FasterGroupJob: BatchJob {
  static let definition = Definition<Self>(
    "slow-group", batch: 100,
    limits: [
      .concurrency(1, per: .key(part: 1, separator: "/")),
      .perSecond(5, burst: 10, per: .key(part: 1, separator: "/")),
    ])

  static func run(_ batch: [Run<Self>], in context: PacedContext) async throws {}

  static let registered = RegisteredJob(FasterGroupJob.self) { PacedContext(transaction: $0) }
}

/// A schema with these jobs.
///
/// The test claims runs like the executors of one worker.
struct Meter: Sendable {
  let test: JobTest
  let session: Session
  private let claimers: [String: Claimer]
  /// The worker is registered, so that its runs are not taken over.
  private let worker = UUID()

  static let jobs = [
    MeterJob.registered, RatedJob.registered, RegionJob.registered, GroupRatedJob.registered,
    SlowGroupJob.registered,
  ]

  static func with(_ body: (Meter) async throws -> Void) async throws {
    try await JobTest.noting(jobs) { test in
      let connection = try await Connection.open(test.configuration)
      let claimers = jobs.map {
        ($0.definition.name, Claimer(of: $0.definition, from: QueueFront()))
      }
      let meter = Meter(
        test: test, session: Session(connection, in: test.schema),
        claimers: Dictionary(claimers) { first, _ in first })
      try await meter.session.atomically(
        .run(
          SQL.Workers.register, meter.worker, "meter", false, false, false, Int32?.none,
          String?.none, Int32?.none, String?.none, ["meter"]))
      try await body(meter)
      await connection.close()
    }
  }

  /// Enqueues runs and folds them.
  func ask(_ sql: String) async throws {
    try await test.sql(sql)
    _ = try await Queue(session).foldAtOnce()
  }

  /// Polls, and claims runs in the order of the poll's result.
  func claim(
    _ job: RegisteredJob, _ limit: Int? = nil, on session: Session? = nil
  ) async throws -> [String] {
    let session = session ?? self.session
    guard let claimer = claimers[job.definition.name] else { return [] }
    if let due = try await Queue(session).poll().dueJobs.first(where: {
      $0.name == job.definition.name
    }) {
      claimer.order = due.order
    }
    let runs = try await claimer.claim(
      job.definition, limit: limit ?? job.definition.batch, token: UUID(), worker: worker,
      on: session, while: { true })
    return runs.map(\.key).sorted()
  }

  /// Ends running runs.
  func end(_ keys: String...) async throws {
    for key in keys {
      try await test.sql("delete from run where key = '\(key)' and state = 'running'")
    }
  }

  func isDue(_ job: RegisteredJob) async throws -> Bool {
    try await Queue(session).poll().dueJobs.contains { $0.name == job.definition.name }
  }
}
