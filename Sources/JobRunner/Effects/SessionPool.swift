import Postgres
import Synchronization

/// A few sessions that many tasks use in turn, first come, first served: what is performed holds none.
final class SessionPool: Sendable {
  private struct State {
    var free: [ReconnectingSession]
    var waiting: [CheckedContinuation<ReconnectingSession, Never>] = []
  }

  private let all: [ReconnectingSession]
  private let state: Mutex<State>

  /// Nothing is opened before it is needed.
  init(of session: ReconnectingSession, count: Int) {
    all = (0..<count).map { _ in session.another() }
    state = Mutex(State(free: all))
  }

  /// Lends a session for the time of `body`.
  func with<R>(_ body: (ReconnectingSession) async throws -> R) async rethrows -> R {
    let session = await withCheckedContinuation { continuation in
      let session = state.withLock { state in
        guard let session = state.free.popLast() else {
          state.waiting.append(continuation)
          return ReconnectingSession?.none
        }
        return session
      }
      if let session { continuation.resume(returning: session) }
    }
    defer { takeBack(session) }
    return try await body(session)
  }

  private func takeBack(_ session: ReconnectingSession) {
    let next = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.free.append(session)
        return CheckedContinuation<ReconnectingSession, Never>?.none
      }
      return state.waiting.removeFirst()
    }
    next?.resume(returning: session)
  }

  /// Closes the connections, when nothing uses them any more.
  func close() async { for session in all { await session.close() } }
}
