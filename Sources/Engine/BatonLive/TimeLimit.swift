/// Executes `body`, and cancels its task after the time limit.
///
/// The server cancels statements that exceed the statement timeout. This function also stops a feed
/// that is waiting but not executing a statement. If `body` ignores the cancellation, the function
/// waits until `body` returns.
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
