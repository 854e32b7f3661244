import Synchronization

#if HTTP
  public import ServiceLifecycle

  // A service group runs the worker together with other services, such as an HTTP server.
  extension Worker: Service {}
#endif

extension Worker {
  /// Runs `body` in a separate task, and ends the worker if the current task is cancelled or the
  /// worker's service group shuts down gracefully.
  ///
  /// In a cancelled task, the worker's statements fail. If `body` ran in the current task, the
  /// worker could not settle its runs after being cancelled.
  ///
  /// - Throws: any error that `body` throws.
  func endingWhenCancelled(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let working = Task { try await body() }
    #if HTTP
      try await withTaskCancellationOrGracefulShutdownHandler {
        try await working.value
      } onCancelOrGracefulShutdown: {
        self.end()
      }
    #else
      try await withTaskCancellationHandler {
        try await working.value
      } onCancel: {
        self.end()
      }
    #endif
  }
}

/// The error that is thrown if jobs ignore the cancellation of their attempts when a worker ends.
///
/// After this error, the process must exit, because the jobs' code is still running.
package struct AbandonedAttempts: Error, Sendable, CustomStringConvertible {
  /// The names of the jobs that ignored the cancellation of their attempts.
  package let jobs: [String]

  /// A message for users and logs.
  package var description: String {
    "the worker has ended, but attempts of \(jobs.joined(separator: ", ")) ignore their cancellation"
  }
}

/// Signals that a worker's executors have ended, or that the worker has stopped waiting for them.
final class WorkEnd: Sendable {
  private struct State {
    var hasCome = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Ends the wait for the executors.
  func come() {
    let waiting = state.withLock { state in
      state.hasCome = true
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  /// Waits until ``come()`` has been called, even in a cancelled task.
  ///
  /// Only one task at a time may wait.
  func wait() async {
    await withCheckedContinuation { continuation in
      let hasCome = state.withLock { state in
        guard !state.hasCome else { return true }
        state.waiting = continuation
        return false
      }
      if hasCome { continuation.resume() }
    }
  }
}
