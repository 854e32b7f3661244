import Synchronization

/// The period in which no other worker reclaims the runs of this worker.
///
/// Effects continue to run while the worker has no connection to the server. Other workers reclaim
/// the runs of effects only after 18 s without a heartbeat (`dead_worker`). The worker stops its
/// effects 5 s before other workers can reclaim the runs of the effects. The lease is counted from
/// the moment before the last heartbeat was sent. The clock of the lease also runs while the
/// machine sleeps.
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
  /// - Parameter instant: a moment before the heartbeat was sent.
  func renew(from instant: ContinuousClock.Instant) {
    state.withLock { state in
      if .now >= state.end { state.term += 1 }
      state.from = max(state.from, instant)
    }
  }

  /// The number of the current term of the lease.
  ///
  /// Other workers may have reclaimed runs that were claimed in an earlier term, for example
  /// because the process was frozen. A worker must read the term before it sends a claim. If the
  /// worker read the term after the claim, the worker could read a newer term and treat reclaimed
  /// runs as its own.
  var term: Int { state.withLock { $0.term } }

  /// Whether the worker may claim and process runs.
  var isValid: Bool { state.withLock { .now < $0.end } }
}
