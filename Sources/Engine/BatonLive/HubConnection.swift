import BatonPostgres

/// The open connection of a hub, and the meaning of an error on it.
struct HubConnection: Sendable {
  let session: Session
  /// Whether a poll on it has succeeded.
  let isProven: Bool

  /// Whether the same statement may succeed later without a change.
  ///
  /// An error is about the statement, not about the server: if one topic cannot be read, the streams of the other
  /// topics must not end.
  ///
  /// - Throws: if the connection is lost, or if a new connection may help; the hub then opens one.
  func isPassing(_ error: any Error) async throws(PostgresError) -> Bool {
    let found = error as? PostgresError
    guard await !session.connection.isBroken else {
      throw found ?? PostgresError(.connectionFailure, "the connection was lost")
    }
    guard let found else { return false }
    // The error of a new connection is accepted as final: otherwise the hub would open connections without end.
    if isProven, found.sqlState.mayBeOfConnection { throw found }
    return found.sqlState.isTransient
  }
}

extension SQLState {
  /// Whether the connection may be the cause: a prepared statement is gone or now has another result type, or the
  /// server is read-only after a failover.
  fileprivate var mayBeOfConnection: Bool { ["0A000", "26000", "25006"].contains(code) }
}
