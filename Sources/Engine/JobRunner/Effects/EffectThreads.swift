import Foundation

/// The threads that perform effects or send heartbeats, started on demand.
///
/// The cooperative pool has one thread per core, so a few effects that block could stop every timer
/// and heartbeat of the process. An idle thread ends after 5 s.
final class EffectThreads: TaskExecutor {
  private let jobs: JobQueue
  private let name: String

  /// Creates an executor without threads.
  ///
  /// - Parameters:
  ///   - count: the maximum number of threads.
  ///   - name: the name of each thread.
  init(_ count: Int, name: String = "baton effect") {
    jobs = JobQueue(threads: count)
    self.name = name
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let executor = asUnownedTaskExecutor()
    if jobs.append(UnownedJob(job)) {
      // The thread retains the executor, so the executor lives as long as any of its threads.
      let thread = Thread { [self] in
        while let job = jobs.next() { job.runSynchronously(on: executor) }
        withExtendedLifetime(self) {}
      }
      thread.name = name
      thread.stackSize = 1 << 20
      thread.start()
    }
  }
}

/// The Swift jobs that wait for a thread.
///
/// The type is `@unchecked Sendable`, because the lock guards every access.
private final class JobQueue: @unchecked Sendable {
  private static let patience: TimeInterval = 5

  private let condition = NSCondition()
  private let limit: Int
  private var waiting: [UnownedJob] = []
  private var threads = 0
  private var idle = 0

  init(threads limit: Int) { self.limit = limit }

  /// Appends a job, and returns whether the caller must start another thread.
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

  /// Waits for the next job, or returns nil if the thread must end.
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
