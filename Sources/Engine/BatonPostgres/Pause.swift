import Synchronization

/// A wait that other threads may end early.
package final class Pause: Sendable {
  private struct State {
    var isEnded = false
    var end: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// Ends the present wait or, if there is none, the next one.
  package func end() {
    let end = state.withLock { state in
      state.isEnded = true
      return state.end
    }
    end?()
  }

  /// Returns when `body` has ended; ending the pause cancels `body`.
  ///
  /// If the pause is ended at the moment when `body` ends by itself, that signal has no effect on the next wait. So the
  /// caller must check its condition after every wait.
  @discardableResult
  package func wait<R: Sendable>(_ body: @escaping @Sendable () async -> R) async -> R {
    let sleeper = Task<R, Never> { await body() }
    let isEnded = state.withLock { state in
      state.end = { sleeper.cancel() }
      return state.isEnded
    }
    if isEnded { sleeper.cancel() }
    let result = await sleeper.value
    state.withLock { $0 = State() }
    return result
  }
}
