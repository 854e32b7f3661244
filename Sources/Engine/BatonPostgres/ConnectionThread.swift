import Foundation

/// A thread for connections and for the tasks that use them.
///
/// libpq's calls block their thread. Swift's cooperative thread pool has one thread per core. On a
/// machine with two cores, two slow statements in the pool would stop all timers of the process.
///
/// If a task prefers the thread of its connection, a statement needs no switch to another thread
/// and back. Each switch takes 20 to 100 us, about as long as a short statement:
///
/// ```swift
/// let thread = ConnectionThread(name: "import")
/// let connection = try await Connection.open(configuration, on: thread)
/// Task(executorPreference: thread) { try await connection.run(call) }
/// ```
package final class ConnectionThread: SerialExecutor, TaskExecutor {
  /// The stack size in bytes, which is the usual size for the main thread of a process.
  ///
  /// Baton's jobs execute their own code on the thread.
  private static let stackSize = 8 << 20

  private let queue: JobList
  /// Whether the thread was started.
  ///
  /// Without a thread, Swift's jobs would wait forever.
  package let isStarted: Bool

  /// Starts a thread, which ends after the last reference to this object is released.
  package init(name: String) {
    let queue = JobList()
    self.queue = queue
    isStarted = SystemThread.start(name: name, stackSize: Self.stackSize) { queue.drain() }
  }

  deinit { queue.close() }

  package func enqueue(_ job: consuming ExecutorJob) { queue.append(UnownedJob(job), self) }
}

/// The Swift jobs that are waiting for the thread.
///
/// The `Sendable` conformance is unchecked, because a lock protects every access.
private final class JobList: @unchecked Sendable {
  /// A waiting Swift job and its executor.
  ///
  /// The list retains the executor, because the job may release the last other reference to it.
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
