import Synchronization

/// Until when nobody takes the runs of this worker for those of a dead one.
///
/// Work outside of the database goes on without a connection. So a worker that has such jobs is dead by its
/// heartbeat alone, for others after 18 s (`dead_worker`), and for itself five seconds earlier: counted from the
/// moment ahead of sending, by a clock that also runs while the machine sleeps.
final class Lease: Sendable {
  private static let length = Duration.seconds(13)

  private let from = Mutex(ContinuousClock.now)

  /// The server has a heartbeat that was sent at this moment or later.
  func renew(from instant: ContinuousClock.Instant) {
    from.withLock { $0 = max($0, instant) }
  }

  /// When it is over, unless a heartbeat comes through.
  var end: ContinuousClock.Instant { from.withLock { $0 } + Self.length }

  /// Whether runs may be claimed and performed.
  var isValid: Bool { .now < end }
}
