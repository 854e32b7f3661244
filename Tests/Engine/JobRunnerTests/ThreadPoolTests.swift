import BatonPostgres
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// Tests the number of threads: few threads for tasks that do not block, and one thread for each
/// task that blocks.
@Suite(.timeLimit(.minutes(5))) struct ThreadPoolTests {
  @Test func `each task that blocks gets a thread`() async throws {
    let threads = ThreadPool(200, name: "test")
    let gate = Gate()
    threads.startTogether { for _ in 1...199 { gate.start(on: threads) } }
    gate.start(on: threads)
    // No task ends before all tasks have begun, so each task has a thread.
    try await eventually("all have begun") { gate.began == 200 }
    gate.open()
    try await eventually("all have ended") { gate.ended == 200 }
    #expect(gate.threads == 200)
  }

  @Test func `there are no more threads than the maximum`() async throws {
    let threads = ThreadPool(5, name: "test")
    let gate = Gate()
    for _ in 1...20 { gate.start(on: threads) }
    try await eventually("five have begun") { gate.began == 5 }
    try await Task.sleep(for: .milliseconds(100))
    #expect(gate.began == 5)
    gate.open()
    try await eventually("all have ended") { gate.ended == 20 }
    #expect(gate.threads <= 5)
  }

  @Test func `tasks that do not block share few threads`() async throws {
    let threads = ThreadPool(1_000, name: "test")
    let gate = Gate()
    gate.open()
    for _ in 1...20 {
      threads.startTogether { for _ in 1...200 { gate.start(on: threads) } }
      try await Task.sleep(for: .milliseconds(5))
    }
    try await eventually("all have ended") { gate.ended == 4_000 }
    #expect(gate.threads <= 100, "\(gate.threads) threads")
  }

  @Test func `if the system refuses threads, tasks wait for the first thread that it allows`()
    async throws
  {
    // Linux refuses a thread whose stack is larger than the address space.
    let stackSize = Atomic(1 << 50)
    let refusals = Atomic(0)
    let threads = ThreadPool(
      100, name: "test", stackSize: { stackSize.load(ordering: .acquiring) },
      isRefused: { refusals.add(1, ordering: .relaxed) })
    let gate = Gate()
    for _ in 1...50 { gate.start(on: threads) }
    try await eventually("a check of the waiting jobs tries again") {
      refusals.load(ordering: .relaxed) > 60
    }
    #expect(gate.began == 0)
    stackSize.store(SystemThread.stackSize, ordering: .releasing)
    try await eventually("all have begun") { gate.began == 50 }
    gate.open()
    try await eventually("all have ended") { gate.ended == 50 }
    #expect(gate.threads == 50)
  }

  @Test func `no more threads start until the last started threads are running`() async throws {
    let jobs = ThreadQueue(threads: 1_000)
    let executor = QueueingExecutor(jobs)
    let gate = Gate()
    gate.open()
    for _ in 1...200 { gate.start(on: executor) }
    // No started thread runs during these ticks, like on a machine with busy cores.
    let started = executor.threads
    #expect((1...20).allSatisfy { _ in jobs.missingThreads() == 0 })
    // Threads that cannot run for a longer time do not stop the queue.
    #expect(jobs.missingThreads() == started)
    #expect(jobs.missingThreads() == 0)
    // All jobs must run before the end of the test, because each task needs its job.
    for _ in 1...200 { jobs.next()?.runSynchronously(on: executor.asUnownedTaskExecutor()) }
    #expect(gate.ended == 200)
  }
}

/// Appends jobs to a queue, and counts the threads that the queue requests.
///
/// No thread is started.
private final class QueueingExecutor: TaskExecutor {
  private let jobs: ThreadQueue
  private let requested = Mutex(0)

  init(_ jobs: ThreadQueue) { self.jobs = jobs }

  var threads: Int { requested.withLock { $0 } }

  func enqueue(_ job: consuming ExecutorJob) {
    let need = jobs.append(UnownedJob(job))
    requested.withLock { $0 += need.threads }
  }
}

/// Counts tasks and their threads, and blocks all tasks until the gate is open.
///
/// The counters are atomic. While a thread that held a lock waited for a core, the other threads
/// would wait for the lock, and the pool would start threads for them.
private final class Gate: Sendable {
  private let beginnings = Atomic(0)
  private let ends = Atomic(0)
  private let distinctThreads = Atomic(0)
  private let isOpen = Atomic(false)

  var began: Int { beginnings.load(ordering: .acquiring) }
  var ended: Int { ends.load(ordering: .acquiring) }
  var threads: Int { distinctThreads.load(ordering: .acquiring) }

  func open() { isOpen.store(true, ordering: .releasing) }

  /// Starts a task that blocks its thread until the gate is open.
  func start(on threads: some TaskExecutor) {
    Task(executorPreference: threads) { self.pass() }
  }

  private func pass() {
    let seen = Thread.current.threadDictionary
    if seen["gate"] == nil {
      seen["gate"] = true
      distinctThreads.add(1, ordering: .acquiringAndReleasing)
    }
    beginnings.add(1, ordering: .acquiringAndReleasing)
    while !isOpen.load(ordering: .acquiring) { Thread.sleep(forTimeInterval: 0.005) }
    ends.add(1, ordering: .acquiringAndReleasing)
  }
}
