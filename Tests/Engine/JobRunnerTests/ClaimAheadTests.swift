import BatonJobs
import Foundation
import JobTesting
import Synchronization
import TestSupport
import Testing

@testable import BatonPostgres
@testable import JobRunner

/// A job whose runs are due at once.
private struct AheadJob: BatchJob {
  static let definition = Definition<Self>("ahead", batch: 3)
  typealias Key = NoteKey

  static func run(_ batch: [Run<Self>], in context: Notebook) async throws {
    try await context.note(batch.map { "a\($0.key.description)" })
  }

  static let registered = RegisteredJob(AheadJob.self) { Notebook(transaction: $0) }
}

/// A job with the same priority as ``AheadJob``.
private struct BesideJob: BatchJob {
  static let definition = Definition<Self>("beside")
  typealias Key = NoteKey

  static func run(_ batch: [Run<Self>], in context: Notebook) async throws {
    try await context.note(batch.map { "b\($0.key.description)" })
  }

  static let registered = RegisteredJob(BesideJob.self) { Notebook(transaction: $0) }
}

/// Records the names of all statements of a worker.
private final class StatementNames: StatementObserver {
  private let state = Mutex([String]())

  var all: [String] { state.withLock { $0 } }

  func answered(_ statement: String, from: UInt64, to: UInt64, error: PostgresError?) {
    state.withLock { $0.append(statement) }
  }
}

