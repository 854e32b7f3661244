import Presence
import Synchronization
import TestSupport

/// Through which commands go, and which a leap of the clock closes.
final class StormGate: Sendable {
  private struct State {
    var passing = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Makes a call, again until it is answered: a connection that was lost may have lost the answer alone.
  func pass(_ call: () async throws -> Void) async throws {
    try await wait { state in
      if !state.isClosed { state.passing += 1 }
      return !state.isClosed
    }
    defer { state.withLock { $0.passing -= 1 } }
    let giveUp = ContinuousClock.now + .seconds(30)
    while true {
      do {
        return try await call()
      } catch let error as AppError {
        guard error.isRetryable else { throw error }
        guard .now < giveUp else { throw TestFailure("no answer for half a minute: \(error)") }
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  /// Leaps while nothing passes.
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
