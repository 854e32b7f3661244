import BatonPostgres

/// The open connection of a hub, and what an error on it means.
struct HubConnection: Sendable {
  let session: Session
  /// Whether a look on it has ended.
  let isProven: Bool

  /// Whether the same statement may succeed later by itself.
  ///
  /// An error concerns what the statement was about, not the server: one topic that cannot be read must not end
  /// the streams of the others.
  ///
  /// - Throws: if the connection is lost, or if a new connection may help: the hub then opens one.
  func isPassing(_ error: any Error) async throws(PostgresError) -> Bool {
    let found = error as? PostgresError
    guard await !session.connection.isBroken else {
      throw found ?? PostgresError(.connectionFailure, "the connection was lost")
    }
    guard let found else { return false }
    // A new connection that says the same is believed: else it would be opened for ever.
    if isProven, found.sqlState.mayBeOfConnection { throw found }
    return found.sqlState.isTransient
  }
}

extension SQLState {
  /// Whether the connection may be the cause: a prepared statement is gone or has another result by now, or the server
  /// is read-only since another server took over.
  fileprivate var mayBeOfConnection: Bool { ["0A000", "26000", "25006"].contains(code) }
}
