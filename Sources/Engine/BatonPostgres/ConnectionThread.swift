import Foundation

/// A thread for connections and for the tasks that use them.
///
/// libpq's calls block their thread. Swift's cooperative thread pool has one thread per core. On a
/// machine with two cores, two slow statements in the pool would stop all timers and heartbeats of
/// the process.
///
/// A task that prefers the thread of its connection executes a statement without a switch to another
/// thread and back. Each switch takes 20 to 100 us, and a short statement takes about as long:
///
/// ```swift
/// let thread = ConnectionThread(name: "import")
/// let connection = try await Connection.open(configuration, on: thread)
/// Task(executorPreference: thread) { try await connection.run(call) }
/// ```
package final class ConnectionThread: SerialExecutor, TaskExecutor {
  /// The stack size in bytes, as large as that of a process's main thread.
  ///
  /// Jobs execute their own code on the thread.
  private static let stackSize = 8 << 20

  private let queue: JobList
  /// Whether the thread was started.
  ///
  /// Without a thread, jobs would wait forever.
  package let isStarted: Bool

  /// Starts a thread, which ends when no connection or task uses it any more.
  package init(name: String) {
    let queue = JobList()
    self.queue = queue
    isStarted = SystemThread.start(name: name, stackSize: Self.stackSize) { queue.drain() }
  }

  deinit { queue.close() }

  package func enqueue(_ job: consuming ExecutorJob) { queue.append(UnownedJob(job), self) }
}

/// The jobs that are waiting for the thread.
///
/// The `Sendable` conformance is unchecked, because a lock protects every access.
private final class JobList: @unchecked Sendable {
  /// A waiting job. The job retains the executor, because the job's task may end with the job.
  typealias Waiting = (job: UnownedJob, executor: ConnectionThread)

  private let condition = NSCondition()
  private var waiting: [Waiting] = []
  private var isClosed = false

  func append(_ job: UnownedJob, _ executor: ConnectionThread) {
    condition.withLock {
      waiting.append((job, executor))
      condition.signal()
    }
  }

  func close() {
    condition.withLock {
      isClosed = true
      condition.signal()
    }
  }

  func drain() {
    while let jobs = next() {
      for (job, executor) in jobs {
        job.runSynchronously(
          isolatedTo: executor.asUnownedSerialExecutor(),
          taskExecutor: executor.asUnownedTaskExecutor())
      }
    }
  }

  private func next() -> [Waiting]? {
    condition.withLock {
      while waiting.isEmpty && !isClosed { condition.wait() }
      guard !waiting.isEmpty else { return nil }
      defer { waiting.removeAll(keepingCapacity: true) }
      return waiting
    }
  }
}
