import BatonPostgres

/// A pool of threads for tasks that may block, such as effects and signal handlers.
///
/// The threads are started on demand. Normally, at most one thread per core is active. While tasks
/// block their threads, the pool grows up to its maximum.
///
/// Swift's cooperative pool has one thread per core, so a few blocking tasks could stop every timer
/// in the process.
package final class ThreadPool: TaskExecutor {
  private let jobs: ThreadQueue
  private let name: String
  private let stackSize: @Sendable () -> Int
  private let isRefused: @Sendable () -> Void

  /// Creates a pool without threads.
  ///
  /// - Parameters:
  ///   - count: the maximum number of threads.
  ///   - name: the name of each thread.
  ///   - endsIdleThreads: whether an idle thread ends after 5 s. Otherwise, the pool and its threads
  ///     live as long as the process.
  ///   - stackSize: returns the stack size of the next thread in bytes.
  ///   - isRefused: called each time the operating system rejects a thread. The waiting tasks run
  ///     on the pool's other threads, and the pool tries to start a thread every 5 ms.
  package init(
    _ count: Int, name: String, endsIdleThreads: Bool = true,
    stackSize: @escaping @Sendable () -> Int = { SystemThread.stackSize },
    isRefused: @escaping @Sendable () -> Void = {}
  ) {
    jobs = ThreadQueue(threads: count, endsIdleThreads: endsIdleThreads)
    self.name = name
    self.stackSize = stackSize
    self.isRefused = isRefused
  }

  package func enqueue(_ job: consuming ExecutorJob) { meet(jobs.append(UnownedJob(job))) }

  /// Runs `body`, which starts several tasks, without waking a thread for each task.
  ///
  /// Idle threads are woken after `body` has returned.
  func startTogether(_ body: () -> Void) {
    jobs.hold()
    body()
    meet(jobs.release())
  }

  private func meet(_ need: ThreadQueue.Need) {
    start(need.threads)
    if need.isWatch { Task { await watch() } }
  }

  /// Starts more threads while jobs wait too long, and returns when no job is waiting.
  private func watch() async {
    while true {
      try? await Task.sleep(for: ThreadQueue.tick)
      guard let missing = jobs.missingThreads() else { return }
      start(missing)
    }
  }

  private func start(_ count: Int) {
    for index in 0..<count {
      guard !startThread() else { continue }
      isRefused()
      return meet(jobs.refused(count - index))
    }
  }

  private func startThread() -> Bool {
    let executor = asUnownedTaskExecutor()
    // Each thread retains the pool, so the pool lives as long as any of its threads.
    return SystemThread.start(name: name, stackSize: stackSize()) { [self] in
      jobs.begin()
      while let job = jobs.next() { job.runSynchronously(on: executor) }
      withExtendedLifetime(self) {}
    }
  }
}
