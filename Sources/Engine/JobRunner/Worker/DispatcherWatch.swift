import Synchronization

/// Determines whether a worker's dispatcher is still completing passes.
///
/// Heartbeats use a separate connection and thread, so they would continue if the dispatcher were
/// stuck. A worker with a stuck dispatcher would keep its runs, but would not claim other runs or
/// fire schedules.
final class DispatcherWatch: Sendable {
  /// The maximum duration of a pass, excluding time spent waiting for statements.
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

  /// Records that the dispatcher has ended, so ``isStuck(isWaiting:)`` stops checking it.
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
