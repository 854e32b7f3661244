import Foundation

/// A thread pool's queue, which contains the Swift jobs that are waiting for a thread.
///
/// The queue also determines the number of threads.
///
/// A queue with one thread for each waiting job would be simpler. However, waking a thread for each
/// short task would take more time than the task itself.
///
/// The type is `@unchecked Sendable`, because the lock guards every access.
final class ThreadQueue: @unchecked Sendable {
  /// The actions that the caller must take to provide threads for the waiting jobs.
  struct Need {
    /// The number of threads to start.
    var threads = 0
    /// Whether to call ``missingThreads()`` after each ``tick``, until it returns nil.
    var isWatch = false
  }

  /// The interval between two checks of the waiting jobs.
  static let tick = Duration.milliseconds(5)
  /// The number of ticks that a job may wait before more threads are started.
  ///
  /// The queue also waits at most this number of ticks for started threads that are not running
  /// yet.
  private static let patience = 20
  /// The maximum time, in seconds, that an idle thread waits for a job.
  private let longestIdle: TimeInterval

  private let condition = NSCondition()
  private let limit: Int
  /// The number of threads that are started before the first check of waiting jobs, at most one per
  /// core.
  private let few: Int
  private var waiting: [UnownedJob] = []
  /// The index of the first waiting job in `waiting`.
  ///
  /// Removing the first job from the array would move all other elements.
  private var first = 0
  private var threads = 0
  /// The number of threads that are waiting to be woken.
  private var idle = 0
  /// The number of idle threads that were signalled but are not yet running.
  private var woken = 0
  /// The number of started threads that are not yet running.
  private var starting = 0
  private var isWatched = false
  /// The number of callers that have called ``hold()`` but have not yet called ``release()``.
  private var holds = 0
  /// The number of jobs that threads have taken since the last check.
  private var taken = 0
  /// The number of checks with too many waiting jobs since threads were last started.
  private var ticksBehind = 0

  init(threads limit: Int, endsIdleThreads: Bool = true) {
    self.limit = limit
    longestIdle = endsIdleThreads ? 5 : 1e9
    few = min(limit, ProcessInfo.processInfo.activeProcessorCount)
  }

  private var waitingCount: Int { waiting.count - first }
  private var active: Int { threads - idle }

  // MARK: Callers

  /// Appends a job, and returns the actions that the caller must take to provide a thread for it.
  func append(_ job: UnownedJob) -> Need {
    condition.withLock {
      waiting.append(job)
      return holds == 0 ? need() : Need()
    }
  }

  /// Delays waking threads for appended jobs until ``release()`` is called.
  func hold() { condition.withLock { holds += 1 } }

  /// Wakes threads for the appended jobs, and returns the actions that the caller must take.
  func release() -> Need {
    condition.withLock {
      holds -= 1
      return need()
    }
  }

  /// Checks the waiting jobs, and returns the number of threads that the caller must start.
  ///
  /// The method returns nil if the caller can stop the regular checks of the waiting jobs.
  ///
  /// If the waiting jobs would wait for more than 100 ms, the number of active threads is doubled.
  /// If the limit were below 100 ms, the queue would start unnecessary threads while all cores are
  /// busy.
  ///
  /// For at most 20 ticks, the method does not start any more threads until those from its last
  /// call are running. On a busy machine, new threads may wait longer than a tick for a core. The
  /// number of threads would then double at each tick until it reached the maximum.
  func missingThreads() -> Int? {
    condition.withLock {
      defer { taken = 0 }
      guard waitingCount > 0, active < limit else {
        isWatched = false
        return nil
      }
      guard waitingCount > taken * Self.patience else { return 0 }
      ticksBehind += 1
      guard woken + starting == 0 || ticksBehind > Self.patience else { return 0 }
      return activate(max(1, active))
    }
  }

  /// Records that the operating system rejected threads, and returns whether the caller must check
  /// the waiting jobs regularly.
  func refused(_ count: Int) -> Need {
    condition.withLock {
      threads -= count
      starting -= count
      guard !isWatched, waitingCount > 0 else { return Need() }
      isWatched = true
      return Need(isWatch: true)
    }
  }

  /// Returns the actions that the caller must take to provide threads for the waiting jobs.
  ///
  /// The queue assumes that the caller takes all returned actions.
  private func need() -> Need {
    guard waitingCount > 0 else { return Need() }
    let started = activate(few - active)
    guard !isWatched, waitingCount > woken + started, active < limit else {
      return Need(threads: started)
    }
    (isWatched, taken) = (true, 0)
    return Need(threads: started, isWatch: true)
  }

  /// Wakes idle threads for waiting jobs, and returns the number of additional threads to start.
  private func activate(_ count: Int) -> Int {
    let count = max(0, min(count, waitingCount, limit - active))
    if count > 0 { ticksBehind = 0 }
    let waking = min(count, idle)
    idle -= waking
    woken += waking
    for _ in 0..<waking { condition.signal() }
    threads += count - waking
    starting += count - waking
    return count - waking
  }

  // MARK: Threads

  /// Records that a started thread is running.
  func begin() { condition.withLock { starting -= 1 } }

  /// Waits for the next job, or returns nil if the thread must end.
  func next() -> UnownedJob? {
    condition.withLock {
      while waitingCount == 0 {
        guard waitToBeWoken() else { return nil }
      }
      taken += 1
      defer { removeFirst() }
      return waiting[first]
    }
  }

  private func removeFirst() {
    first += 1
    if first == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      first = 0
    } else if first > waiting.count / 2, first > 1_000 {
      waiting.removeFirst(first)
      first = 0
    }
  }

  /// Waits until the thread is woken, or returns false after 5 s.
  private func waitToBeWoken() -> Bool {
    idle += 1
    let deadline = Date(timeIntervalSinceNow: longestIdle)
    while woken == 0 {
      guard condition.wait(until: deadline) || woken > 0 else {
        idle -= 1
        threads -= 1
        return false
      }
    }
    woken -= 1
    return true
  }
}
