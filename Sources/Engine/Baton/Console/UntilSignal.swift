import JobRunner
import UnixSignals

/// Runs `body`, and cancels `body` on SIGTERM or SIGINT, so that `body` can clean up.
///
/// Without `untilSignal`, a signal would kill the process before the cleanup.
///
/// - Parameter isLimited: whether the process ends with exit code 75 if `body` is still running 9.5
///   s after a signal. Without a time limit, an unresponsive server could delay the exit forever.
/// - Returns: the result of `body`, and whether a signal arrived.
package func untilSignal<R: Sendable>(
  isLimited: Bool = false, _ body: @escaping @Sendable () async throws -> R
) async -> (end: Result<R, any Error>, wasStopped: Bool) {
  let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
  let working = Task { try await body() }
  let listening = Task(executorPreference: StopSignals.thread) {
    var wasStopped = false
    for await _ in signals {
      if isLimited { StopSignals.endAfterLimit(isFirst: !wasStopped) }
      wasStopped = true
      working.cancel()
    }
    return wasStopped
  }
  let end = await working.result
  listening.cancel()
  return (end, await listening.value)
}

/// After each SIGTERM or SIGINT, calls `body` with the number of signals received so far, until the
/// returned task is cancelled.
///
/// The process ends with exit code 75 no later than 9.5 s after the first signal, or 2 s after a
/// later signal. The time limits prevent a blocked terminal or pipe from delaying the exit.
package func countingSignals(_ body: @escaping @Sendable (Int) -> Void) async -> Task<Void, Never> {
  let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
  return Task(executorPreference: StopSignals.thread) {
    var count = 0
    for await _ in signals {
      count += 1
      StopSignals.endAfterLimit(isFirst: count == 1)
      body(count)
    }
  }
}
