import BatonPostgres
import Synchronization

/// A pool of a few sessions that many tasks share.
///
/// Tasks get a session in the order of their requests.
///
/// A running effect occupies a session only during a transaction or while a step is stored. If an
/// effect does not end after it is cancelled, another session replaces the one that it occupies.
/// Without the replacement, a few effects that do not end would occupy all of the pool's sessions.
///
/// The effects' own transactions must not occupy all sessions. If these transactions are waiting
/// for locks, the worker's other effects can still end.
final class SessionPool: Sendable {
  private struct State {
    var all: [ReconnectingSession]
    var free: [ReconnectingSession]
    /// The borrower of each session that is in use, keyed by session.
    var borrowers: [ObjectIdentifier: ObjectIdentifier] = [:]
    /// The sessions that are in use and were replaced.
    var replaced: [ObjectIdentifier: ReconnectingSession] = [:]
  }

  private let source: ReconnectingSession
  private let state: Mutex<State>
  private let turns: TaskSemaphore
  /// The turns of the effects' own transactions.
  private let transactions: TaskSemaphore
  /// Completes effects in groups, on the sessions of this pool.
  let completion = GroupCompletion()

  /// Creates a pool whose connections are opened when they are first used.
  ///
  /// - Parameters:
  ///   - count: the number of sessions.
  ///   - transactionCount: the maximum number of sessions that the effects' own transactions can
  ///     use.
  init(of session: ReconnectingSession, count: Int = 3, transactionCount: Int = 2) {
    let all = (0..<count).map { _ in session.another() }
    source = session
    state = Mutex(State(all: all, free: all))
    turns = TaskSemaphore(count)
    transactions = TaskSemaphore(transactionCount)
  }

  /// Waits for a free session, and runs `body` with it.
  ///
  /// - Parameter borrower: the effect that uses the session for its own transaction, for
  ///   ``replaceSessions(of:)``, or nil for a short use by the worker.
  func with<R>(
    for borrower: (any AnyObject & Sendable)? = nil,
    _ body: (ReconnectingSession) async throws -> R
  ) async rethrows -> R {
    if borrower != nil { await transactions.begin() }
    await turns.begin()
    // The `turns` semaphore admits only as many tasks as there are sessions, so `free` is not
    // empty.
    let session = state.withLock { state in
      let session = state.free.removeLast()
      if let borrower {
        state.borrowers[ObjectIdentifier(session)] = ObjectIdentifier(borrower)
      }
      return session
    }
    defer { end(session, ofBorrower: borrower != nil) }
    return try await body(session)
  }

  /// Returns a session to the pool, or closes it if it was replaced.
  private func end(_ session: ReconnectingSession, ofBorrower isBorrowed: Bool) {
    let id = ObjectIdentifier(session)
    let wasReplaced = state.withLock { state in
      state.borrowers[id] = nil
      guard state.replaced.removeValue(forKey: id) == nil else { return true }
      state.free.append(session)
      return false
    }
    if wasReplaced {
      Task { await session.close() }
    } else {
      turns.end()
      if isBorrowed { transactions.end() }
    }
  }

  /// Replaces the sessions that an abandoned borrower occupies.
  ///
  /// The pool cancels the statement of a replaced session and closes the session at once, so the
  /// server rolls back the borrower's transaction. If the transaction stayed open, no other session
  /// could change the run that it has locked. If the borrower reconnects a replaced session, the
  /// pool closes the new connection when the borrower returns the session.
  func replaceSessions(of borrower: any AnyObject & Sendable) {
    let occupied = state.withLock { state in
      let occupied = state.all.filter {
        state.borrowers[ObjectIdentifier($0)] == ObjectIdentifier(borrower)
      }
      for session in occupied {
        let id = ObjectIdentifier(session)
        state.borrowers[id] = nil
        state.replaced[id] = session
        state.all.removeAll { $0 === session }
        let other = source.another()
        state.all.append(other)
        state.free.append(other)
      }
      return occupied
    }
    for session in occupied {
      turns.end()
      transactions.end()
      Task { await session.abandon() }
    }
  }

  /// Closes all connections, including those of replaced sessions.
  ///
  /// Call this method after the last use of the pool. Closing a connection releases the locks of an
  /// effect that does not end.
  func close() async {
    let (free, occupied) = state.withLock { state in
      let free = Set(state.free.map(ObjectIdentifier.init))
      let occupied = state.all.filter { !free.contains(ObjectIdentifier($0)) }
      return (state.free, occupied + state.replaced.values)
    }
    for session in free { await session.close() }
    for session in occupied { await session.abandon() }
  }
}