/// Tests claims that a worker makes in the transaction of a dispatch.
@Suite(.timeLimit(.minutes(5))) struct ClaimAheadTests {
  /// Runs `body` together with a worker that polls only after wake-ups and work.
  private func working(
    on jobs: [RegisteredJob], concurrency: Int = 1, in queue: NoteQueue, log: LogLines? = nil,
    _ body: () async throws -> Void
  ) async throws {
    try await queue.queue.define(jobs)
    var options = Worker.Options(concurrency: concurrency)
    options.longestPause = .seconds(3600)
    let worker = Worker(
      jobs, on: queue.test.configuration, schema: queue.test.schema, options: options,
      logger: log?.logger ?? .quiet)
    try await running(worker) {
      try await eventually("the worker") { worker.pulse == .working }
      try await body()
    }
  }

  private func enqueue(_ job: String, _ key: String, in queue: NoteQueue) async throws {
    try await queue.test.sql("select enqueue('\(job)', '\(key)')")
  }

  private func sleepingDispatcher(of queue: NoteQueue) async throws {
    try await eventually("a dispatcher that sleeps") {
      try await queue.count(
        """
        worker join pg_stat_activity a on a.pid = dispatcher_pid
        where state = 'idle' and state_change < clock_timestamp() - interval '300 ms'
        """) == 1
    }
  }

  /// Repeats the dispatch, because on a busy machine the executor may not be idle yet, or a claim
  /// may have taken too long, so the worker makes no such claims for a second.
  @Test func `a dispatch also claims the run for an idle executor`() async throws {
    try await NoteQueue.with { queue in
      let names = StatementNames()
      try await StatementObservation.$observer.withValue(names) {
        try await working(on: [AheadJob.registered], in: queue) {
          // An executor opens its connection when it makes its first claim.
          try await enqueue("ahead", "0", in: queue)
          try await eventually("the work") { try await queue.noted() == ["a0"] }
          try await sleepingDispatcher(of: queue)
          var enqueued = 0
          try await eventually("one claim, in the transaction of a dispatch") {
            let before = names.all.count
            enqueued += 1
            try await enqueue("ahead", "\(enqueued)", in: queue)
            let keys = Set((0...enqueued).map { "a\($0)" })
            try await eventually("the work") { try await Set(queue.noted()) == keys }
            // A second claim, which would be wrong, comes shortly after the work.
            try await sleepingDispatcher(of: queue)
            let since = names.all[before...]
            let fold = try #require(since.firstIndex(of: "queue/fold"))
            return Array(since[fold...].prefix(4))
              == ["queue/fold", "queue/limit_claim", "queue/claim", "commit"]
              && since.filter { $0 == "queue/claim" }.count == 1
          }
        }
      }
    }
  }

  @Test func `more runs than a batch are claimed by the executors themselves`() async throws {
    try await NoteQueue.with { queue in
      try await working(on: [AheadJob.registered], concurrency: 2, in: queue) {
        for n in 1...3 {
          try await sleepingDispatcher(of: queue)
          try await queue.test.sql(
            "select enqueue('ahead', '\(n)' || i) from generate_series(1, 8) i")
          try await eventually("the work") { try await queue.count("noted") == n * 8 }
        }
      }
    }
  }

  @Test func `a run starts if the dispatcher claimed runs of another job`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await working(on: [AheadJob.registered, BesideJob.registered], in: queue) {
        for (n, job) in ["ahead", "beside", "ahead", "ahead", "beside"].enumerated() {
          try await sleepingDispatcher(of: queue)
          try await enqueue(job, "\(n)", in: queue)
          try await eventually("the work of \(job)") { try await queue.count("noted") == n + 1 }
        }
      }
      #expect(try await queue.noted() == ["a0", "a2", "a3", "b1", "b4"])
    }
  }

  @Test func `a run is done if the executor's idle connection has ended`() async throws {
    try await NoteQueue.with { queue in
      let before = try await queue.test.sql(
        "select pid::text from pg_stat_activity where datname = current_database()")
      try await working(on: [AheadJob.registered], in: queue) {
        try await enqueue("ahead", "1", in: queue)
        try await eventually("the work") { try await queue.noted() == ["a1"] }
        try await sleepingDispatcher(of: queue)
        let ended = try await queue.test.sql(
          """
          select pg_terminate_backend(pid, 5000)::text from pg_stat_activity
          where datname = current_database() and pid <> all ('{\(before.joined(separator: ","))}')
            and pid <> all (array(select dispatcher_pid from worker)) and pid <> pg_backend_pid()
          """)
        #expect(ended.count == 2)
        try await enqueue("ahead", "2", in: queue)
        try await eventually("the work") { try await queue.noted() == ["a1", "a2"] }
        #expect(try await queue.count("failed_attempt") == 0)
      }
    }
  }

  /// Another transaction has locked a stored payload of the claimed run's key.
  @Test func `an assignment of payloads delays only its run`() async throws {
    try await NoteQueue.with { queue in
      try await working(on: [AheadJob.registered], in: queue) {
        try await enqueue("ahead", "1", in: queue)
        try await eventually("the work") { try await queue.noted() == ["a1"] }
        try await sleepingDispatcher(of: queue)
        try await queue.test.sql(
          "insert into run_payload (id, job, key, payload) values (0, 'ahead', '2', '{}')")
        try await queue.test.holding("select id from run_payload for update") { _ in
          try await queue.test.sql("select enqueue('ahead', '2', '{}')")
          try await eventually("the claim") {
            try await queue.count("run where state = 'running' and key = '2'") == 1
          }
          try await enqueue("ahead", "3", in: queue)
          try await eventually("the dispatch") {
            try await queue.count("run where state = 'ready' and key = '3'") == 1
          }
        }
        try await eventually("all work") { try await queue.noted() == ["a1", "a2", "a3"] }
        #expect(try await queue.count("run_payload") == 0)
      }
    }
  }

  @Test func `the dispatcher makes no probe of a failing job, and does not prevent one`()
    async throws
  {
    let job = AheadJob.registered
    let worker = WorkerContext([job], pausesFailingJobs: true, logger: .quiet)
    #expect(worker.mayClaimAhead(job))
    let run = ClaimedRun(
      id: 1, key: "k", payload: nil, attempt: 1, due: Timestamp(microseconds: 0),
      firstEventAt: Timestamp(microseconds: 0), place: RowPlace(block: 0, line: 1))
    let missing = PostgresError(.undefinedTable, "the table is missing")
    _ = worker.commonFailures.failed(Claim(job: job, token: UUID(), runs: [run]), missing)
    try await eventually("a probe") {
      !worker.mayClaimAhead(job) && worker.commonFailures.turn(of: "ahead") == .probe
    }
  }

  @Test func `a claim that waits too long for a lock does not prevent the dispatch`() async throws {
    let log = LogLines()
    try await NoteQueue.with { queue in
      try await working(on: [AheadJob.registered], in: queue, log: log) {
        try await enqueue("ahead", "0", in: queue)
        try await eventually("an idle executor") { try await queue.noted() == ["a0"] }
        try await sleepingDispatcher(of: queue)
        let insert = """
          insert into run (job, key, state, due, first_event_at, last_event_at, worker, token)
          values ('ahead', '1', 'running', now(), now(), now(), gen_random_uuid(), gen_random_uuid())
          """
        try await queue.test.holding(insert) { _ in
          try await enqueue("ahead", "1", in: queue)
          try await eventually("the dispatch") {
            try await queue.count("run where state = 'ready' and key = '1'") == 1
          }
          try await enqueue("ahead", "2", in: queue)
          try await eventually("the dispatch of the second event") {
            try await queue.count("run where state = 'ready' and key = '2'") == 1
          }
        }
        try await eventually("the work") { try await queue.noted() == ["a0", "a1", "a2"] }
      }
    }
    // After an error, the dispatcher would wait before it dispatches again.
    #expect(log.all.filter { $0.contains("cannot poll") } == [])
  }
}

