import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// Tests middleware around batches, steps and effects.
@Suite struct MiddlewareTests {
  /// A way in which runs are executed.
  enum Way: CaseIterable {
    case drain, worker, inline
  }

  private func work(_ jobs: [RegisteredJob], in test: JobTest, by way: Way) async throws {
    switch way {
    case .drain: try await test.drain()
    case .worker: _ = try await test.worker(jobs).runUntilIdle()
    case .inline: for job in jobs { _ = try await test.inlineRunner(job).workDue() }
    }
  }

  @Test(.sampled(), arguments: Way.allCases)
  func `each batch, step and effect is called within the middleware`(way: Way) async throws {
    let calls = Calls()
    let jobs = MiddlewareJobs.registered(calls).around { attempt, next in
      calls.append(
        "\(attempt.job) \(attempt.runs.map(\.key).sorted()) of \(attempt.runs.map(\.job)[0])")
      #expect(attempt.runs.allSatisfy { $0.id > 0 && $0.attempt == 1 && !$0.isDryRun })
      #expect(attempt.attempts == 1)
      try await Tenant.$current.withValue("of \(attempt.job)") { try await next() }
    }
    try await JobTest.noting(jobs) { test in
      for call in ["'mark', 'a'", "'mark', 'b'", "'steps', 's'", "'push', 'p'"] {
        try await test.sql("select enqueue(\(call))")
      }
      try await work(jobs, in: test, by: way)
      #expect(
        calls.all.sorted()
          == [
            #"mark ["a", "b"] of mark"#, "marks of mark", "pushes of push", #"push ["p"] of push"#,
            "steps of steps", "steps of steps", #"steps ["s"] of steps"#, #"steps ["s"] of steps"#,
          ].sorted())
      #expect(try await test.noted() == ["a@1", "b@1", "s@1", "s@2"])
    }
  }

  @Test(.sampled()) func `a dry run calls the middleware, and is marked as a dry run`() async throws
  {
    let calls = Calls()
    let jobs = MiddlewareJobs.registered(calls).around { attempt, next in
      calls.append("\(attempt.job) \(attempt.runs.map(\.isDryRun))")
      try await next()
    }
    try await JobTest.noting(jobs) { test in
      for (job, key) in zip(jobs, ["mark", "steps"]) {
        try await test.sql("select enqueue('\(key)', 'a')")
        try await test.foldAtOnce()
        _ = try await test.inlineRunner(job).dryRun(key: "a") { _, _ in }
      }
      #expect(calls.all.filter { $0.hasSuffix("]") } == ["mark [true]"] + twice("steps [true]"))
      #expect(try await test.noted().isEmpty)
    }
  }

  private func twice(_ text: String) -> [String] { [text, text] }

  @Test func `the middleware that is added last is called first`() async throws {
    let calls = Calls()
    let jobs = ["inner", "outer"].reduce(MiddlewareJobs.registered(calls)) { jobs, name in
      jobs.around { _, next in
        calls.append("\(name) begins")
        try await next()
        calls.append("\(name) ends")
      }
    }
    try await JobTest.noting(jobs) { test in
      try await test.sql("select enqueue('push', 'a')")
      try await test.drain()
      #expect(
        calls.all == [
          "outer begins", "inner begins", "pushes without tenant", "inner ends", "outer ends",
        ])
    }
  }

  /// A fault of the middleware, or of the job's code within the middleware.
  enum Fault: String, CaseIterable {
    case throwsBefore, throwsAfter, replaces, calledNever, calledTwice, swallows

    func handle(_ next: @Sendable () async throws -> Void) async throws {
      switch self {
      case .throwsBefore: throw TestFailure("before next")
      case .throwsAfter:
        try await next()
        throw TestFailure("after next")
      case .replaces:
        do { try await next() } catch { throw Permanent("instead of \(error)") }
      case .calledNever: return
      case .calledTwice:
        try await next()
        try await next()
      case .swallows: try? await next()
      }
    }

    /// The error of the dead run.
    var error: String {
      switch self {
      case .throwsBefore: "before next"
      case .throwsAfter: "after next"
      case .replaces: "instead of the code fails"
      case .calledNever: "returned without calling next"
      case .calledTwice: "called next twice"
      case .swallows: "the code fails"
      }
    }

    /// The key of the run, with which the job's code fails or succeeds.
    var key: String { self == .replaces || self == .swallows ? "bad" : "good" }
  }

  @Test(.sampled(), arguments: Fault.allCases)
  func `an error in the middleware fails the attempt, which leaves no changes`(
    fault: Fault
  ) async throws {
    let jobs = MiddlewareJobs.registered(Calls()).around { _, next in
      try await fault.handle(next)
    }
    try await JobTest.noting(jobs) { test in
      for job in ["mark", "steps", "push"] {
        try await test.sql("select enqueue('\(job)', '\(fault.key)')")
      }
      #expect(try await test.drain() == 3)
      let errors = try await test.sql("select error from dead_run")
      #expect(errors.count == 3 && errors.allSatisfy { $0.contains(fault.error) }, "\(errors)")
      #expect(try await test.noted().isEmpty)
    }
  }

  @Test(.sampled()) func `the timeout of a job includes the middleware`() async throws {
    let jobs = MiddlewareJobs.registered(Calls()).around { _, next in
      try await Task.sleep(for: .seconds(60))
      try await next()
    }
    try await JobTest.noting(jobs) { test in
      for job in ["mark", "steps", "push"] { try await test.sql("select enqueue('\(job)', 'a')") }
      #expect(try await test.drain() == 3)
      let errors = try await test.sql("select error from dead_run")
      #expect(errors.allSatisfy { $0.contains("took longer") }, "\(errors)")
    }
  }
}

