import Foundation

/// The thread of one connection, on which libpq's blocking calls are executed.
///
/// Swift's cooperative thread pool has one thread per core. On a machine with two cores, two slow
/// statements in the pool would stop all timers and heartbeats of the process.
final class ConnectionThread: SerialExecutor {
  private let queue: JobList
  /// Whether the thread was started.
  ///
  /// Without a thread, jobs would wait forever.
  let isStarted: Bool

  init(name: String) {
    let queue = JobList()
    self.queue = queue
    isStarted = SystemThread.start(name: name) { queue.drain() }
  }

  deinit { queue.close() }

  func enqueue(_ job: consuming ExecutorJob) {
    queue.append(UnownedJob(job), asUnownedSerialExecutor())
  }
}

/// The jobs that are waiting for the thread.
///
/// The `Sendable` conformance is unchecked, because a lock protects every access.
private final class JobList: @unchecked Sendable {
  private let condition = NSCondition()
  private var waiting: [(UnownedJob, UnownedSerialExecutor)] = []
  private var isClosed = false

  func append(_ job: UnownedJob, _ executor: UnownedSerialExecutor) {
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
      for (job, executor) in jobs { job.runSynchronously(on: executor) }
    }
  }

  private func next() -> [(UnownedJob, UnownedSerialExecutor)]? {
    condition.withLock {
      while waiting.isEmpty && !isClosed { condition.wait() }
      guard !waiting.isEmpty else { return nil }
      defer { waiting.removeAll(keepingCapacity: true) }
      return waiting
    }
  }
}
