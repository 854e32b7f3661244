import Synchronization

/// Lets a limited number of tasks do something at the same time, first come, first served.
///
/// It limits the claims of one job's runs, and the use of sessions. If a lost answer in the network blocks a task,
/// its turn comes back when the connection is given up (`tcp_user_timeout`). The other turns are used meanwhile.
final class TaskSemaphore: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  /// Waits for the caller's turn, which ``end()`` ends.
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

  /// Gives the turn to the next task.
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
