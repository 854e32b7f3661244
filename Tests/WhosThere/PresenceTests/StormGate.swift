import Presence
import Synchronization
import TestSupport

/// A gate for commands that is closed while the clock leaps.
final class StormGate: Sendable {
  private struct State {
    var passing = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Executes a call, and repeats it until it gets a response.
  ///
  /// If a connection was lost, perhaps only the response was lost.
  func pass(_ call: () async throws -> Void) async throws {
    try await wait { state in
      if !state.isClosed { state.passing += 1 }
      return !state.isClosed
    }
    defer { state.withLock { $0.passing -= 1 } }
    var tries = 0
    while true {
      do {
        return try await call()
      } catch let error as AppError {
        guard error.isRetryable else { throw error }
        // The tries take half a minute or more.
        guard tries < 6_000 else { throw TestFailure("no answer after \(tries) tries: \(error)") }
        tries += 1
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  /// Leaps while no command passes.
  func close(_ leap: () async throws -> Void) async throws {
    state.withLock { $0.isClosed = true }
    defer { state.withLock { $0.isClosed = false } }
    try await wait { $0.passing == 0 }
    try await leap()
  }

  private func wait(until isSo: (inout State) -> Bool) async throws {
    while !state.withLock({ isSo(&$0) }) { try await Task.sleep(for: .milliseconds(1)) }
  }
}
