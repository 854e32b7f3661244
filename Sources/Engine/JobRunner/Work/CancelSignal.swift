import Synchronization

/// Tells work in transactions that somebody has cancelled a run of it.
final class CancelSignal: Sendable {
  private struct State {
    var isGiven = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Whether it was given.
  var isGiven: Bool { state.withLock { $0.isGiven } }

  /// Gives it; once is enough.
  func give() {
    resume { $0.isGiven = true }
  }

  /// Waits until it is given; one task at a time.
  ///
  /// - Throws: ``Cancelled`` then, `CancellationError` where nobody wants to know any more.
  func wait() async throws -> Never {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          // Asked for under the lock: who cancels this task resumes what stands here by then.
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

/// Work that was ended because somebody cancelled a run of it.
struct Cancelled: Error, CustomStringConvertible {
  let description = "it was cancelled"
}
