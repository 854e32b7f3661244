import Synchronization

/// The permits to perform runs of one job at the same time, and the attempts that use the permits.
///
/// Only the executor of the job waits for changes.
final class EffectPermits: Sendable {
  private struct State {
    var performed: [Int: EffectAttempt] = [:]
    /// The tasks that perform an attempt and store its result.
    var tasks: [Int: Task<Void, Never>] = [:]
    /// The permits of abandoned attempts whose effects still run.
    var lost: Set<Int> = []
    /// The permits whose effects ended before their attempts were settled.
    var ended: Set<Int> = []
    var next = 0
    var isClosed = false
    var isCancelling = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let count: Int
  private let state = Mutex(State())

  init(_ count: Int) { self.count = count }

  /// Waits for a free permit, and returns the number of free permits.
  ///
  /// The result is 0 after ``close(isCancelling:)``.
  func free() async -> Int {
    await wait { [count] state in
      state.isClosed || count > state.performed.count + state.lost.count
    }
    return state.withLock { $0.isClosed ? 0 : count - $0.performed.count - $0.lost.count }
  }

  /// Waits until no effects are running except abandoned ones.
  func allEnded() async { await wait { $0.performed.isEmpty } }

  /// Whether abandoned effects occupy all permits.
  var areLost: Bool { state.withLock { $0.lost.count == count } }

  /// Assigns a permit to a new attempt.
  ///
  /// - Parameter make: creates the attempt. The attempt must call the passed function when its task
  ///   has actually ended.
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
  /// The task is cancelled together with its attempt. Otherwise a stop would wait for an
  /// unreachable server.
  func attach(_ task: Task<Void, Never>, to permit: Int) {
    let isCancelling = state.withLock { state in
      if state.performed[permit] != nil { state.tasks[permit] = task }
      return state.isCancelling
    }
    if isCancelling { task.cancel() }
  }

  /// Releases a permit after its attempt was settled.
  ///
  /// If the effect still runs, the permit is lost until the effect ends.
  func end(_ permit: Int) {
    change { state in
      state.performed[permit] = nil
      state.tasks[permit] = nil
      if state.ended.remove(permit) == nil { state.lost.insert(permit) }
    }
  }

  /// Stops handing out permits.
  ///
  /// If `isCancelling` is true, all attempts are cancelled.
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

  /// Waits until the condition is true.
  ///
  /// One lock covers the check and the start of the wait, so that no change between them is missed.
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
