import Synchronization

/// The period in which no other worker reclaims the runs of this worker.
///
/// Effects continue without a connection, so other workers reclaim them only if the worker's
/// heartbeats are missing for 18 s (`dead_worker`). The worker itself stops 5 s earlier, counted
/// from the moment before it sends the last heartbeat. The clock also runs while the machine
/// sleeps.
final class Lease: Sendable {
  private static let length = Duration.seconds(13)

  private struct State {
    var from = ContinuousClock.now
    var term = 0

    var end: ContinuousClock.Instant { from + Lease.length }
  }

  private let state = Mutex(State())

  /// Extends the lease after the server has received a heartbeat.
  ///
  /// If the lease has already ended, a new term begins.
  ///
  /// - Parameter instant: a moment that is not later than the sending of the heartbeat.
  func renew(from instant: ContinuousClock.Instant) {
    state.withLock { state in
      if .now >= state.end { state.term += 1 }
      state.from = max(state.from, instant)
    }
  }

  /// The number of the current term.
  ///
  /// Other workers may have reclaimed the runs of earlier terms, for example after the process was
  /// frozen.
  var term: Int { state.withLock { $0.term } }

  /// Whether the worker may claim and perform runs.
  var isValid: Bool { state.withLock { .now < $0.end } }
}
