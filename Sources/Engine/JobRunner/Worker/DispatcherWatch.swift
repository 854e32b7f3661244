import Synchronization

/// Determines whether the dispatcher of a worker still completes passes.
///
/// Heartbeats use a separate connection and thread, so heartbeats would continue if the dispatcher
/// were stuck. A worker with a stuck dispatcher would keep its runs, but would neither claim other
/// runs nor fire schedules.
final class DispatcherWatch: Sendable {
  /// The maximum duration of a pass, excluding the time for which the pass waits for statements.
  private static let patience = Duration.seconds(10)

  private struct State {
    var last: ContinuousClock.Instant?
    var patience = DispatcherWatch.patience
  }

  private let state = Mutex(State())

  /// Records the start of a pass, or another sign that the dispatcher is not stuck.
  ///
  /// - Parameter pause: the maximum pause until the next call to this method.
  func mark(pause: Duration = .zero) {
    state.withLock { $0 = State(last: .now, patience: Self.patience + pause) }
  }

  /// Records that the dispatcher has ended, so that the dispatcher is no longer checked.
  func end() { state.withLock { $0.last = nil } }

  /// Returns whether too much time has passed since the last call to ``mark(pause:)``.
  ///
  /// - Parameter isWaiting: whether the dispatcher is waiting for a statement.
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
