import Synchronization

/// The state of a worker, for health checks.
package enum WorkerPulse: String, Sendable {
  /// It has not reached its server yet.
  case starting
  /// It polls and works.
  case working
  /// It has not polled for longer than a poll should take.
  case stalled
  /// It claims nothing more.
  case stopping
  /// A job can no longer be performed; the process ends.
  case lost
}

extension Worker {
  /// Longer than any poll takes, even one that takes over the runs of a dead worker.
  private static let longestLook = Duration.seconds(15)

  /// The current state; callable from any thread, and without a request to the server.
  package var pulse: WorkerPulse {
    if context.loss != nil { return .lost }
    if isStopping { return .stopping }
    guard let last = context.lastLook.at else { return .starting }
    return last.duration(to: .now) > Self.longestLook ? .stalled : .working
  }
}

/// The time at which the worker last polled successfully.
final class LastLook: Sendable {
  private let last = Mutex<ContinuousClock.Instant?>(nil)

  var at: ContinuousClock.Instant? { last.withLock { $0 } }
  func isNow() { last.withLock { $0 = .now } }
}
