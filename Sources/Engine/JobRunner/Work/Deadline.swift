/// The error for a job that exceeded its timeout.
struct JobTimeout: Error, CustomStringConvertible {
  let limit: Duration

  var description: String { "it took longer than \(limit)" }
}

/// Runs `body`, and cancels it after `limit` or when the cancellation signal is sent.
///
/// The cancellation ends the current statement and any asynchronous wait. A closure that ignores
/// the cancellation blocks only the executor that is running it.
///
/// - Throws: ``JobTimeout``, ``Cancelled``, or any error that `body` throws.
func withDeadline<R: Sendable>(
  _ limit: Duration, or signal: CancelSignal, _ body: @escaping @Sendable () async throws -> R
) async throws -> R {
  try await withThrowingTaskGroup(of: R.self) { group in
    group.addTask { try await body() }
    group.addTask {
      try await Task.sleep(for: limit)
      throw JobTimeout(limit: limit)
    }
    group.addTask { try await signal.wait() }
    defer { group.cancelAll() }
    guard let result = try await group.next() else { throw JobTimeout(limit: limit) }
    return result
  }
}
