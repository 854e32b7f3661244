import Synchronization

/// A signal that is sent when a client requests the cancellation of a run.
final class CancelSignal: Sendable {
  private struct State {
    var isGiven = false
    var action: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Whether the signal was sent.
  var isGiven: Bool { state.withLock { $0.isGiven } }

  /// Sends the signal, and executes the action that ``onGive(_:)`` has set.
  ///
  /// A second call to this method has no effect.
  func give() {
    let action = state.withLock { state in
      state.isGiven = true
      defer { state.action = nil }
      return state.action
    }
    action?()
  }

  /// Sets the action of ``give()``, or removes it if the argument is nil.
  ///
  /// The action is executed once, on any thread. If the signal was already sent, this method
  /// executes the action.
  func onGive(_ action: (@Sendable () -> Void)?) {
    let isGiven = state.withLock { state in
      if !state.isGiven { state.action = action }
      return state.isGiven
    }
    if isGiven { action?() }
  }
}

/// The error for an attempt that ended because a client requested the cancellation of one of its
/// runs.
struct Cancelled: Error, CustomStringConvertible {
  let description = "it was cancelled"
}
