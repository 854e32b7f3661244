import Foundation

/// A pool of threads that perform effects, send heartbeats or receive signals.
///
/// The threads are started on demand.
///
/// Swift's cooperative pool has one thread per core, so a few blocking effects could stop every
/// timer and heartbeat of the process. Normally, the pool of effects has as many threads as cores.
/// While effects block, the pool grows, up to one thread for each permit. An idle thread ends after
/// 5 s.
package final class EffectThreads: TaskExecutor {
  private let jobs: JobQueue
  private let name: String

  /// Creates an executor without threads.
  ///
  /// - Parameters:
  ///   - count: the maximum number of threads.
  ///   - name: the name of each thread.
  package init(_ count: Int, name: String = "baton effect") {
    jobs = JobQueue(threads: count)
    self.name = name
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

  private func meet(_ need: JobQueue.Need) {
    start(need.threads)
    if need.isWatch { Task { await watch() } }
  }

  /// Starts more threads while jobs wait too long, and returns when no job is waiting.
  private func watch() async {
    while true {
      try? await Task.sleep(for: JobQueue.tick)
      guard let missing = jobs.missingThreads() else { return }
      start(missing)
    }
  }

  private func start(_ count: Int) {
    let executor = asUnownedTaskExecutor()
    for _ in 0..<count {
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
