import Foundation

/// The threads on which effects are performed: as many as are busy or blocked, up to one for each.
///
/// On the cooperative pool, which has a thread a core, two effects that block would stop every timer and heartbeat
/// of the process. A thread that has had nothing to do for some seconds ends.
final class EffectThreads: TaskExecutor {
  private let jobs: JobQueue

  /// - Parameter count: the most threads.
  init(_ count: Int) { jobs = JobQueue(threads: count) }

  func enqueue(_ job: consuming ExecutorJob) {
    let executor = asUnownedTaskExecutor()
    if jobs.append(UnownedJob(job)) {
      // It holds the executor, which lasts as long as a thread of it.
      let thread = Thread { [self] in
        while let job = jobs.next() { job.runSynchronously(on: executor) }
        withExtendedLifetime(self) {}
      }
      thread.name = "baton effect"
      thread.stackSize = 1 << 20
      thread.start()
    }
  }
}

/// What waits for a thread.
///
/// The lock guards every access, hence unchecked.
private final class JobQueue: @unchecked Sendable {
  private static let patience: TimeInterval = 5

  private let condition = NSCondition()
  private let limit: Int
  private var waiting: [UnownedJob] = []
  private var threads = 0
  private var idle = 0

  init(threads limit: Int) { self.limit = limit }

  /// Whether one more thread is to be started.
  func append(_ job: UnownedJob) -> Bool {
    condition.withLock {
      waiting.append(job)
      guard idle < waiting.count, threads < limit else {
        condition.signal()
        return false
      }
      threads += 1
      return true
    }
  }

  /// The next job; nil where the thread is to end.
  func next() -> UnownedJob? {
    condition.withLock {
      idle += 1
      defer { idle -= 1 }
      let deadline = Date(timeIntervalSinceNow: Self.patience)
      while waiting.isEmpty {
        guard condition.wait(until: deadline) || !waiting.isEmpty else {
          threads -= 1
          return nil
        }
      }
      return waiting.removeFirst()
    }
  }
}
