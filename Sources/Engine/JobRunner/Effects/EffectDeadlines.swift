import Synchronization

/// The timeouts of all effects that a worker performs, checked by one task.
///
/// A separate timer for each effect would cost more than the rest of a short effect. The task runs
/// only while effects are performed, and an effect is cancelled at most 50 ms after its timeout.
final class EffectDeadlines: Sendable {
  private struct State {
    var watched: [Int: (task: EffectTask, deadline: ContinuousClock.Instant, term: Int)] = [:]
    var next = 0
    var isRunning = false
  }

  private static let pause = Duration.milliseconds(50)

  private let lease: Lease
  private let state = Mutex(State())

  /// Creates an empty set of timeouts.
  ///
  /// - Parameter lease: the lease of the worker; at its end, all effects are cancelled, because
  ///   another worker may then claim their runs.
  init(_ lease: Lease) { self.lease = lease }

  /// Cancels an effect at its timeout or at the end of the lease, until ``end(_:)``.
  ///
  /// - Returns: the number of the effect for ``end(_:)``.
  func begin(_ task: EffectTask, timeout: Duration) -> Int {
    let (number, isFirst) = state.withLock { state in
      state.next += 1
      state.watched[state.next] = (task, .now + timeout, lease.term)
      defer { state.isRunning = true }
      return (state.next, !state.isRunning)
    }
    if isFirst { Task { await run() } }
    return number
  }

  /// Stops watching an effect.
  func end(_ number: Int) { state.withLock { $0.watched[number] = nil } }

  private func run() async {
    while true {
      try? await Task.sleep(for: Self.pause)
      let watched = state.withLock { state in
        state.isRunning = !state.watched.isEmpty
        return Array(state.watched.values)
      }
      guard !watched.isEmpty else { return }
      let now = ContinuousClock.now
      let (isValid, current) = (lease.isValid, lease.term)
      for (task, deadline, term) in watched {
        if now >= deadline { task.cancel(for: .timeout) }
        if !isValid || term != current { task.cancel(for: .lease) }
      }
    }
  }
}
