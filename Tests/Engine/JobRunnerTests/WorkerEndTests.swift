import BatonJobs
import BatonPostgres
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

#if HTTP
  import ServiceLifecycle
#endif

/// Tests the end of a worker whose task is cancelled or whose service group shuts down.
@Suite(.timeLimit(.minutes(5))) struct WorkerEndTests {
  private func with(_ body: (JobTest, Began, [RegisteredJob]) async throws -> Void) async throws {
    let began = Began()
    let jobs = [
      DeafJob.registered(began), LongJob.registered(began), LongEffect.registered(began),
      TurningJob.registered(began),
    ]
    try await JobTest.noting(jobs) { test in
      defer { began.open() }
      try await body(test, began, jobs)
    }
  }

  private func worker(
    _ jobs: [RegisteredJob], in test: JobTest, grace: Duration = .seconds(60)
  ) -> Worker {
    Worker(
      jobs, on: test.configuration, schema: test.schema,
      options: Worker.Options(concurrency: 1, grace: grace), logger: .quiet)
  }

  @Test func `a cancelled worker lets its runs end within the grace period`() async throws {
    try await with { test, began, jobs in
      let worker = worker(jobs, in: test)
      let working = Task { try await worker.run() }
      try await test.sql("select enqueue('deaf', 'a')")
      try await eventually("an attempt") { began.keys == ["a"] }
      working.cancel()
      try await eventually("a worker that stops") { worker.isStopping }
      try await test.sql("select enqueue('deaf', 'later')")
      began.open()
      try await working.value
      #expect(try await test.noted() == ["a@0"])
      #expect(try await test.count("worker") == 0)
    }
  }

  @Test func `a cancelled worker rolls back what takes longer, and ends without an error`()
    async throws
  {
    try await with { test, began, jobs in
      let worker = worker(jobs, in: test, grace: .milliseconds(100))
      let working = Task { try await worker.run() }
      try await test.sql("select enqueue('long', 'hang')")
      try await eventually("an attempt") { began.keys == ["hang"] }
      working.cancel()
      try await working.value
      #expect(try await test.sql("select state, attempt from run") == ["ready,0"])
      #expect(try await test.count("noted") == 0)
      #expect(try await test.count("worker") == 0)
    }
  }

  @Test(arguments: ["throws", "returns"])
  func `the end of a worker decides the result of an attempt, and not the job`(key: String)
    async throws
  {
    try await with { test, began, jobs in
      let worker = worker(jobs, in: test, grace: .milliseconds(100))
      let working = Task { try await worker.run() }
      try await test.sql("select enqueue('turning', '\(key)')")
      try await eventually("an attempt") { began.keys == [key] }
      working.cancel()
      try await working.value
      #expect(try await test.sql("select state, attempt from run") == ["ready,0"])
      #expect(try await test.count("dead_run") == 0)
      #expect(try await test.count("noted") == 0)
    }
  }

  /// The job with the key `blocks` blocks the thread on which the connection would be closed.
  @Test(.sampled(), arguments: ["waits", "blocks"])
  func `a cancelled worker ends although a job ignores it, and others take over its runs`(
    key: String
  ) async throws {
    try await with { test, began, jobs in
      let first = worker(jobs, in: test, grace: .milliseconds(100))
      let working = Task { try await first.run() }
      try await test.sql("select enqueue('deaf', '\(key)')")
      try await eventually("an attempt") { began.keys == [key] }
      try await expectTime(below: .seconds(5) * patience, "the end of a cancelled worker") {
        working.cancel()
        let error = await #expect(throws: AbandonedAttempts.self) { try await working.value }
        #expect(error?.jobs == ["deaf"])
      }
      let second = worker(jobs, in: test)
      let taking = Task { try await second.run() }
      try await eventually("the run is taken over") { try await test.count("run") == 0 }
      #expect(began.keys == [key, key] && !began.isOpen)
      // The first attempt continues without its connection.
      began.open()
      taking.cancel()
      try await taking.value
      #expect(try await test.count("noted") == 1)
    }
  }

  @Test(.sampled())
  func `a cancelled worker names the job of an effect that ignores its cancellation`()
    async throws
  {
    try await with { test, began, jobs in
      let worker = worker(jobs, in: test, grace: .milliseconds(100))
      let working = Task { try await worker.run() }
      try await test.sql("select enqueue('long-effect', 'deaf')")
      try await eventually("an attempt") { began.keys == ["deaf"] }
      working.cancel()
      let error = await #expect(throws: AbandonedAttempts.self) { try await working.value }
      #expect(error?.jobs == ["long-effect"])
    }
  }

  @Test func `a worker whose task was cancelled before its start ends immediately`() async throws {
    try await with { test, began, jobs in
      let worker = worker(jobs, in: test)
      try await test.sql("select enqueue('deaf', 'a')")
      let working = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await worker.run()
      }
      try await working.value
      #expect(began.keys.isEmpty)
      #expect(try await test.count("worker") == 0)
    }
  }

  @Test(.sampled())
  func `a worker whose dispatcher fails ends, although a job ignores its cancellation`()
    async throws
  {
    try await with { test, began, jobs in
      let worker = worker(jobs, in: test, grace: .milliseconds(100))
      let working = Task { try await worker.run() }
      try await test.sql("select enqueue('deaf', 'a')")
      try await eventually("an attempt") { began.keys == ["a"] }
      try await expectTime(below: .seconds(5) * patience, "the end of the worker") {
        try await test.sql("alter table event_position rename to moved")
        let error = await #expect(throws: PostgresError.self) { try await working.value }
        #expect(error?.sqlState == .undefinedTable)
      }
      #expect(!began.isOpen)
    }
  }

  #if HTTP
    @Test func `a service group stops its worker when it shuts down`() async throws {
      try await with { test, began, jobs in
        let group = ServiceGroup(
          configuration: ServiceGroupConfiguration(
            services: [worker(jobs, in: test)], logger: .quiet))
        async let serving: Void = group.run()
        try await test.sql("select enqueue('deaf', 'a')")
        try await eventually("an attempt") { began.keys == ["a"] }
        await group.triggerGracefulShutdown()
        began.open()
        try await serving
        #expect(try await test.noted() == ["a@0"])
        #expect(try await test.count("worker") == 0)
      }
    }
  #endif
}

