import Synchronization

/// Limits the number of concurrent tasks in a section of code.
///
/// Tasks get their turns in the order of their requests.
///
/// The semaphore limits claims of one job's runs, and the use of sessions. A task that is waiting
/// for a lost response keeps its turn until the connection times out (`tcp_user_timeout`). Until
/// the connection times out, other tasks can use only the remaining turns.
final class TaskSemaphore: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  /// Waits for a turn, which the caller must end with ``end()``.
  func begin() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  /// Like ``begin()``, but returns false instead of waiting.
  func tryBegin() -> Bool {
    state.withLock { state in
      if state.free == 0 { return false }
      state.free -= 1
      return true
    }
  }

  /// Ends the caller's turn, and gives the turn to the next task.
  func end() {
    let next = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return CheckedContinuation<Void, Never>?.none
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
