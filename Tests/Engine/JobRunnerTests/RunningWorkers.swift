import JobRunner

/// Runs `body` together with the workers, and then stops the workers.
///
/// An error of a worker takes precedence over an error of `body`.
func running(_ workers: Worker..., body: () async throws -> Void) async throws {
  try await running(workers, body: body)
}

/// Runs `body` together with the workers, and then stops the workers.
///
/// An error of a worker takes precedence over an error of `body`.
func running(_ workers: [Worker], body: () async throws -> Void) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for worker in workers { group.addTask { try await worker.run() } }
    let result: Result<Void, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    for worker in workers { worker.stop() }
    try await group.waitForAll()
    try result.get()
  }
}