/// The value that the tests' middleware sets for the code of the jobs.
private enum Tenant {
  @TaskLocal static var current = "without tenant"
}

/// The actions of the middleware and the jobs, in order.
private final class Calls: Sendable {
  private let list = Mutex<[String]>([])

  var all: [String] { list.withLock { $0 } }

  func append(_ text: String) { list.withLock { $0.append(text) } }
}

/// A job of each kind, which dies after one failed attempt.
private enum MiddlewareJobs {
  static func registered(_ calls: Calls) -> [RegisteredJob] {
    [
      RegisteredJob(MarkJob.self) { Marks(transaction: $0, calls: calls, tenant: Tenant.current) },
      RegisteredJob(StepsJob.self) { Marks(transaction: $0, calls: calls, tenant: Tenant.current) },
      RegisteredJob(PushJob.self) { _ in calls },
    ]
  }

  static let once = Retry.attempts(1, exponentialFrom: .zero, to: .zero)
  static let timeout = Duration.milliseconds(250) * patience
}

private struct Marks: Sendable {
  let transaction: Transaction
  let calls: Calls
  /// The tenant at the time when the context was created.
  let tenant: String

  func note(_ key: String, _ position: Int) async throws {
    #expect(tenant == Tenant.current)
    try await PacedContext(transaction: transaction).note(key, position)
    if key == "bad" { throw TestFailure("the code fails") }
  }
}

private struct MarkJob: BatchJob {
  static let definition = Definition<Self>(
    "mark", retry: MiddlewareJobs.once, timeout: MiddlewareJobs.timeout)

  static func run(_ batch: [Run<Self>], in marks: Marks) async throws {
    marks.calls.append("marks \(Tenant.current)")
    for run in batch { try await marks.note(run.key, 1) }
  }
}

private struct StepsJob: StepJob {
  static let definition = Definition<Self>(
    "steps", retry: MiddlewareJobs.once, timeout: MiddlewareJobs.timeout)

  struct State: StepState {
    var position = 0
  }

  static func step(
    _ run: Run<Self>, _ state: inout State, in marks: Marks
  ) async throws -> StepResult {
    state.position += 1
    marks.calls.append("steps \(Tenant.current)")
    try await marks.note(run.key, state.position)
    return state.position < 2 ? .more([:]) : .done([:])
  }
}

private struct PushJob: EffectJob {
  static let definition = Definition<Self>(
    "push", retry: MiddlewareJobs.once, timeout: MiddlewareJobs.timeout)

  static func perform(_ run: Run<Self>, in calls: Calls) async throws {
    calls.append("pushes \(Tenant.current)")
    if run.key == "bad" { throw TestFailure("the code fails") }
  }
}
