import Foundation
import JobRunner
import Synchronization
import UnixSignals

/// Turns signals into the stop of a worker, and into its end where the stop takes too long.
///
/// The first lets work in progress end, the second rolls it back. A process that is still there
/// behind either one's limit ends as if it had been killed: the server rolls back, and another worker
/// takes its runs over.
final class StopSignals: Sendable {
  /// The limit of a stop, a little less than the 10 s that are promised.
  private static let limit = 9.5
  /// That of a stop at once.
  private static let haste = 2.0

  private let listening = Mutex<Task<Void, Never>?>(nil)

  /// Listens from now on; a signal that came before has ended the process.
  static func listen(for worker: Worker) async -> StopSignals {
    var trapped: [UnixSignal] = [.sigterm, .sigint]
    // `nohup` lets a process be deaf to this one, and means it.
    if !isIgnored(SIGHUP) { trapped.append(.sighup) }
    let signals = await UnixSignalsSequence(trapping: trapped)
    let stop = StopSignals()
    stop.listening.withLock {
      $0 = Task {
        var count = 0
        for await _ in signals {
          count += 1
          if count == 1 { worker.stop() } else { worker.stopAtOnce() }
          end(after: count == 1 ? limit : haste)
        }
      }
    }
    return stop
  }

  /// Listens no more.
  func end() { listening.withLock { $0?.cancel() } }

  /// Lets SIGQUIT end every command at once, with a core where the system keeps any and ``Dumps`` does not forbid it.
  ///
  /// Where a Swift toolchain is installed, the runtime takes it for a crash: it prints where the
  /// program is, and the program goes on.
  static func letQuitEnd() {
    if !isIgnored(SIGQUIT) { signal(SIGQUIT, SIG_DFL) }
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// A thread, because a job that ignores its cancellation may hold every one that tasks run on.
  private static func end(after seconds: Double) {
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: seconds)
      _exit(ExitStatus.tryAgain.rawValue)
    }
  }
}
