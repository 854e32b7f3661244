import CProcess
import Foundation
import JobRunner
import Synchronization
import UnixSignals

/// The signal handling of a worker.
///
/// If the worker takes too long to stop, the process ends.
///
/// After the first signal, the worker finishes its current runs. After the second signal, the
/// worker rolls back its current runs. A process that exceeds the time limit for stopping exits
/// without cleanup. After the process exits, PostgreSQL rolls back the process's transactions, and
/// another worker takes over its runs.
final class StopSignals: Sendable {
  /// The time limit for stopping, in seconds, slightly less than the documented 10 s.
  private static let limit = 9.5
  /// The time limit for stopping immediately, in seconds.
  private static let haste = 2.0

  /// The thread that receives signals.
  ///
  /// If the reader of a log stops reading, log lines may block all threads of Swift's cooperative
  /// pool. Even if the cooperative pool is blocked, the separate thread receives signals. The
  /// thread never ends, because the operating system may reject a new thread for a later signal.
  static let thread = ThreadPool(1, name: "baton signals", endsIdleThreads: false)

  private let listening = Mutex<Task<Void, Never>?>(nil)

  /// The number of a signal that arrived before ``listen(for:)``, or 0.
  private static let early = Atomic<Int32>(0)

  /// The signals that stop a worker.
  private static var ending: [Int32] { [SIGTERM, SIGINT, SIGHUP].filter { !isIgnored($0) } }

  /// Stores a signal that arrives before the command is known, instead of ending the process.
  ///
  /// A worker that is stopped while it is starting exits with code 0, like a worker that is stopped
  /// later. Every command other than `worker` must call ``forgetEarly()``. A second signal ends the
  /// process at once, because the program may hang while it creates its jobs.
  static func rememberEarly() {
    early.store(0, ordering: .relaxed)
    for number in ending {
      signal(number) {
        guard StopSignals.early.exchange($0, ordering: .relaxed) == 0 else {
          _exit(ExitStatus.tryAgain.rawValue)
        }
      }
    }
  }

  /// Restores the default action of signals, and ends the process if a signal has already arrived.
  static func forgetEarly() {
    for number in ending { signal(number, SIG_DFL) }
    let number = early.load(ordering: .relaxed)
    if number != 0 { raise(number) }
  }

  /// Starts listening for signals, and stops the worker if a signal has already arrived.
  static func listen(for worker: Worker) async -> StopSignals {
    var trapped: [UnixSignal] = [.sigterm, .sigint]
    // `nohup` makes a process ignore SIGHUP, and the worker must continue to ignore SIGHUP.
    if !isIgnored(SIGHUP) { trapped.append(.sighup) }
    let signals = await UnixSignalsSequence(trapping: trapped)
    let stop = StopSignals()
    stop.listening.withLock {
      $0 = Task(executorPreference: thread) {
        var count = 0
        for await _ in signals {
          count += 1
          if count == 1 { worker.stop() } else { worker.stopAtOnce() }
          endAfterLimit(isFirst: count == 1)
        }
      }
    }
    if early.load(ordering: .relaxed) != 0 {
      worker.stop()
      endAfterLimit(isFirst: true)
    }
    return stop
  }

  /// Stops listening for signals.
  func end() { listening.withLock { $0?.cancel() } }

  /// Restores the default action of SIGQUIT, which ends every command immediately.
  ///
  /// The system may write a core file unless ``Dumps`` forbids core files. Without this call, the
  /// Swift runtime of an installed toolchain would print a backtrace on SIGQUIT, and the program
  /// would continue.
  static func letQuitEnd() {
    if !isIgnored(SIGQUIT) { signal(SIGQUIT, SIG_DFL) }
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Ends the process with exit code 75 after the time limit for stopping.
  ///
  /// - Parameter isFirst: true for the first signal, whose time limit is `limit`, or false for a
  ///   later signal, whose time limit is `haste`.
  static func endAfterLimit(isFirst: Bool) { end(after: isFirst ? limit : haste) }

  /// Ends the process after the given number of seconds, unless an earlier call ends it sooner.
  ///
  /// The operating system's timer needs no thread. Blocked log lines may occupy all threads of the
  /// cooperative pool, and the operating system may reject a new thread.
  private static func end(after seconds: Double) {
    signal(SIGALRM) { _ in _exit(ExitStatus.tryAgain.rawValue) }
    _ = baton_set_alarm(seconds)
  }
}
