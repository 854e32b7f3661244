import BatonPostgres
import Synchronization

/// A few sessions that many tasks use in turn, first come, first served; an effect that runs holds none.
final class SessionPool: Sendable {
  private let all: [ReconnectingSession]
  private let free: Mutex<[ReconnectingSession]>
  private let turns: TaskSemaphore

  /// Opens no connection before it is needed.
  init(of session: ReconnectingSession, count: Int) {
    all = (0..<count).map { _ in session.another() }
    free = Mutex(all)
    turns = TaskSemaphore(count)
  }

  /// Lends a session to `body`.
  func with<R>(_ body: (ReconnectingSession) async throws -> R) async rethrows -> R {
    await turns.begin()
    defer { turns.end() }
    // A task that has its turn always finds a free session.
    let session = free.withLock { $0.removeLast() }
    defer { free.withLock { $0.append(session) } }
    return try await body(session)
  }

  /// Closes the connections; call it after their last use.
  func close() async { for session in all { await session.close() } }
}
