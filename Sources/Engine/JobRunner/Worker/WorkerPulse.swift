import Synchronization

/// The state of a worker, for health checks.
package enum WorkerPulse: String, Sendable {
  /// The worker has not reached its server yet.
  case starting
  /// The worker polls and processes runs.
  case working
  /// The worker has not polled for longer than a poll should take.
  case stalled
  /// The worker does not claim any more runs.
  case stopping
  /// A job can no longer be performed, so the process exits.
  case lost
}

extension Worker {
  /// The longest time without a successful poll before a worker counts as stalled.
  ///
  /// Any poll takes less time, even a poll that reclaims the runs of a dead worker.
  private static let longestLook = Duration.seconds(15)

  /// The current state of the worker.
  ///
  /// The property can be read on any thread, and sends no request to the server.
  package var pulse: WorkerPulse {
    if context.loss != nil { return .lost }
    if isStopping { return .stopping }
    guard let last = context.lastLook.at else { return .starting }
    return last.duration(to: .now) > Self.longestLook ? .stalled : .working
  }
}

/// The time of the worker's last successful poll.
final class LastLook: Sendable {
  private let last = Mutex<ContinuousClock.Instant?>(nil)

  var at: ContinuousClock.Instant? { last.withLock { $0 } }
  func isNow() { last.withLock { $0 = .now } }
}
