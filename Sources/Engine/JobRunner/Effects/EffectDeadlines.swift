import Synchronization

/// Checks the timeouts of all effects that a worker performs, in one task.
///
/// A separate timer for each effect would cost more time than a short effect needs. The task runs
/// only while effects are being performed. An effect is cancelled at most 50 ms after its timeout.
final class EffectDeadlines: Sendable {
  private struct State {
    var watched: [ObjectIdentifier: EffectPermits] = [:]
    var isRunning = false
  }

  private static let pause = Duration.milliseconds(50)

  private let lease: Lease
  private let state = Mutex(State())

  /// Creates an object that checks no effects until ``watch(_:)`` is called.
  ///
  /// - Parameter lease: the lease of the worker. When the lease ends, all effects are cancelled,
  ///   because another worker may then claim the runs.
  init(_ lease: Lease) { self.lease = lease }

  /// Until all effects have ended, cancels each one when it times out or when the lease ends.
  ///
  /// - Parameter permits: the permits that the effects already hold.
  func watch(_ permits: EffectPermits) {
    let isFirst = state.withLock { state in
      state.watched[ObjectIdentifier(permits)] = permits
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst { Task { await run() } }
  }

  private func run() async {
    while true {
      try? await Task.sleep(for: Self.pause)
      // This task holds the lock while it determines whether any effects remain. If no effect
      // remains, `isRunning` becomes false, and the next call to `watch` starts a new task.
      let attempts = state.withLock { state in
        var attempts: [EffectAttempt] = []
        for (id, permits) in state.watched {
          let inHand = permits.inHand
          if inHand.isEmpty { state.watched[id] = nil }
          attempts += inHand
        }
        state.isRunning = !attempts.isEmpty
        return attempts
      }
      guard !attempts.isEmpty else { return }
      let isOver = !lease.isValid
      for attempt in attempts { attempt.checkTime(leaseIsOver: isOver) }
    }
  }
}
