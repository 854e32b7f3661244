import Synchronization

/// A wait that others may end ahead of its time, from any thread.
package final class Pause: Sendable {
  private struct State {
    var isEnded = false
    var end: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// Ends the wait that goes on; where there is none, the next one.
  package func end() {
    let end = state.withLock { state in
      state.isEnded = true
      return state.end
    }
    end?()
  }

  /// Returns when this has ended, which is cancelled where somebody ends the pause.
  ///
  /// Whoever ends it just as it ends by itself is not waited for any more: what it was ended for has to be
  /// looked at behind every wait.
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
