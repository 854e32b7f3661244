import Synchronization

/// Counts how many runs of a job a worker may still perform, and stores which it performs.
///
/// Only one task waits for changes: the executor of the job.
final class EffectPermits: Sendable {
  private struct State {
    var performed: [Int: EffectAttempt] = [:]
    /// The tasks that perform an attempt and store its result.
    var tasks: [Int: Task<Void, Never>] = [:]
    /// Permits of attempts that were abandoned and still run.
    var lost: Set<Int> = []
    /// Permits whose effects have ended before they were settled.
    var ended: Set<Int> = []
    var next = 0
    var isClosed = false
    var isCancelling = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let count: Int
  private let state = Mutex(State())

  init(_ count: Int) { self.count = count }

  /// Returns the number of free permits, at least one; zero after it was closed.
  func free() async -> Int {
    await wait { [count] state in
      state.isClosed || count > state.performed.count + state.lost.count
    }
    return state.withLock { $0.isClosed ? 0 : count - $0.performed.count - $0.lost.count }
  }

  /// Returns when only abandoned effects are still running.
  func allEnded() async { await wait { $0.performed.isEmpty } }

  /// Whether abandoned effects hold all permits: none will ever be free.
  var areLost: Bool { state.withLock { $0.lost.count == count } }

  /// Takes a permit for an attempt.
  ///
  /// - Parameter make: gets the function to call when its task has really ended.
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

  /// Stores the task that uses a permit.
  ///
  /// It is cancelled together with the attempt. Otherwise a stop would wait for a server that is gone.
  func attach(_ task: Task<Void, Never>, to permit: Int) {
    let isCancelling = state.withLock { state in
      if state.performed[permit] != nil { state.tasks[permit] = task }
      return state.isCancelling
    }
    if isCancelling { task.cancel() }
  }

  /// Call it after the attempt was settled; the permit is lost while the effect still runs.
  func end(_ permit: Int) {
    change { state in
      state.performed[permit] = nil
      state.tasks[permit] = nil
      if state.ended.remove(permit) == nil { state.lost.insert(permit) }
    }
  }

  /// Stops giving out permits; if `isCancelling`, requests all attempts to end.
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

  /// Returns when the condition holds.
  ///
  /// One lock covers the check and the start of the wait; otherwise a change between them would be missed.
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
