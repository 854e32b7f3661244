import Synchronization

/// The time until which no other worker takes over the runs of this worker.
///
/// Effects continue without a connection. So a worker with effect jobs is considered dead only by its missing
/// heartbeat. Other workers consider it dead after 18 s (`dead_worker`), and the worker itself 5 s earlier. It counts
/// from the moment before it sends the heartbeat, with a clock that also runs while the machine sleeps.
final class Lease: Sendable {
  private static let length = Duration.seconds(13)

  private let from = Mutex(ContinuousClock.now)

  /// Call it after the server has a heartbeat that was sent at this moment or later.
  func renew(from instant: ContinuousClock.Instant) {
    from.withLock { $0 = max($0, instant) }
  }

  /// When the lease ends, unless another heartbeat reaches the server.
  var end: ContinuousClock.Instant { from.withLock { $0 } + Self.length }

  /// Whether runs may be claimed and performed.
  var isValid: Bool { .now < end }
}