/// A job that turns its cancellation into a permanent failure, or ignores it and returns.
private struct TurningJob: BatchJob {
  static let definition = Definition<Self>("turning", timeout: .seconds(300))

  static func run(_ batch: [Run<Self>], in context: LongContext) async throws {
    for run in batch { try await context.note(run.key, attempt: 0) }
    context.began.append(batch.map(\.key))
    do {
      try await Task.sleep(for: .seconds(300))
    } catch {
      guard batch[0].key == "throws" else { return }
      throw Permanent("it was cancelled")
    }
  }

  static func registered(_ began: Began) -> RegisteredJob {
    RegisteredJob(TurningJob.self) { LongContext(began: began, transaction: $0) }
  }
}

/// A job whose first attempt ignores its cancellation until a gate opens.
private struct DeafJob: BatchJob {
  static let definition = Definition<Self>("deaf", timeout: .seconds(300))

  static func run(_ batch: [Run<Self>], in context: LongContext) async throws {
    for run in batch { try await context.note(run.key, attempt: 0) }
    context.began.append(batch.map(\.key))
    guard context.began.keys.count == 1 else { return }
    guard batch[0].key != "blocks" else { return context.began.block() }
    // The cancellation of this task does not cancel the other task.
    let waiting = Task.detached { [began = context.began] in
      while !began.isOpen { try? await Task.sleep(for: .milliseconds(5)) }
    }
    await waiting.value
  }

  static func registered(_ began: Began) -> RegisteredJob {
    RegisteredJob(DeafJob.self) { LongContext(began: began, transaction: $0) }
  }
}
