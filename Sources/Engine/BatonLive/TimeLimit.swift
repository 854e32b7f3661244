/// Executes `body`, and cancels its task after the time limit.
///
/// The server itself cancels long statements. The time limit of this function is for a feed that
/// waits for something other than the server. The time limit is longer than the statement timeout.
/// A closure that ignores cancellation keeps the connection, so the hub must wait for the closure.
///
/// - Throws: any error that `body` throws, or `CancellationError` after the time limit.
func within<Output: Sendable>(
  _ limit: Duration, _ body: @escaping @Sendable () async throws -> Output
) async throws -> Output {
  try await withThrowingTaskGroup(of: Output?.self) { group in
    group.addTask { try await body() }
    group.addTask {
      try await Task.sleep(for: limit)
      return nil
    }
    defer { group.cancelAll() }
    guard let output = try await group.next() ?? nil else { throw CancellationError() }
    return output
  }
}
