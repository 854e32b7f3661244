import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// A transactional job must run on the thread of its connection.
///
/// A switch between threads takes about as long as a short statement. In Swift's cooperative pool,
/// a job that blocks its thread would also delay timers and the HTTP server.
@Suite(.timeLimit(.minutes(5))) struct JobThreadTests {
  @Test func `a job and its statements run on one thread, in a worker and in a drain`()
    async throws
  {
    let threads = Threads()
    let jobs = [ThreadJob.registered(threads)]
    try await JobTest.noting(jobs) { test in
      try await test.sql("select enqueue('thread', 'a')")
      let worker = Worker(
        jobs, on: test.configuration, schema: test.schema,
        options: Worker.Options(concurrency: 1), logger: .quiet)
      _ = try await worker.runUntilIdle()
      try await test.sql("select enqueue('thread', 'b')")
      try await test.drain()
    }
    #expect(threads.all.count == 2)
    for ofJob in threads.all { #expect(Set(ofJob).count == 1) }
  }

  @Test func `jobs that block the threads of all executors delay no heartbeat`() async throws {
    let began = Began()
    let count = ProcessInfo.processInfo.activeProcessorCount + 2
    let jobs = [BlockingJob.registered(began)]
    try await JobTest.noting(jobs) { test in
      defer { began.open() }
      let worker = Worker(
        jobs, on: test.configuration, schema: test.schema,
        options: Worker.Options(concurrency: count), logger: .quiet)
      try await test.sql("select enqueue('blocking', i::text) from generate_series(1, \(count)) i")
      let working = Task { try await worker.run() }
      try await eventually("all executors are blocked") { began.keys.count == count }
      let now = try #require(try await test.sql("select clock_timestamp()::text").first)
      try await eventually("a heartbeat", within: .seconds(10)) {
        try await test.sql("select count(*) from worker where heartbeat_at > '\(now)'") == ["1"]
      }
      began.open()
      try await eventually("all runs are completed") { try await test.count("run") == 0 }
      worker.stop()
      try await working.value
    }
    #expect(Set(began.keys).count == count)
  }
}

/// The threads of a job's code.
private final class Threads: Sendable {
  private let state = Mutex<[[UInt64]]>([])

  var all: [[UInt64]] { state.withLock { $0 } }
  func append(_ threads: [UInt64]) { state.withLock { $0.append(threads) } }

  /// The id of the calling thread.
  static var current: UInt64 { UInt64(pthread_self()) }
}

private struct ThreadContext: Sendable {
  let threads: Threads
  let transaction: Transaction
}

/// A job that records the threads of its code and of the decoding of a statement's result.
private struct ThreadJob: BatchJob {
  static let definition = Definition<Self>("thread")

  static func run(_ batch: [Run<Self>], in context: ThreadContext) async throws {
    let before = Threads.current
    let statement = Call.row(Statement("test/one", "select 1")) { (_) throws(PostgresError) in
      Threads.current
    }
    let ofStatement = try await context.transaction.run(statement)
    context.threads.append([before, ofStatement, Threads.current])
  }

  static func registered(_ threads: Threads) -> RegisteredJob {
    RegisteredJob(ThreadJob.self) { ThreadContext(threads: threads, transaction: $0) }
  }
}

/// A job that records its thread, and blocks the thread until the gate is open.
private struct BlockingJob: BatchJob {
  static let definition = Definition<Self>("blocking", batch: 1)

  static func run(_ batch: [Run<Self>], in context: LongContext) async throws {
    context.began.append(["\(Threads.current)"])
    context.began.block()
  }

  static func registered(_ began: Began) -> RegisteredJob {
    RegisteredJob(BlockingJob.self) { LongContext(began: began, transaction: $0) }
  }
}
