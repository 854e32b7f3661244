import Synchronization

/// How many more runs of a job a worker may perform, and which it performs.
///
/// One task waits for its changes: the executor of the job.
final class EffectPermits: Sendable {
  private struct State {
    var performed: [Int: EffectAttempt] = [:]
    /// Who performs, and writes down what became of it.
    var tasks: [Int: Task<Void, Never>] = [:]
    /// Given up, and still going on.
    var lost: Set<Int> = []
    /// Whose tasks have ended ahead of being settled.
    var ended: Set<Int> = []
    var next = 0
    var isClosed = false
    var isCancelling = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let count: Int
  private let state = Mutex(State())

  init(_ count: Int) { self.count = count }

  /// How many are free, one at least; zero once it is closed.
  func free() async -> Int {
    await wait { [count] state in
      state.isClosed || count > state.performed.count + state.lost.count
    }
    return state.withLock { $0.isClosed ? 0 : count - $0.performed.count - $0.lost.count }
  }

  /// Returns when nothing is performed any more but what was given up.
  func allEnded() async { await wait { $0.performed.isEmpty } }

  /// Whether all of them perform what was given up and goes on: none will ever be free.
  var areLost: Bool { state.withLock { $0.lost.count == count } }

  /// Takes a permit for an attempt.
  ///
  /// - Parameter make: is told what to call when its task has really ended.
  func take(_ make: (@escaping @Sendable () -> Void) -> EffectAttempt) -> (Int, EffectAttempt) {
    let permit = state.withLock { state in
      state.next += 1
      return state.next
    }
    let attempt = make { [self] in
      change { if $0.lost.remove(permit) == nil { $0.ended.insert(permit) } }
    }
    state.withLock { $0.performed[permit] = attempt }
    return (permit, attempt)
  }

  /// Who performs with a permit: cancelled with what is performed, or a stop would wait for a server that is gone.
  func attach(_ task: Task<Void, Never>, to permit: Int) {
    let isCancelling = state.withLock { state in
      if state.performed[permit] != nil { state.tasks[permit] = task }
      return state.isCancelling
    }
    if isCancelling { task.cancel() }
  }

  /// After the attempt was settled; the permit is lost while its task goes on.
  func end(_ permit: Int) {
    change { state in
      state.performed[permit] = nil
      state.tasks[permit] = nil
      if state.ended.remove(permit) == nil { state.lost.insert(permit) }
    }
  }

  /// No more are given out, and all that is performed is asked to end if `isCancelling`.
  func close(isCancelling: Bool = false) {
    change { state in
      state.isClosed = true
      state.isCancelling = state.isCancelling || isCancelling
    }
    guard isCancelling else { return }
    let (attempts, tasks) = state.withLock { (Array($0.performed.values), Array($0.tasks.values)) }
    for attempt in attempts { attempt.cancel() }
    for task in tasks { task.cancel() }
  }

  private func change(_ body: (inout State) -> Void) {
    let waiting = state.withLock { state in
      body(&state)
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  /// Returns when the condition holds; asked and put down to wait under one lock, or a change could come between.
  private func wait(until condition: @Sendable (State) -> Bool) async {
    while !state.withLock({ condition($0) }) {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard !condition(state) else { return true }
          state.waiting = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    }
  }
}
