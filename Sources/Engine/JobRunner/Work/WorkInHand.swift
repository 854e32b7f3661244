import Foundation
import Synchronization

/// A worker's current work.
///
/// The work on individual runs can be cancelled.
final class WorkInHand: Sendable {
  private struct State {
    var next = 0
    var works: [Int: @Sendable (Set<CancelledRun>) -> Void] = [:]
  }

  private let state = Mutex(State())

  /// Whether no work is registered.
  ///
  /// The crew of an effect job stays registered while it is idle.
  var isEmpty: Bool { state.withLock { $0.works.isEmpty } }

  /// Registers work before it begins so that it can be cancelled.
  ///
  /// - Parameter cancel: cancels the work on the given runs. Until ``end(_:)``, the closure may be
  ///   called several times, on any thread, and with runs that do not belong to the work.
  /// - Returns: the number to pass to ``end(_:)``.
  func begin(_ cancel: @escaping @Sendable (Set<CancelledRun>) -> Void) -> Int {
    state.withLock { state in
      state.next += 1
      state.works[state.next] = cancel
      return state.next
    }
  }

  /// Removes work that has ended.
  func end(_ work: Int) { _ = state.withLock { $0.works.removeValue(forKey: work) } }

  /// Cancels the work on the given runs.
  ///
  /// If the work on a run has not begun, this call has no effect on the run. The next poll repeats
  /// the cancellation.
  func cancel(_ runs: [CancelledRun]) {
    let works = state.withLock { Array($0.works.values) }
    for cancel in works { cancel(Set(runs)) }
  }
}

/// A running run whose cancellation was requested.
struct CancelledRun: Sendable, Hashable {
  let token: UUID
  let id: Int64
}

extension Claim {
  func holdsAny(of cancelled: Set<CancelledRun>) -> Bool {
    runs.contains { cancelled.contains(CancelledRun(token: token, id: $0.id)) }
  }
}