/// Tests reserved executors without a dispatcher.
@Suite(.timeLimit(.minutes(1))) struct ReservedExecutorTests {
  private func claim() -> Claim { Claim(job: AheadJob.registered, token: UUID(), runs: []) }

  /// Starts a task that waits as an interchangeable executor.
  private func waiting(
    on signal: ExecutorSignal, isReady: Bool = true
  ) async throws -> Task<HandedClaim?, Never> {
    let (before, ring) = (signal.idleCount, signal.last.ring)
    let task = Task {
      await signal.wait(after: ring, isInterchangeable: true, isReady: { isReady })
    }
    try await eventually("the executor waits") { signal.idleCount == before + 1 }
    return task
  }

  @Test func `no executor can be reserved if none is idle or the worker stops`() async throws {
    let signal = ExecutorSignal()
    #expect(signal.reserve() == nil)
    let task = try await waiting(on: signal)
    signal.stop()
    #expect(signal.reserve() == nil)
    #expect(await task.value == nil)
  }

  @Test func `a reserved executor gets the claim, and the number of wake-ups before it`()
    async throws
  {
    let signal = ExecutorSignal()
    let task = try await waiting(on: signal)
    let reserved = try #require(signal.reserve())
    let ring = signal.last.ring
    signal.ring(for: DueJobs())
    let claim = claim()
    signal.give(claim, to: reserved)
    let handed = try #require(await task.value)
    #expect(handed.claim.token == claim.token)
    #expect(handed.ring == ring)
    #expect(!handed.isWanted)
  }

  @Test func `a reserved executor learns that another executor wanted to wake one`() async throws {
    let signal = ExecutorSignal()
    let task = try await waiting(on: signal)
    let reserved = try #require(signal.reserve())
    signal.wakeAnother()
    signal.give(claim(), to: reserved)
    #expect(await task.value?.isWanted == true)
  }

  @Test func `no executor without a connection is reserved`() async throws {
    let signal = ExecutorSignal()
    let ready = try await waiting(on: signal)
    let other = try await waiting(on: signal, isReady: false)
    let reserved = try #require(signal.reserve())
    #expect(signal.reserve() == nil)
    signal.give(claim(), to: reserved)
    #expect(await ready.value != nil)
    signal.stop()
    #expect(await other.value == nil)
  }

  @Test func `a released executor waits again`() async throws {
    let signal = ExecutorSignal()
    let task = try await waiting(on: signal)
    signal.release(try #require(signal.reserve()))
    #expect(signal.idleCount == 1)
    signal.wakeAnother()
    #expect(await task.value == nil)
  }

  @Test(arguments: ["ring", "wakeAnother", "stop"])
  func `a released executor does not miss a wake-up that came while it was reserved`(
    wakeUp: String
  ) async throws {
    let signal = ExecutorSignal()
    let task = try await waiting(on: signal)
    let reserved = try #require(signal.reserve())
    switch wakeUp {
    case "ring": signal.ring(for: DueJobs())
    case "wakeAnother": signal.wakeAnother()
    default: signal.stop()
    }
    signal.release(reserved)
    #expect(await task.value == nil)
    #expect(signal.idleCount == 0)
  }

  @Test func `a stopping worker's reserved executor gets the claim`() async throws {
    let signal = ExecutorSignal()
    let task = try await waiting(on: signal)
    let reserved = try #require(signal.reserve())
    signal.stop()
    signal.give(claim(), to: reserved)
    #expect(await task.value != nil)
  }
}
