import BatonPostgres
import Synchronization

/// A pool of a few sessions that many tasks share.
///
/// Tasks get a session in the order of their requests.
///
/// A running effect does not occupy a session.
final class SessionPool: Sendable {
  private let all: [ReconnectingSession]
  private let free: Mutex<[ReconnectingSession]>
  private let turns: TaskSemaphore
  /// The completion of effects in groups, on the sessions of this pool.
  let completion = GroupCompletion()

  /// Creates a pool whose connections are opened at their first use.
  init(of session: ReconnectingSession, count: Int) {
    all = (0..<count).map { _ in session.another() }
    free = Mutex(all)
    turns = TaskSemaphore(count)
  }

  /// Waits for a free session, and runs `body` with it.
  func with<R>(_ body: (ReconnectingSession) async throws -> R) async rethrows -> R {
    await turns.begin()
    defer { turns.end() }
    // A task that has acquired the semaphore always finds a free session.
    let session = free.withLock { $0.removeLast() }
    defer { free.withLock { $0.append(session) } }
    return try await body(session)
  }

  /// Closes all connections.
  ///
  /// Call this method after the last use of the pool.
  func close() async { for session in all { await session.close() } }
}
