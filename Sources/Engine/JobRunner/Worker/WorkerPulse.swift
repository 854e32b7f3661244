import Synchronization

/// How a worker is, as others may ask.
package enum WorkerPulse: String, Sendable {
  /// It has not reached its server yet.
  case starting
  /// It looks and works.
  case working
  /// It has not looked for longer than it should take.
  case stalled
  /// It claims nothing more.
  case stopping
  /// A job can be performed no more; its process ends.
  case lost
}

extension Worker {
  /// Longer than any look takes; also where it takes over what a dead worker had.
  private static let longestLook = Duration.seconds(15)

  /// How it is now; from any thread, asks no server.
  package var pulse: WorkerPulse {
    if context.loss != nil { return .lost }
    if isStopping { return .stopping }
    guard let last = context.lastLook.at else { return .starting }
    return last.duration(to: .now) > Self.longestLook ? .stalled : .working
  }
}

/// When the worker last looked and reached its server.
final class LastLook: Sendable {
  private let last = Mutex<ContinuousClock.Instant?>(nil)

  var at: ContinuousClock.Instant? { last.withLock { $0 } }
  func isNow() { last.withLock { $0 = .now } }
}
