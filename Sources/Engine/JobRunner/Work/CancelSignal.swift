import Synchronization

/// Signals to work in transactions that the cancellation of one of its runs was requested.
final class CancelSignal: Sendable {
  private struct State {
    var isGiven = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Whether it was given.
  var isGiven: Bool { state.withLock { $0.isGiven } }

  /// Gives the signal; later calls do nothing.
  func give() {
    resume { $0.isGiven = true }
  }

  /// Waits until the signal is given; only one task may wait at a time.
  ///
  /// - Throws: ``Cancelled`` when it is given, `CancellationError` if the waiting task is cancelled.
  func wait() async throws -> Never {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          // Checked under the lock: a cancellation of this task after that finds the continuation and resumes it.
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

/// Work that was ended because the cancellation of one of its runs was requested.
struct Cancelled: Error, CustomStringConvertible {
  let description = "it was cancelled"
}
