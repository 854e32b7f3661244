import UnixSignals

/// Runs `body` to its end; SIGTERM and SIGINT cancel it, so that it leaves nothing half done behind it as a
/// killed process would.
///
/// - Returns: what it came to, and whether a signal came.
package func untilSignal<R: Sendable>(
  _ body: @escaping @Sendable () async throws -> R
) async -> (end: Result<R, any Error>, wasStopped: Bool) {
  let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
  let working = Task { try await body() }
  let listening = Task {
    var wasStopped = false
    for await _ in signals {
      wasStopped = true
      working.cancel()
    }
    return wasStopped
  }
  let end = await working.result
  listening.cancel()
  return (end, await listening.value)
}
