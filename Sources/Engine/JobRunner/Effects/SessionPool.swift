import BatonPostgres
import Synchronization

/// A few sessions that many tasks use in turn, first come, first served: what is performed holds none.
final class SessionPool: Sendable {
  private let all: [ReconnectingSession]
  private let free: Mutex<[ReconnectingSession]>
  private let turns: TaskSemaphore

  /// Nothing is opened before it is needed.
  init(of session: ReconnectingSession, count: Int) {
    all = (0..<count).map { _ in session.another() }
    free = Mutex(all)
    turns = TaskSemaphore(count)
  }

  /// Lends a session for the time of `body`.
  func with<R>(_ body: (ReconnectingSession) async throws -> R) async rethrows -> R {
    await turns.begin()
    defer { turns.end() }
    // Whoever has a turn finds one.
    let session = free.withLock { $0.removeLast() }
    defer { free.withLock { $0.append(session) } }
    return try await body(session)
  }

  /// Closes the connections, when nothing uses them any more.
  func close() async { for session in all { await session.close() } }
}
