import Synchronization

/// Checks the time limits of all attempts and effects that a worker executes, in one task.
///
/// A separate timer for each attempt or effect would cost more time than a short job needs. The
/// task runs only while attempts or effects are in progress. It checks the limits every 50 ms, so
/// attempts and effects are cancelled at most 50 ms after their limit.
final class Deadlines: Sendable {
  private struct State {
    var watched: [ObjectIdentifier: EffectPermits] = [:]
    /// The actions at the limits of attempts, keyed by the number that ``add(_:_:)`` returns.
    var limits: [Int: (end: ContinuousClock.Instant, action: @Sendable () -> Void)] = [:]
    var last = 0
    var isRunning = false
  }

  private static let pause = Duration.milliseconds(50)

  private let lease: Lease
  private let state = Mutex(State())

  /// Creates an object that checks nothing until ``add(_:_:)`` or ``watch(_:)`` is called.
  ///
  /// - Parameter lease: the lease of the worker. When the lease ends, all effects are cancelled,
  ///   because another worker may then claim the runs.
  init(_ lease: Lease) { self.lease = lease }

  /// Executes `action` at most 50 ms after `limit`, unless ``remove(_:)`` is called earlier.
  ///
  /// The action is executed on a thread of Swift's cooperative pool and must not block.
  ///
  /// - Returns: the number to pass to ``remove(_:)``.
  func add(_ limit: Duration, _ action: @escaping @Sendable () -> Void) -> Int {
    let end = ContinuousClock.now + limit
    return change { state in
      state.last += 1
      state.limits[state.last] = (end, action)
      return state.last
    }
  }

  /// Removes a limit.
  ///
  /// If the limit's action is being executed, the method does not wait for its end.
  func remove(_ number: Int) { state.withLock { $0.limits[number] = nil } }

  /// Until all effects have ended, cancels each one when it times out or when the lease ends.
  ///
  /// - Parameter permits: the permits that the effects already hold.
  func watch(_ permits: EffectPermits) {
    change { $0.watched[ObjectIdentifier(permits)] = permits }
  }

  /// Changes the state, and starts the task if it is not running.
  private func change<R>(_ body: (inout State) -> R) -> R {
    let (result, isFirst) = state.withLock { state in
      defer { state.isRunning = true }
      return (body(&state), !state.isRunning)
    }
    // The task must not belong to the span of the attempt that starts it.
    if isFirst { Task.detached { await self.run() } }
    return result
  }

  private func run() async {
    while true {
      try? await Task.sleep(for: Self.pause)
      guard let (attempts, actions) = due() else { return }
      for action in actions { action() }
      let isOver = !lease.isValid
      for attempt in attempts { attempt.checkTime(leaseIsOver: isOver) }
    }
  }

  /// Returns the effects in progress and the actions of the limits that have ended, or nil if the
  /// task must end.
  ///
  /// The lock is held while the method determines whether anything remains. If nothing remains,
  /// `isRunning` becomes false, and the next change starts a new task.
  private func due() -> (effects: [EffectAttempt], actions: [@Sendable () -> Void])? {
    state.withLock { state in
      var effects: [EffectAttempt] = []
      for (id, permits) in state.watched {
        let inHand = permits.inHand
        if inHand.isEmpty { state.watched[id] = nil }
        effects += inHand
      }
      state.isRunning = !effects.isEmpty || !state.limits.isEmpty
      guard state.isRunning else { return nil }
      let now = ContinuousClock.now
      let ended = state.limits.filter { $0.value.end <= now }
      for number in ended.keys { state.limits[number] = nil }
      return (effects, ended.values.map(\.action))
    }
  }
}
