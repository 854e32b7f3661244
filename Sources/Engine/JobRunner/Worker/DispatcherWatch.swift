import Synchronization

/// Decides whether the dispatcher of a worker still completes passes.
///
/// Heartbeats have their own connection and thread, so they would continue if the dispatcher were
/// stuck. A worker with a stuck dispatcher would keep its runs, although it claims no other runs
/// and fires no schedule.
final class DispatcherWatch: Sendable {
  /// How long a pass may take, not counting the statements for which the pass waits.
  private static let patience = Duration.seconds(10)

  private struct State {
    var last: ContinuousClock.Instant?
    var patience = DispatcherWatch.patience
  }

  private let state = Mutex(State())

  /// Records the start of a pass, or another sign that the dispatcher is not stuck.
  ///
  /// - Parameter pause: the longest pause until the next sign.
  func mark(pause: Duration = .zero) {
    state.withLock { $0 = State(last: .now, patience: Self.patience + pause) }
  }

  /// Records that the dispatcher has ended, so that it cannot be stuck.
  func end() { state.withLock { $0.last = nil } }

  /// Whether the last sign of the dispatcher is too old.
  ///
  /// - Parameter isWaiting: whether the dispatcher waits for a statement now.
  func isStuck(isWaiting: Bool) -> Bool {
    state.withLock { state in
      guard let last = state.last else { return false }
      guard !isWaiting else {
        state.last = .now
        return false
      }
      return last.duration(to: .now) > state.patience
    }
  }
}
