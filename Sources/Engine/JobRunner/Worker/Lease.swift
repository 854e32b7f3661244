import Synchronization

/// The period during which no other worker reclaims this worker's runs.
///
/// Effects continue to run while the worker has no connection to the server. Other workers reclaim
/// effects' runs only after 18 s without a heartbeat (`dead_worker`). The worker stops its effects
/// 5 s before other workers can reclaim the effects' runs. The lease is counted from the moment
/// before the last heartbeat was sent. The lease's clock also runs while the machine is asleep.
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

  /// The number of the lease's current term.
  ///
  /// Other workers may have reclaimed runs that were claimed in an earlier term, for example
  /// because the process was frozen. A worker must read the term before it sends a claim. If the
  /// worker read the term after the claim, it could read a newer term and treat reclaimed runs as
  /// its own.
  var term: Int { state.withLock { $0.term } }

  /// Whether the worker may claim and process runs.
  var isValid: Bool { state.withLock { .now < $0.end } }
}
