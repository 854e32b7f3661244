import Synchronization

/// A wait that other threads can end early.
package final class Pause: Sendable {
  private struct State {
    var isEnded = false
    var end: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// Ends the current wait or, if no wait is in progress, the next wait.
  package func end() {
    let end = state.withLock { state in
      state.isEnded = true
      return state.end
    }
    end?()
  }

  /// Waits until `body` has ended, and cancels `body` if the pause is ended.
  ///
  /// Calling ``end()`` immediately after `body` ends may have no effect. After every wait, the
  /// caller must check the condition that it is waiting for.
  ///
  /// - Parameter thread: the thread on which `body` is executed, or nil for the cooperative pool.
  @discardableResult
  package func wait<R: Sendable>(
    on thread: ConnectionThread? = nil, _ body: @escaping @Sendable () async -> R
  ) async -> R {
    let sleeper = Task<R, Never>(executorPreference: thread) { await body() }
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
