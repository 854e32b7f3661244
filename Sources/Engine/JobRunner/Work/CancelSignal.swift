import Synchronization

/// A signal that is sent when a client requests the cancellation of a run.
final class CancelSignal: Sendable {
  private struct State {
    var isGiven = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Whether the signal was sent.
  var isGiven: Bool { state.withLock { $0.isGiven } }

  /// Sends the signal.
  ///
  /// A second call to this method has no effect.
  func give() {
    resume { $0.isGiven = true }
  }

  /// Waits until the signal is sent.
  ///
  /// Only one task may wait at a time.
  ///
  /// - Throws: ``Cancelled`` when the signal is sent, or `CancellationError` if the waiting task is
  ///   cancelled.
  func wait() async throws -> Never {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          // The lock covers both the check and the assignment, so a cancellation after the check
          // finds the stored continuation.
          guard !state.isGiven, !Task.isCancelled else { return true }
          state.waiting = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      resume { _ in }
    }
    throw isGiven ? Cancelled() : CancellationError()
  }

  private func resume(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }
}

/// The error for an attempt that ended because a client requested the cancellation of one of its
/// runs.
struct Cancelled: Error, CustomStringConvertible {
  let description = "it was cancelled"
}
