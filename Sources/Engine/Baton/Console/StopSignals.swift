import Foundation
import JobRunner
import Synchronization
import UnixSignals

/// Stops a worker on a signal, and ends the process if the stop takes too long.
///
/// The first signal lets work in progress finish, the second rolls it back. A process that exceeds the limit of
/// either stop ends as if it had been killed: the server rolls back, and another worker takes over its runs.
final class StopSignals: Sendable {
  /// The time limit of a stop in seconds; a little less than the documented 10 s.
  private static let limit = 9.5
  /// The time limit of an immediate stop in seconds.
  private static let haste = 2.0

  private let listening = Mutex<Task<Void, Never>?>(nil)

  /// Listens from now on; a signal that arrived earlier has ended the process.
  static func listen(for worker: Worker) async -> StopSignals {
    var trapped: [UnixSignal] = [.sigterm, .sigint]
    // `nohup` makes a process ignore SIGHUP, and that must stay so.
    if !isIgnored(SIGHUP) { trapped.append(.sighup) }
    let signals = await UnixSignalsSequence(trapping: trapped)
    let stop = StopSignals()
    stop.listening.withLock {
      $0 = Task {
        var count = 0
        for await _ in signals {
          count += 1
          if count == 1 { worker.stop() } else { worker.stopAtOnce() }
          endAfterLimit(isFirst: count == 1)
        }
      }
    }
    return stop
  }

  /// Stops listening.
  func end() { listening.withLock { $0?.cancel() } }

  /// Lets SIGQUIT end every command immediately.
  ///
  /// The system may write a core unless ``Dumps`` forbids it. Without this, the Swift runtime of an installed
  /// toolchain handles the signal as a crash: it prints where the program is, and the program continues.
  static func letQuitEnd() {
    if !isIgnored(SIGQUIT) { signal(SIGQUIT, SIG_DFL) }
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Ends the process with exit code 75 after the time limit of the first or a later signal.
  static func endAfterLimit(isFirst: Bool) { end(after: isFirst ? limit : haste) }

  /// Uses a thread of its own, because jobs that ignore their cancellation may block all threads of tasks.
  private static func end(after seconds: Double) {
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: seconds)
      _exit(ExitStatus.tryAgain.rawValue)
    }
  }
}
