import BatonPostgres
import RunnerSQL
import Synchronization

/// A process's sessions that were created from the same session.
///
/// A connection can wait forever for a result. For example, the host of a frozen server still
/// acknowledges packets after a failover, and a proxy can keep a connection whose server is gone.
/// The heartbeat connection has a time limit, and reaches the current server again. That server
/// reports which of the other connections are waiting in vain.
final class SessionRegistry: Sendable {
  private struct Member {
    weak var session: ReconnectingSession?
  }

  /// A connection is checked only if it has been waiting for longer than this time.
  private static let patience = Duration.seconds(10)

  private let members = Mutex<[ObjectIdentifier: Member]>([:])

  func add(_ session: ReconnectingSession) {
    members.withLock { $0[ObjectIdentifier(session)] = Member(session: session) }
  }

  func remove(_ id: ObjectIdentifier) { members.withLock { $0[id] = nil } }

  /// Closes the connections that are waiting for a result although the server is not executing
  /// their statement.
  ///
  /// A connection through a pooler is not checked, because its server process is unknown.
  ///
  /// - Parameter session: a session that reaches the current server.
  /// - Returns: the number of closed connections.
  func abortUnanswered(on session: Session) async throws(PostgresError) -> Int {
    // The lock ends before the sessions are released, because the end of a session needs the lock.
    let sessions = members.withLock { members in members.values.compactMap(\.session) }
    let waiting = sessions.compactMap { $0.waiting(for: Self.patience) }
    guard !waiting.isEmpty else { return 0 }
    let list = Call.rows(
      SQL.Workers.listUnanswered, waiting.map(\.backend.pid), waiting.map(\.backend.start),
      as: Int32.self)
    let unanswered: [Int32] = try await session.atomically(list)
    for number in unanswered { waiting[Int(number) - 1].connection.abort() }
    return unanswered.count
  }
}
