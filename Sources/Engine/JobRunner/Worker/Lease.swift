import Synchronization

/// The period in which no other worker reclaims the runs of this worker.
///
/// Effects continue without a connection, so a worker with effect jobs is considered dead only if
/// its heartbeats are missing. Other workers consider the worker dead after 18 s (`dead_worker`).
/// The worker itself stops 5 s earlier, counted from the moment before it sends the last heartbeat.
/// The clock also runs while the machine sleeps.
final class Lease: Sendable {
  private static let length = Duration.seconds(13)

  private let from = Mutex(ContinuousClock.now)

  /// Extends the lease after the server has received a heartbeat.
  ///
  /// - Parameter instant: a moment that is not later than the sending of the heartbeat.
  func renew(from instant: ContinuousClock.Instant) {
    from.withLock { $0 = max($0, instant) }
  }

  /// The end of the lease, unless another heartbeat reaches the server.
  var end: ContinuousClock.Instant { from.withLock { $0 } + Self.length }

  /// Whether the worker may claim and perform runs.
  var isValid: Bool { .now < end }
}
