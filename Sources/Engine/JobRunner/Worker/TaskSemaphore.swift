import Synchronization

/// Lets so many tasks do something at the same time, first come, first served: claim runs of one job, or hold a
/// session.
///
/// A turn that its task never gives back, because the network swallowed an answer, is back when the
/// connection is given up (`tcp_user_timeout`); the other turn goes round meanwhile.
final class TaskSemaphore: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  /// Returns when it is the caller's turn, which ``end()`` ends.
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

  /// Passes the turn on.
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
